#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void reduce_axis(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  GlobalTensor<DTYPE_X> from;
  GlobalTensor<DTYPE_Y> to;
  from.SetGlobalBuffer((__gm__ DTYPE_X*)x, t.outer * t.axis * t.inner);
  to.SetGlobalBuffer((__gm__ DTYPE_Y*)y, t.outer * t.inner);
  for (uint32_t row = GetBlockIdx(); row < t.outer; row += GetBlockNum()) {
    for (uint32_t i = 0; i < t.inner; ++i) {
      DTYPE_Y sum = 0;
      for (uint32_t k = 0; k < t.axis; ++k) {
        sum += from.GetValue((row * t.axis + k) * t.inner + i);
      }
      to.SetValue(row * t.inner + i, sum);
    }
  }
}
