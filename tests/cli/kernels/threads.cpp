// Blocks that take different times, for what must not depend on the number of host threads.
#include <cstdlib>

#include "kernel_operator.h"

using namespace AscendC;

namespace {

// Early blocks are slow, so that later ones overtake them where they can.
void dawdle() {
  const int64_t rounds = (GetBlockNum() - GetBlockIdx()) * 400000;
  for (volatile int64_t i = 0; i < rounds; i = i + 1) {
  }
}

// A fault: an element behind the end.
void fault(int32_t behind) {
  const LocalTensor<half> tensor(TPosition::VECCALC, 262112, 16);
  tensor.SetValue(16 + behind, 1);
}

// The same, at one of three places.
void fault_of_block(int32_t block) {
  if (block % 3 == 0) fault(block);
  if (block % 3 == 1) fault(block);
  if (block % 3 == 2) fault(block);
}

}  // namespace

// Block i computes out[i], and prints and faults if it is told to.
extern "C" __global__ __aicore__ void mixed(GM_ADDR out, uint32_t faulty, uint32_t talking) {
  dawdle();
  auto* words = reinterpret_cast<__gm__ int32_t*>(out);
  const LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 16);
  Duplicate(ub, int32_t(GetBlockIdx() * 3), 16);
  if (talking >> GetBlockIdx() & 1) AscendC::printf("block %d\n", int(GetBlockIdx()));
  if (faulty >> GetBlockIdx() & 1) fault_of_block(int32_t(GetBlockIdx()));
  words[GetBlockIdx()] = ub.GetValue(5);
}

// The block `which` ends badly, at once; the others take their time.
extern "C" __global__ __aicore__ void one_fails(GM_ADDR out, int32_t which, int32_t how) {
  if (GetBlockIdx() != which) dawdle();
  out[GetBlockIdx()] = 1;
  if (GetBlockIdx() != which) return;
  if (how == 0) *(volatile int*)16 = 1;
  if (how == 1) throw 7;
  if (how == 2) exit(9);
  while (how == 3) {
    out[GetBlockIdx()] = out[GetBlockIdx()] + 1;
  }
  GlobalTensor<int4b_t> global;  // class unimplemented: ends the kernel
  if (how == 4) DataCopy(global, LocalTensor<int4b_t>(TPosition::VECCALC, 0, 64), 64);
}

// Each block adds its numbers to the same 64 floats of GM, the early blocks last if they
// could; then it reads the sum so far back, and adds that to 64 others. `which` ends badly in
// between.
extern "C" __global__ __aicore__ void sums(GM_ADDR parts, GM_ADDR out, int32_t which) {
  GlobalTensor<float> part, sum;
  part.SetGlobalBuffer((__gm__ float*)parts + 64 * GetBlockIdx(), 64);
  sum.SetGlobalBuffer((__gm__ float*)out, 128);
  const LocalTensor<float> ub(TPosition::VECCALC, 0, 64);
  DataCopy(ub, part, 64);
  dawdle();
  PipeBarrier<PIPE_ALL>();
  SetAtomicAdd<float>();
  DataCopy(sum, ub, 64);
  PipeBarrier<PIPE_ALL>();
  GlobalTensor<int4b_t> global;  // a type that the chip lacks ends the kernel
  if (GetBlockIdx() == which) {
    DataCopy(global, LocalTensor<int4b_t>(TPosition::VECCALC, 0, 64), 64);
  }
  DataCopy(ub, sum, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopy(sum[64], ub, 64);
  DisableDmaAtomic();
}
