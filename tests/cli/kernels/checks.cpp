// A mistake for each tool of --check, and one that basic checks see.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kCount = 64;

extern "C" __global__ __aicore__ void mistakes(GM_ADDR x) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(buffer, kCount * sizeof(float));
  pipe.InitBuffer(queue, 1, kCount * sizeof(float));
  GlobalTensor<float> gm;
  gm.SetGlobalBuffer((__gm__ float*)x, kCount);
  LocalTensor<float> mine = buffer.Get<float>();
  (void)mine.GetValue(0);  // init: V1013
  LocalTensor<float> nobodys(TPosition::VECCALC, 4096, kCount);
  Duplicate(nobodys, 1.0f, kCount);  // memory: V1009
  auto leak = queue.AllocTensor<float>();  // queue: V3007
  DataCopy(mine, gm, kCount);
  Adds(leak, mine, 1.0f, kCount);  // race: V4009
  PipeBarrier<PIPE_ALL>();
  Muls(mine, mine, 2.0f, 1 << 20);  // V1001
}
