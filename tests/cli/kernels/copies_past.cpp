// Fills a tensor, and what is behind it in the same buffer (V1011).
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void copies_past(GM_ADDR) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 512);
  LocalTensor<float> all = buffer.Get<float>();
  LocalTensor<float> half_of_it = all[0];
  half_of_it.SetSize(64);
  Duplicate(half_of_it, 1.0f, 128);
}
