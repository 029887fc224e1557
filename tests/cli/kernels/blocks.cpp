// Several kernels in one file, for what concerns the run as a whole.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void block_index(GM_ADDR out) {
  auto* words = reinterpret_cast<__gm__ int64_t*>(out);
  words[2 * GetBlockIdx()] = GetBlockIdx();
  words[2 * GetBlockIdx() + 1] = GetBlockNum();
}

extern "C" __global__ __aicore__ void nothing() {}

extern "C" __global__ __aicore__ void optional(GM_ADDR out, GM_ADDR bias) {
  out[0] = bias == nullptr ? 7 : bias[0];
}

extern "C" __global__ __aicore__ void says_hello() {
  AscendC::printf("hello from block %d of %d\n", int(GetBlockIdx()), int(GetBlockNum()));
}

extern "C" __global__ __aicore__ void says_half_a_line() { PRINTF("no newline"); }

// Writes the first number, faults, writes the second.
extern "C" __global__ __aicore__ void faults_between(GM_ADDR out, int32_t index) {
  out[0] = 1;
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 256);
  LocalTensor<half> tensor = buffer.Get<half>();
  tensor.SetValue(index, 1);
  out[1] = 2;
}

extern "C" __global__ __aicore__ void crashes_between(GM_ADDR out) {
  out[0] = 1;
  *(volatile int*)16 = 1;
  out[1] = 2;
}

extern "C" __global__ __aicore__ void busy(GM_ADDR out, int32_t rounds) {
  volatile uint32_t* cell = reinterpret_cast<__gm__ uint32_t*>(out);
  for (int64_t i = 0; rounds < 0 || i < rounds; ++i) *cell = *cell + 1;
}

// Legal in the eyes of full checks for leave = 0, of basic checks always.
extern "C" __global__ __aicore__ void leaks(GM_ADDR, int32_t leave) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, 256);
  auto tensor = queue.AllocTensor<half>();
  if (leave == 0) queue.FreeTensor(tensor);
}

namespace outer {
namespace inner {

extern "C++" __global__ __aicore__ void nested(GM_ADDR out) { out[0] = 11; }

}  // namespace inner

__global__ __aicore__ void plain_cpp(GM_ADDR out, uint8_t value) { out[0] = value; }

}  // namespace outer
