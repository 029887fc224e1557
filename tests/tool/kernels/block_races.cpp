// Kernels on several cores, most with a mistake that a launch can choose. Their arguments are the same
// throughout.
#include "block_parts.h"

// Each block writes 64 floats, the last ones of which its neighbour may write, too: the number of
// the block, or the same value as all others, or behind each other.
extern "C" __global__ __aicore__ void tails(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  const auto block = uint32_t(GetBlockIdx());
  const uint32_t step = how == 2 ? kPart : kPart - 16;
  fill(part(), how == 1 ? 7.0f : float(block));
  DataCopy(global(out, block * step), part(), kPart);  // HERE tails, THERE tails
}

// The same with copies of any length, to places that are no whole sectors.
extern "C" __global__ __aicore__ void odd_tails(GM_ADDR in, GM_ADDR out, GM_ADDR space,
                                                int32_t how) {
  const auto block = uint32_t(GetBlockIdx());
  const uint32_t step = how == 2 ? 11 : 9;
  fill(part(), how == 1 ? 7.0f : float(block));
  const DataCopyExtParams params{1, 44, 0, 0, 0};
  DataCopyPad(global(out, block * step + 3), part(), params);  // HERE odd_tails, THERE odd_tails
}

// The last block steps back, to write a full part, too; all read what they write from elsewhere.
extern "C" __global__ __aicore__ void steps_back(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t) {
  const auto block = uint32_t(GetBlockIdx()), last = uint32_t(GetBlockNum()) - 1;
  const uint32_t first = block * kPart - (block == last ? 24 : 0);
  copy(global(out, first), global(in, first));
}

// Each block works in its own 12 numbers, and reads the 4 of its neighbour that fill the last datablock.
// how: 1, the tensor has them, too.
extern "C" __global__ __aicore__ void rounded_up(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  GlobalTensor<float> own;
  own.SetGlobalBuffer((__gm__ float*)space + GetBlockIdx() * 12, how == 1 ? 16 : 12);
  DataCopy(part(), own, 16);  // HERE rounded_up
  PipeBarrier<PIPE_ALL>();
  Adds(part(), part(), 1.0f, 16);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(own, part(), {1, 48, 0, 0});  // THERE rounded_up
}

// In place, that is wrong: the other block may have written what is read.
extern "C" __global__ __aicore__ void steps_back_in_place(GM_ADDR in, GM_ADDR out, GM_ADDR space,
                                                          int32_t how) {
  const auto block = uint32_t(GetBlockIdx()), last = uint32_t(GetBlockNum()) - 1;
  const uint32_t back = how == 1 && block == last ? 24 : 0;
  GlobalTensor<float> place = global(out, block * kPart - back);
  DataCopy(part(), place, kPart);  // HERE steps_back_in_place
  PipeBarrier<PIPE_ALL>();
  Adds(part(), part(), 0.0f, kPart);
  PipeBarrier<PIPE_ALL>();
  DataCopy(place, part(), kPart);  // THERE steps_back_in_place
}

// Each block reads what its neighbour wrote, twice over. how: 1, no barrier before the reads; 2,
// none before what is read is written anew.
template <class F>
__aicore__ inline void exchange(GM_ADDR out, GM_ADDR space, int32_t how, F barrier) {
  const auto block = uint32_t(GetBlockIdx());
  const auto blocks = uint32_t(GetBlockNum() * GetTaskRation());
  for (uint32_t round = 0; round < 2; ++round) {
    fill(part(1), float(block + round * 100));
    DataCopy(global(space, block * kPart), part(1), kPart);  // THERE exchange
    UNLESS(how == 1) barrier();
    copy(global(out, (round * blocks + block) * kPart),
         global(space, (block + 1) % blocks * kPart));
    UNLESS(how == 2) barrier();
  }
}

extern "C" __global__ __aicore__ void hard(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  exchange(out, space, how, [] { SyncAll(); });
}

// A barrier for what one pipe has done. how: 3, for the pipe that writes nothing.
constexpr SyncAllConfig kAfterStores{PIPE_MTE3, PIPE_ALL}, kAfterLoads{PIPE_MTE2, PIPE_MTE3};
extern "C" __global__ __aicore__ void piped(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  exchange(out, space, how, [=] {
    how == 3 ? SyncAll<true, kAfterLoads>() : SyncAll<true, kAfterStores>();
  });
}

extern "C" __global__ __aicore__ void soft(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  GlobalTensor<int32_t> gm = words(space)[8192];
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 1024);
  exchange(out, space, how, [&] { SyncAll(gm, ub); });
}

// Every block clears all of the barrier's words.
extern "C" __global__ __aicore__ void cleared(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  GlobalTensor<int32_t> gm = words(space)[8192];
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 1024);
  PipeBarrier<PIPE_ALL>();
  Duplicate(ub, how == 3 ? int32_t(GetBlockIdx()) : 0, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopy(gm, ub, 64);  // HERE cleared, THERE cleared
  PipeBarrier<PIPE_ALL>();
  if (how != 3) SyncAll(gm, ub);
}

// Block 0 writes, the next reads. how: 1, without IBSet and IBWait; 2, what is written after IBSet.
extern "C" __global__ __aicore__ void events(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  GlobalTensor<int32_t> gm = words(space)[8192];
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 1024);
  GlobalTensor<float> place = global(space);
  if (GetBlockIdx() == 0) {
    fill(part(1), 5.0f);
    if (how == 2) IBSet(gm, ub, 0, 3);
    DataCopy(place, part(1), kPart);  // THERE events
    if (how == 0) IBSet(gm, ub, 0, 3);
  } else if (GetBlockIdx() == 1) {
    UNLESS(how == 1) IBWait(gm, ub, 0, 3);
    copy(global(out), place);
  }
}

// Block 0 writes for the next, which waits, and the same once more while that one may be reading.
// how: 1, something else; 2, only then.
extern "C" __global__ __aicore__ void again(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  GlobalTensor<float> place = global(space);
  fill(part(1), 5.0f);
  if (GetBlockIdx() == 0 && how != 2) DataCopy(place, part(1), kPart);
  SyncAll();
  if (how == 1) fill(part(1), 6.0f);
  if (GetBlockIdx() == 0) DataCopy(place, part(1), kPart);  // THERE again
  if (GetBlockIdx() == 1) copy(global(out), place);
}

// Block 0 writes, the others wait for it as a group. how: 1, they do not.
extern "C" __global__ __aicore__ void groups(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  const auto block = uint32_t(GetBlockIdx());
  auto start = reinterpret_cast<uint64_t>(space) + 32768;
  GroupBarrier<PipeMode::MTE3_MODE> barrier(reinterpret_cast<GM_ADDR>((start + 511) / 512 * 512), 1,
                                            3);
  if (block == 0) {
    fill(part(1), 5.0f);
    DataCopy(global(space), part(1), kPart);  // THERE groups
    barrier.Arrive(0);
  } else {
    UNLESS(how == 1) barrier.Wait(block - 1);
    copy(global(out, block * kPart), global(space));
  }
}

// All blocks add to the same sums. how: 1, one of them writes there before; 2, and all wait for it.
extern "C" __global__ __aicore__ void sums(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  fill(part(), 1.0f);
  if (how != 0 && GetBlockIdx() == 0) DataCopy(global(out), part(), kPart);  // THERE sums
  PipeBarrier<PIPE_ALL>();
  if (how == 2) SyncAll();
  SetAtomicAdd<float>();
  DataCopy(global(out), part(), kPart);  // HERE sums
  SetAtomicNone();
}

// A place in GM for what a block keeps there for a while: its own, or the first one.
extern "C" __global__ __aicore__ void places(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  const auto block = uint32_t(GetBlockIdx());
  GlobalTensor<float> place = global(space, how == 1 ? 0 : block * kPart);
  fill(part(1), float(block));
  DataCopy(place, part(1), kPart);  // THERE places, THERE places_write, HERE places_write
  copy(global(out, block * kPart), place);
}

// Block 1 waits for a word of block 0, which it reads itself or has copied to UB.
extern "C" __global__ __aicore__ void polls(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  GlobalTensor<int32_t> word = words(space)[4096];
  GlobalTensor<float> place = global(space);
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 8);
  const bool writer = (GetBlockIdx() == 0) != (how >= 2);  // the first, or the last
  if (GetBlockIdx() > 1) return;
  if (writer) {
    fill(part(1), 5.0f);
    DataCopy(place, part(1), kPart);
    PipeBarrier<PIPE_ALL>();
    if (how % 2 == 0) {
      word.SetValue(0, 1);
    } else {
      Duplicate(ub, 1, 8);
      PipeBarrier<PIPE_ALL>();
      DataCopy(word, ub, 8);
    }
  } else {
    for (int32_t found = 0; found != 1;) {
      if (how % 2 == 0) {
        found = word.GetValue(0);
      } else {
        DataCopy(ub, word, 8);
        PipeBarrier<PIPE_ALL>();
        found = ub.GetValue(0);
      }
    }
    copy(global(out), place);
  }
}

// Scalar code looks at what another block wrote as a whole, which is no word to wait for.
extern "C" __global__ __aicore__ void looks(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  if (GetBlockIdx() == 0) {
    fill(part(1), 5.0f);
    DataCopy(global(space), part(1), kPart);  // THERE looks
  }
  if (how == 0) SyncAll();
  if (GetBlockIdx() != 0) {
    const float found = global(space).GetValue(7);  // HERE looks
    global(out, uint32_t(GetBlockIdx()) * kPart).SetValue(0, found);
  }
}

// Scalar code looks where an early copy lay, which another one has replaced since; what was copied others
// write meanwhile. how: 1, the early copy is late.
extern "C" __global__ __aicore__ void replaced(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  const bool writes = GetBlockIdx() == 0;
  if (writes) fill(part(1), 5.0f);
  UNLESS(writes || how == 1) copy(global(out, uint32_t(GetBlockIdx()) * kPart), global(space));
  SyncAll();
  if (writes) DataCopy(global(space), part(1), kPart);  // THERE replaced
  UNLESS(writes) {
    if (how == 1) DataCopy(part(), global(space), kPart);  // HERE replaced
    PipeBarrier<PIPE_ALL>();
    DataCopy(part(), global(in), 8);
    PipeBarrier<PIPE_ALL>();
    SyncAll();
    global(out, uint32_t(GetBlockIdx()) * kPart).SetValue(0, part().GetValue(0));
    return;
  }
  SyncAll();
}

// Each block leaves 8 numbers; block 0, or the last, adds up the first ones of all, by GetValue or
// in UB. how: 1 and 2, without a barrier.
extern "C" __global__ __aicore__ void partials(GM_ADDR in, GM_ADDR out, GM_ADDR space,
                                               int32_t how) {
  const auto block = uint32_t(GetBlockIdx());
  GlobalTensor<int32_t> gm = words(space)[8192];
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 1024);
  fill(part(1), 5.0f);
  DataCopy(global(space, block * 8), part(1), 8);  // THERE partials
  PipeBarrier<PIPE_ALL>();
  if (how == 0 || how == 3) SyncAll(gm, ub);
  if (block != 0) return;
  float sum = 0;
  if (how == 2 || how == 3) DataCopy(part(), global(space), 32);  // HERE partials_copied
  PipeBarrier<PIPE_ALL>();
  for (uint32_t i = 0; i < 4; ++i) {
    if (how < 2) {
      sum += global(space).GetValue(i * 8);  // HERE partials_read
    } else {
      sum += part().GetValue(i * 8);
    }
  }
  global(out).SetValue(0, sum);
}

// Numbers that scalar code writes. how: 0, the same ones; 1, others; 2, at other places.
extern "C" __global__ __aicore__ void scalars(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  const auto block = int32_t(GetBlockIdx());
  for (int32_t i = 0; i < 16; ++i) {
    const auto place = uint64_t(how == 2 ? block * 16 + i : i);
    words(out).SetValue(place, how == 0 ? i : i + 1000 * block);  // HERE scalars, THERE scalars
  }
}

// An AIC gives what it multiplied to the AIVs of its block. how: 1 and 2, one of both flags is
// missing: they wait for a result that is not there, or it is replaced before they have it.
extern "C" __global__ __aicore__ void both_kinds(GM_ADDR in, GM_ADDR out, GM_ADDR space,
                                                 int32_t how) {
  const auto block = uint32_t(block_idx);
  GlobalTensor<float> place = global(space, block * 256);
  for (uint32_t round = 0; round < 3; ++round) {
    if ASCEND_IS_AIC {
      LocalTensor<half> a1(TPosition::A1, 0, 256), a2(TPosition::A2, 0, 256);
      LocalTensor<half> b2(TPosition::B2, 0, 256);
      LocalTensor<float> c(TPosition::CO1, 0, 256);
      GlobalTensor<half> from;
      from.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(in));
      PipeBarrier<PIPE_ALL>();
      DataCopy(a1, from[round * 256], 256);
      PipeBarrier<PIPE_ALL>();
      LoadData2DParams load;
      load.repeatTimes = 1;
      LoadData(a2, a1, load);
      LoadData(b2, a1, load);
      PipeBarrier<PIPE_ALL>();
      MmadParams mmad;
      mmad.m = mmad.n = mmad.k = 16;
      Mmad(c, a2, b2, mmad);
      PipeBarrier<PIPE_ALL>();
      if (round > 0) {
        UNLESS(how == 2) CrossCoreWaitFlag(3);
      }
      FixpipeParamsV220 out16;
      out16.nSize = out16.mSize = out16.srcStride = out16.dstStride = 16;
      Fixpipe(place, c, out16);  // THERE both_kinds
      UNLESS(how == 1) CrossCoreSetFlag<2, PIPE_FIX>(2);
    }
    if ASCEND_IS_AIV {
      const uint32_t half_of_it = uint32_t(GetSubBlockIdx()) * 128;
      UNLESS(how == 1) CrossCoreWaitFlag(2);
      copy(global(out, (block * 3 + round) * 256 + half_of_it), place[half_of_it]);
      copy(global(out, (block * 3 + round) * 256 + half_of_it + 64), place[half_of_it + 64]);
      if (round < 2) {
        UNLESS(how == 2) CrossCoreSetFlag<2, PIPE_MTE3>(3);
      }
    }
  }
}

// The AIVs of all blocks meet by flags. how: 1, those of a block only.
extern "C" __global__ __aicore__ void flags(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  if ASCEND_IS_AIV {
    exchange(out, space, 0, [&] {
      if (how == 1) {
        CrossCoreSetFlag<1, PIPE_MTE3>(4);
      } else {
        CrossCoreSetFlag<0, PIPE_MTE3>(4);
      }
      CrossCoreWaitFlag(4);
    });
  }
}

// AIV 0 writes a part of GM, and AIV 1 copies it when it has heard of a flag. What the flag stands
// for depends on its pipe. how: 0, that of the copy; 1, another one; 2, another one, behind a
// barrier; 3, another one, and then a second flag, for which the other core waits, too; 4, which it
// waits for too late; 5, the other way round, another pipe than that of the read; 6, but one that
// waits for it.
extern "C" __global__ __aicore__ void flag_pipes(GM_ADDR in, GM_ADDR out, GM_ADDR space,
                                                 int32_t how) {
  if ASCEND_IS_AIC
    return;
  const bool reads_first = how >= 5;
  fill(part(1), 3);
  if ((GetSubBlockIdx() == 0) != reads_first) {
    if (reads_first) CrossCoreSetFlag<1, PIPE_MTE3>(4);
    if (reads_first) CrossCoreWaitFlag(4);
    DataCopy(global(space, uint32_t(block_idx) * kPart), part(1), kPart);  // THERE pipes_write
    if (reads_first) return;
    if (how == 2) PipeBarrier<PIPE_ALL>();
    how == 0 ? CrossCoreSetFlag<1, PIPE_MTE3>(4) : CrossCoreSetFlag<1, PIPE_MTE2>(4);
    CrossCoreSetFlag<1, PIPE_MTE3>(5);
    CrossCoreWaitFlag(4);
    CrossCoreWaitFlag(5);
    return;
  }
  if (!reads_first) CrossCoreSetFlag<1, PIPE_MTE3>(4);
  if (!reads_first) CrossCoreSetFlag<1, PIPE_MTE3>(5);
  if (!reads_first) CrossCoreWaitFlag(4);
  if (how == 3) CrossCoreWaitFlag(5);
  DataCopy(part(2), global(space, uint32_t(block_idx) * kPart), kPart);  // HERE pipes_read
  if (!reads_first && how != 3) CrossCoreWaitFlag(5);
  if (!reads_first) return;
  if (how == 6) SetFlag<HardEvent::MTE2_MTE3>(0);
  if (how == 6) WaitFlag<HardEvent::MTE2_MTE3>(0);
  CrossCoreSetFlag<1, PIPE_MTE3>(4);
  CrossCoreWaitFlag(4);
}

// Flags of all vector cores. how: 1, that nobody waits for; 2, that some of them never set.
extern "C" __global__ __aicore__ void left_flags(GM_ADDR in, GM_ADDR out, GM_ADDR space,
                                                 int32_t how) {
  CrossCoreSetFlag<0, PIPE_MTE3>(3);  // HERE left_1
  UNLESS(how == 1) CrossCoreWaitFlag(3);
  if (how == 2 && GetBlockIdx() < 3) CrossCoreSetFlag<0, PIPE_MTE3>(4);  // HERE left_2
}

// Vector cores go one after the other. how: 1, they do not.
extern "C" __global__ __aicore__ void turns(GM_ADDR in, GM_ADDR out, GM_ADDR space, int32_t how) {
  GlobalTensor<int32_t> gm = words(space)[8192];
  LocalTensor<int32_t> ub(TPosition::VECCALC, 4096, 1024);
  InitDetermineComputeWorkspace(gm, ub);
  UNLESS(how == 1) WaitPreBlock(gm, ub);
  fill(part(1), float(GetBlockIdx()));
  DataCopy(part(), global(out), kPart);  // HERE turns_read
  PipeBarrier<PIPE_ALL>();
  DataCopy(global(out), part(1), kPart);  // HERE turns, THERE turns
  UNLESS(how == 1) NotifyNextBlock(gm, ub);
}
