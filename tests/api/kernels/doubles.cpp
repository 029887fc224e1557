// Doubles are copied, and read by scalar code; nothing computes with them.
#include "kernel_operator.h"

using namespace AscendC;

// 35 doubles in: out the same, and behind them the third once more.
extern "C" __global__ __aicore__ void copies(GM_ADDR in, GM_ADDR out, int32_t computes) {
  GlobalTensor<double> from, to;
  from.SetGlobalBuffer((__gm__ double*)in, 35);
  to.SetGlobalBuffer((__gm__ double*)out, 36);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  LocalTensor<double> x = buffer.Get<double>(), y = x[64];
  DataCopyPad(x, from, {1, 35 * sizeof(double), 0, 0, 0}, {true, 0, 1, 0});
  PipeBarrier<PIPE_ALL>();
  DataCopy(y, x, 36);
  PipeBarrier<PIPE_ALL>();
  y.SetValue(35, y.GetValue(2));
  if (computes != 0) Add(y, y, y, 36);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(to, y, {1, 36 * sizeof(double), 0, 0, 0});
}
