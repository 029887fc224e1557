// Cores that wait for each other, for what a user sees of it. `HERE name` marks a line.
#include <cstdlib>

#include "kernel_operator.h"

using namespace AscendC;

// All blocks wait for each other, round after round; block `which` ends badly in the fourth.
extern "C" __global__ __aicore__ void rounds(GM_ADDR out, int32_t which, int32_t how) {
  auto* words = reinterpret_cast<volatile __gm__ int32_t*>(out);
  const auto block = int32_t(GetBlockIdx()), blocks = int32_t(GetBlockNum());
  words[block] = block;
  for (int round = 0; round < 8; ++round) {
    SyncAll();  // HERE meet
    const int32_t next = words[(block + 1) % blocks];
    SyncAll();
    words[block] = next;
    if (round != 3 || block != which) continue;
    if (how == 0) *(volatile int*)16 = 1;
    if (how == 1) throw 7;
    if (how == 2) exit(9);
    if (how == 3) return;
    while (how == 4) words[block] = words[block] + 1;  // HERE endless
  }
  AscendC::printf("block %d has %d\n", int(block), int(words[block]));
}

// Block 0 waits for block 1 by reading GM, through vinci or through a pointer.
extern "C" __global__ __aicore__ void polls(GM_ADDR out, int32_t by_pointer) {
  auto* words = reinterpret_cast<volatile __gm__ int32_t*>(out);
  GlobalTensor<int32_t> tensor;
  tensor.SetGlobalBuffer((__gm__ int32_t*)out, 16);
  if (GetBlockIdx() == 0) {
    if (by_pointer != 0) {
      while (words[1] != 5) {
      }
    } else {
      while (tensor.GetValue(1) != 5) {
      }
    }
    words[0] = 7;
  } else {
    words[1] = 5;
  }
}
