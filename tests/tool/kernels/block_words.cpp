// Kernels on several cores whose scalar code writes words in GM, looks at them, and at sums. Their
// arguments are those of block_races.cpp.
#include "block_parts.h"

// Each core has a word of a line. 0: it reads it again, and nobody else does; 1: it adds to what was
// there; 2: it writes once more, at the same place of the source; 3: another core reads it.
extern "C" __global__ __aicore__ void own_words(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  const auto block = int32_t(GetBlockIdx());
  GlobalTensor<int32_t> shared = words(out), mine = shared[block], result = shared[256 + 16 * block];
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 1024);
  int32_t sum = how == 1 ? mine.GetValue(0) : 0;
  for (int32_t i = 1; i <= 3; ++i) {
    mine.SetValue(0, sum + i);  // HERE own_words, THERE own_words
    if (how == 0 || (how == 2 && i < 3)) sum += mine.GetValue(0);
  }
  if (how == 3) {
    SyncAll(words(space), ub);
    sum = shared.GetValue((block + 1) % GetBlockNum());
  }
  result.SetValue(0, sum);
}

// A word of each block, by scalar code. how: 0, in a line of its own; 1, all in one line; 2, with a
// clean cache afterwards; 3, one after the other, and the first one cleans its cache; 4, it does
// not.
extern "C" __global__ __aicore__ void lines(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  const auto block = int32_t(GetBlockIdx());
  GlobalTensor<int32_t> mine = words(out)[how == 0 ? block * 16 : block];
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 1024);
  if (block > 1 && how > 2) return SyncAll(words(space), ub);
  if (block == 1 && how > 2) SyncAll(words(space), ub);
  mine.SetValue(0, block + 1);  // HERE lines, THERE lines
  if (how == 2 || (how == 3 && block == 0)) {
    DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(mine);
  }
  if (block == 0 && how > 2) SyncAll(words(space), ub);
}

// Each core leaves a word to the next one. how: 0, it cleans its cache before all meet; 1, afterwards;
// 2, never; 3, never, and the word is copied; 4, by a copy; 5, what was there before.
extern "C" __global__ __aicore__ void handed_on(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  const auto block = int32_t(GetBlockIdx()), next = int32_t((block + 1) % GetBlockNum());
  GlobalTensor<int32_t> given = words(space)[4096], mine = given[16 * block];
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 1024);
  const auto clean = [&] {
    DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE>(mine);
  };
  if (how == 4) {
    Duplicate(ub, block + 1, 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(mine, ub, 8);
    PipeBarrier<PIPE_ALL>();
  } else {
    mine.SetValue(0, how == 5 ? 0 : block + 1);  // THERE handed_on
  }
  if (how == 0) clean();
  SyncAll(words(space), ub);
  if (how == 1) clean();
  int32_t found = 0;
  if (how == 3) {
    DataCopy(ub, given[16 * next], 8);  // HERE handed_on_by_copy
    PipeBarrier<PIPE_ALL>();
    found = ub.GetValue(0);
  } else {
    found = given[16 * next].GetValue(0);  // HERE handed_on
  }
  words(out)[16 * block].SetValue(0, found);
}

// Each block adds to the same sums, at which block 0, the last one or all look once. how: 0 to 3, behind
// a barrier; 4 to 7, without one; 1 and 5, in a copy; 2 and 6, the last one looks, at no whole numbers;
// 3 and 7, all of them do.
extern "C" __global__ __aicore__ void seen_sums(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  const auto block = uint32_t(GetBlockIdx()), last = uint32_t(GetBlockNum()) - 1;
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 1024);
  fill(part(1), how % 4 == 2 ? 0.3f : 1.0f);
  SetAtomicAdd<float>();
  DataCopy(global(space), part(1), how % 4 == 1 ? kPart : 8);  // THERE seen_sums
  SetAtomicNone();
  PipeBarrier<PIPE_ALL>();
  if (how < 4) SyncAll(words(space)[8192], ub);
  if (how % 4 != 3 && block != (how % 4 == 2 ? last : 0)) return;
  float found = 0;
  if (how % 4 == 1) {
    DataCopy(part(2), global(space), 8);  // HERE sums_copied
    PipeBarrier<PIPE_ALL>();
    found = part(2).GetValue(0);
  } else {
    found = global(space).GetValue(0);  // HERE sums_read
  }
  global(out, block * kPart).SetValue(0, found);
}

// Block `how` is long at work before it adds; the others look once, and write what they have found.
extern "C" __global__ __aicore__ void early_looks(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  const auto block = uint32_t(GetBlockIdx());
  if (block != uint32_t(how)) {
    global(out, block * kPart).SetValue(0, global(space).GetValue(0));  // HERE early_looks
    return;
  }
  for (int32_t i = 0; i < 1000; ++i) fill(part(), 1.0f);
  SetAtomicAdd<float>();
  DataCopy(global(space), part(), 8);  // THERE early_looks
  SetAtomicNone();
}

// Zeros that scalar code writes over zeros, each block for itself, and all add to them. how: 1, by
// SetValue; 2, they are looked at by t(i).
extern "C" __global__ __aicore__ void cleared_sums(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  GlobalTensor<float> sums = global(space);
  if (how == 0) Fill(sums, 4, 0.0f);  // HERE zeros, THERE zeros
  if (how == 1) sums.SetValue(0, 0);
  if (how == 2 && sums(0) > 100) return;  // HERE looks_by_reference
  fill(part(), 0.3f);
  PipeBarrier<PIPE_ALL>();
  SetAtomicAdd<float>();
  DataCopy(sums, part(), 8);  // HERE cleared_sums, THERE cleared_sums
  SetAtomicNone();
}

// Sums that count, for which scalar code waits. how: 0, for all; 1, for those of all blocks before; 2,
// for two of them; 3, for all, and behind the number lies a sum; 4, nobody waits, but the last one to
// come goes on; 5, no count at all: zeros for the neighbour, and each looks at its own.
extern "C" __global__ __aicore__ void counted(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  const auto block = uint32_t(GetBlockIdx()), blocks = uint32_t(GetBlockNum());
  GlobalTensor<float> count = global(space, 4096 + (how == 5 ? block * 4 : 0));
  const auto wait_for = [&](float number) {
    while (count.GetValue(0) < number) {
    }
  };
  if (how == 1) wait_for(float(block));
  fill(part(1), float(block));
  DataCopy(global(space, how == 1 ? 0 : block * kPart), part(1), kPart);
  fill(part(1), 0);
  part(1).SetValue(0, how == 5 ? 0.5f : 1.0f);
  if (how == 3) part(1).SetValue(7, 0.3f);
  PipeBarrier<PIPE_ALL>();
  SetAtomicAdd<float>();
  DataCopy(count, part(1), 8);
  SetAtomicNone();
  PipeBarrier<PIPE_ALL>();
  if (how == 0 || how == 3) wait_for(float(blocks));
  if (how == 2) wait_for(2);
  if (how == 4 && count.GetValue(0) != float(blocks)) return;
  if (how == 0 || how == 3 || how == 4) {
    copy(global(out, block * kPart), global(space, (block + 1) % blocks * kPart));
  } else {
    global(out, block * kPart).SetValue(0, how == 3 || how == 5 ? count.GetValue(0) : 1.0f);
  }
}

// All add, wait for each other and look, twice, in the same place, and clean their caches before they
// look. how: 1, the second time nobody waits.
extern "C" __global__ __aicore__ void phases(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 1024);
  GlobalTensor<float> sum = global(space);
  float found = 0;
  for (int32_t phase = 0; phase < 2; ++phase) {
    fill(part(1), 1.0f);
    SetAtomicAdd<float>();
    DataCopy(sum, part(1), 8);  // THERE phases
    SetAtomicNone();
    PipeBarrier<PIPE_ALL>();
    if (how == 0 || phase == 0) SyncAll(words(space)[8192], ub);
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE>(sum);
    found = sum.GetValue(0);  // HERE phases
    if (phase == 0) SyncAll(words(space)[8192], ub);
  }
  fill(part(), found);
  DataCopy(global(out, uint32_t(GetBlockIdx()) * kPart), part(), kPart);
}

// Block 0 writes a table by scalar code, then a word by a copy, for which block 1 waits before it copies
// the table. how: 0, the cache is clean by then; 1, it is not; 2, nor here, but scalar code looks at the
// table, too, and may have waited for it; 3, the table is written after the word, for nobody.
extern "C" __global__ __aicore__ void tables(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  GlobalTensor<int32_t> table = words(space), word = words(space)[8192];
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 64);
  if (GetBlockIdx() > 1) return;
  if (GetBlockIdx() == 0) {
    for (int32_t i = 0; i < 16 && how != 3; ++i) table.SetValue(i, i + 1);  // THERE tables
    if (how == 0) DataCacheCleanAndInvalid<int32_t, CacheLine::ENTIRE_DATA_CACHE>(table);
    Duplicate(ub, 1, 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(word, ub, 8);
    PipeBarrier<PIPE_ALL>();
    if (how == 3) table[1024].SetValue(0, 5);
    return;
  }
  do {
    DataCopy(ub, word, 8);
    PipeBarrier<PIPE_ALL>();
  } while (ub.GetValue(0) != 1);
  DataCopy(ub, table, 16);  // HERE tables
  PipeBarrier<PIPE_ALL>();
  const int32_t found = how == 2 ? ub.GetValue(3) : 0;
  Adds(ub, ub, found, 16);
  PipeBarrier<PIPE_ALL>();
  DataCopy(words(out), ub, 16);
}

// Each core looks at its neighbour's words, before that one writes them by a copy and afterwards. how:
// 0, with a clean cache; 1, the line is still in it; 2, by another word; 3, the cache was clean before;
// 4, what is written was there; 5, it never looked before.
extern "C" __global__ __aicore__ void kept_lines(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  const auto block = uint32_t(GetBlockIdx()), blocks = uint32_t(GetBlockNum());
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 1024);
  GlobalTensor<float> next = global(space, (block + 1) % blocks * kPart);
  const auto clean = [&] {
    DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE>(next);
  };
  if (how == 3) clean();
  float found = how == 5 ? 0.0f : next.GetValue(how == 2 ? 9 : 0);
  SyncAll(words(space)[8192], ub);
  fill(part(1), how == 4 ? 0.0f : 3.0f);
  DataCopy(global(space, block * kPart), part(1), 8);  // THERE kept_lines
  PipeBarrier<PIPE_ALL>();
  SyncAll(words(space)[8192], ub);
  if (how == 0) clean();
  found += next.GetValue(0);  // HERE kept_lines
  fill(part(), found);
  DataCopy(global(out, block * kPart), part(), kPart);
}

// Blocks add numbers, say so by a pointer, and wait for each other by pointers, too.
extern "C" __global__ __aicore__ void pointers(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t) {
  const auto block = int32_t(GetBlockIdx()), blocks = int32_t(GetBlockNum());
  auto* const flags = reinterpret_cast<__gm__ int32_t*>(space) + 16384;
  const auto clean = [&](int32_t number) { dcci(flags + number * 16, SINGLE_CACHE_LINE); };
  fill(part(1), 0.3f);
  SetAtomicAdd<float>();
  DataCopy(global(space), part(1), 8);
  SetAtomicNone();
  PipeBarrier<PIPE_ALL>();
  __atomic_store_n(flags + block * 16, 1, __ATOMIC_RELEASE);
  clean(block);
  for (int32_t i = 0; i < blocks; ++i) {
    do {
      clean(i);
    } while (__atomic_load_n(flags + i * 16, __ATOMIC_ACQUIRE) == 0);
  }
  fill(part(), global(space).GetValue(0));
  DataCopy(global(out, uint32_t(block) * kPart), part(), kPart);
}

// Each block counts something, cleans its cache, and sums what all have counted, by a copy that
// scalar code reads. how: 0, when all have met; 1, at once.
extern "C" __global__ __aicore__ void counts(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  const auto block = int32_t(GetBlockIdx()), blocks = int32_t(GetBlockNum());
  GlobalTensor<int32_t> numbers = words(space)[4096], mine = numbers[16 * block];
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 1024);
  mine.SetValue(0, block + 1);  // THERE counts
  DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE>(mine);
  if (how == 0) SyncAll(words(space), ub);
  DataCopy(ub, numbers, 16 * blocks);  // HERE counts
  SetFlag<HardEvent::MTE2_S>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);
  int32_t sum = 0;
  for (int32_t i = 0; i < blocks; ++i) sum += ub.GetValue(16 * i);
  fill(part(), float(sum));
  DataCopy(global(out, uint32_t(block) * kPart), part(), kPart);
}
