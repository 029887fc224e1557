#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void add_bias(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  TQue<QuePosition::VECIN, 1> in;
  TQue<QuePosition::VECOUT, 1> out;
  const uint32_t bytes = data.length * sizeof(DTYPE_X);
  pipe.InitBuffer(in, 1, (bytes + 31) / 32 * 32);
  pipe.InitBuffer(out, 1, (bytes + 31) / 32 * 32);
  GlobalTensor<DTYPE_X> from, to;
  from.SetGlobalBuffer((__gm__ DTYPE_X*)x, data.length);
  to.SetGlobalBuffer((__gm__ DTYPE_X*)y, data.length);
  LocalTensor<DTYPE_X> values = in.AllocTensor<DTYPE_X>();
  DataCopyPad(values, from, {1, bytes, 0, 0, 0}, {false, 0, 0, 0});
  in.EnQue(values);
  values = in.DeQue<DTYPE_X>();
  LocalTensor<DTYPE_X> sums = out.AllocTensor<DTYPE_X>();
  Adds(sums, values, static_cast<DTYPE_X>(data.bias), data.length);
  in.FreeTensor(values);
  out.EnQue(sums);
  sums = out.DeQue<DTYPE_X>();
  DataCopyPad(to, sums, {1, bytes, 0, 0, 0});
  out.FreeTensor(sums);
}
