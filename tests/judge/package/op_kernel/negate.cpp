#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void negate(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                             GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer((__gm__ float*)x, t.n);
  to.SetGlobalBuffer((__gm__ float*)y, t.n);
  if (t.way == 1) {
    for (uint32_t i = 0; i < t.n; ++i) to.SetValue(i, t.results[i]);
    return;
  }
  TPipe pipe;
  TBuf<TPosition::VECCALC> room;
  pipe.InitBuffer(room, 512);
  auto a = room.Get<float>();
  const DataCopyExtParams bytes{1, uint32_t(t.n * sizeof(float)), 0, 0, 0};
  DataCopyPad(a, from, bytes, {});
  PipeBarrier<PIPE_ALL>();
  Muls(a, a, -1.0f, int32_t(t.n));
  PipeBarrier<PIPE_ALL>();
  if (t.way == 6) DataCopyPad(from, a, bytes);  // over the input
  DataCopyPad(to, a, bytes);
}
