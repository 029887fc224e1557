#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void scale_shift(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  GlobalTensor<DTYPE_X> from;
  GlobalTensor<DTYPE_Y> to;
  from.SetGlobalBuffer((__gm__ DTYPE_X*)x, t.length);
  to.SetGlobalBuffer((__gm__ DTYPE_Y*)y, t.length);
  if (TILING_KEY_IS(1)) {
    for (uint32_t i = 0; i < t.length; ++i) {
      to.SetValue(i, DTYPE_Y(from.GetValue(i) * t.factor + t.shifts[0] + t.shifts[1]));
    }
  } else if (TILING_KEY_IS(2)) {
    for (uint32_t i = 0; i < t.length; ++i) {
      to.SetValue(i, DTYPE_Y(from.GetValue(i) * int32_t(t.factor) + int32_t(t.shifts[0])));
    }
  }
}
