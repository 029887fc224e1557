// Cores that wait for each other, for what a user sees of it. `HERE name` marks a line.
#include <cstdlib>

#include "kernel_operator.h"

using namespace AscendC;

__attribute__((noinline)) int32_t deeper(int32_t depth) {
  volatile int32_t frame[64] = {depth};
  return depth < 0 ? frame[0] : deeper(depth + 1) + frame[1];  // HERE deeper
}

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
    if (how == 5) words[block] = deeper(0);
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

// All blocks but the last wait for its word, which they read through a pointer, and have the cache
// give back what it holds, as the chip's scalar unit needs it. Some order their pipes, too.
extern "C" __global__ __aicore__ void polls_past_the_cache(GM_ADDR out, int32_t orders) {
  auto* words = reinterpret_cast<volatile __gm__ int32_t*>(out);
  if (GetBlockIdx() + 1 == GetBlockNum()) {
    words[0] = 5;
  } else {
    while (words[0] != 5) {
      dcci((__gm__ void*)out, SINGLE_CACHE_LINE);
      if (orders != 0) PipeBarrier<PIPE_ALL>();
    }
  }
  words[16 * (GetBlockIdx() + 1)] = 7;
}

// The first half of the blocks waits for the second half's words in GM, and answers. `how`: with
// GetValue and SetValue, with t(i), or by copies through UB.
template <class Read, class Write>
__aicore__ inline void ask_and_answer(Read read, Write write) {
  const auto me = int32_t(GetBlockIdx()), half = int32_t(GetBlockNum()) / 2;
  if (me < half) {
    while (read(me + half) != 5) {
    }
    AscendC::printf("block %d has been asked\n", me);
    write(me, 7);
  } else {
    write(me, 5);
    AscendC::printf("block %d has asked\n", me);
    while (read(me - half) != 7) {
    }
    AscendC::printf("block %d has its answer\n", me);
  }
}

extern "C" __global__ __aicore__ void answers(GM_ADDR words, int32_t how) {
  constexpr uint32_t kWord = 16;  // elements of a cache line
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)words, kWord * GetBlockNum());
  if (how == 0) {
    return ask_and_answer([&](int32_t i) { return gm.GetValue(kWord * i); },
                          [&](int32_t i, int32_t value) { gm.SetValue(kWord * i, value); });
  }
  if (how == 1) {
    return ask_and_answer([&](int32_t i) { return gm(kWord * i); },
                          [&](int32_t i, int32_t value) { gm.SetValue(kWord * i, value); });
  }
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 64);
  const LocalTensor<int32_t> local = buffer.Get<int32_t>();
  ask_and_answer(
      [&](int32_t i) {
        DataCopy(local, gm[kWord * i], kWord);
        PipeBarrier<PIPE_ALL>();
        return local.GetValue(0);
      },
      [&](int32_t i, int32_t value) {
        Duplicate(local, value, kWord);
        PipeBarrier<PIPE_ALL>();
        DataCopy(gm[kWord * i], local, kWord);
        PipeBarrier<PIPE_ALL>();
      });
}

// Each block adds 1 when it sees its own number: the word goes from block to block.
extern "C" __global__ __aicore__ void counts(GM_ADDR word) {
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)word, 16);
  const auto me = int32_t(GetBlockIdx()), last = int32_t(GetBlockNum()) - 1;
  while (gm.GetValue(0) < last - me) {
  }
  AscendC::printf("block %d sees %d\n", me, gm.GetValue(0));
  gm.SetValue(0, last - me + 1);
}

// Each block writes its word, as a datablock of its own, and reads the words of all until each is
// there. `how`: with GetValue, with t(i), by one copy of all datablocks, by one of the words alone,
// or by one copy a word. `missing` does not write its.
extern "C" __global__ __aicore__ void gathers(GM_ADDR words, GM_ADDR out, int32_t how,
                                              int32_t missing) {
  constexpr uint32_t kWord = 8;  // elements of a datablock
  const auto me = int32_t(GetBlockIdx()), blocks = int32_t(GetBlockNum());
  GlobalTensor<int32_t> gm, sums;
  gm.SetGlobalBuffer((__gm__ int32_t*)words, kWord * blocks);
  sums.SetGlobalBuffer((__gm__ int32_t*)out, kWord * blocks);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 32 * (blocks + 1));
  const LocalTensor<int32_t> found = buffer.Get<int32_t>(), own = found[kWord * blocks];
  Duplicate(own, me + 1, kWord);
  PipeBarrier<PIPE_ALL>();
  if (me != missing) DataCopy(gm[kWord * me], own, kWord);
  PipeBarrier<PIPE_ALL>();
  const auto copy = [&] {
    if (how == 2) DataCopy(found, gm, kWord * blocks);
    if (how == 3) DataCopyPad(found, gm, {uint16_t(blocks), 4, 28, 0, 0}, {false, 0, 0, 0});
    for (int32_t i = 0; how == 4 && i < blocks; ++i) {
      DataCopy(found[kWord * i], gm[kWord * i], kWord);  // HERE gathers
    }
    PipeBarrier<PIPE_ALL>();
  };
  const auto word = [&](int32_t i) {
    return how == 0 ? gm.GetValue(kWord * i) : how == 1 ? gm(kWord * i) : found.GetValue(kWord * i);
  };
  int32_t sum = 0, there = 0;
  while (there < blocks) {
    copy();
    sum = there = 0;
    for (int32_t i = 0; i < blocks; ++i) {
      there += word(i) != 0;
      sum += word(i);
    }
  }
  Duplicate(own, sum, kWord);
  PipeBarrier<PIPE_ALL>();
  DataCopy(sums[kWord * me], own, kWord);
}
