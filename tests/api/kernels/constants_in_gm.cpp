// A table outside functions as GM.
#include "kernel_operator.h"

using namespace AscendC;

namespace own {
const __gm__ int32_t table[64] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0,
                                  0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0,
                                  0, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0};
}

extern "C" __global__ __aicore__ void copies(GM_ADDR y, GM_ADDR z) {
  if (GetBlockIdx() != 0) return;
  GlobalTensor<int32_t> from, to, few;
  from.SetGlobalBuffer((__gm__ int32_t*)own::table, 64);
  to.SetGlobalBuffer((__gm__ int32_t*)y, 64);
  few.SetGlobalBuffer((__gm__ int32_t*)z, 8);
  LocalTensor<int32_t> local(TPosition::VECCALC, 0, 64), more(TPosition::VECCALC, 1024, 8);
  DataCopy(local, from, 64);
  Duplicate(more, 0, 8);
  PipeBarrier<PIPE_ALL>();
  more.SetValue(0, from.GetValue(56));
  more.SetValue(1, own::table[40]);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, local, 64);
  DataCopy(few, more, 8);
}

extern "C" __global__ __aicore__ void writes(GM_ADDR y) {
  GlobalTensor<int32_t> to;
  to.SetGlobalBuffer((__gm__ int32_t*)own::table, 64);
  LocalTensor<int32_t> local(TPosition::VECCALC, 0, 64);
  Duplicate(local, 1, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, local, 64);
}
