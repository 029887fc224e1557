// Hccl, whose communicators have one rank.
#include "kernel_operator.h"
#include "lib/hccl/hccl.h"
#include "tiling/hccl/hccl_tiling.h"

using namespace AscendC;

struct Tiling {
  Mc2InitTiling init;
  Mc2CcTiling first, second;
};

__aicore__ inline Tiling tiling_of(uint32_t operation, uint8_t skips = 0, uint16_t queues = 1) {
  Tiling tiling;
  Mc2CcTilingConfig config("group", operation, "AlltoAll=level0:fullmesh;level1:pairwise");
  config.SetSkipLocalRankCopy(skips);
  config.SetQueueNum(queues);
  if (config.GetTiling(tiling.init) != 0 || config.GetTiling(tiling.first) != 0) trap();
  return tiling;
}

// Rounds of `count` elements from x to y; `skips`: not the rank's own part.
template <class Prepare>
__aicore__ inline void rounds(uint32_t operation, uint32_t skips, uint32_t repeat,
                              Prepare prepare) {
  const Tiling tiling = tiling_of(operation, uint8_t(skips));
  Hccl hccl;
  hccl.InitV2(GetHcclContext<HCCL_GROUP_ID_0>(), &tiling);
  if (hccl.SetCcTilingV2(offsetof(Tiling, first)) != HCCL_SUCCESS) return;
  const HcclHandle handle = prepare(hccl);
  for (uint32_t i = 0; i < repeat; ++i) {
    hccl.Commit(handle);
    if (hccl.Wait(handle) != HCCL_SUCCESS) return;
  }
  SyncAll<true>();
  hccl.Finalize();
}

#define ARGUMENTS \
  GM_ADDR x, GM_ADDR y, uint32_t count, uint32_t repeat, uint32_t type, uint32_t skips

extern "C" __global__ __aicore__ void all_reduce(ARGUMENTS) {
  rounds(HCCL_CMD_ALLREDUCE, skips, repeat, [=](auto& hccl) {
    return hccl.AllReduce(x, y, count, HcclDataType(type), HCCL_REDUCE_SUM, repeat);
  });
}
extern "C" __global__ __aicore__ void all_gather(ARGUMENTS) {
  rounds(HCCL_CMD_ALLGATHER, skips, repeat, [=](auto& hccl) {
    return hccl.AllGather(x, y, count, HcclDataType(type), count * repeat, repeat);
  });
}
extern "C" __global__ __aicore__ void reduce_scatter(ARGUMENTS) {
  rounds(HCCL_CMD_REDUCE_SCATTER, skips, repeat, [=](auto& hccl) {
    return hccl.ReduceScatter(x, y, count, HcclDataType(type), HCCL_REDUCE_MAX, count * repeat,
                              repeat);
  });
}
extern "C" __global__ __aicore__ void all_to_all(ARGUMENTS) {
  rounds(HCCL_CMD_ALLTOALL, skips, repeat, [=](auto& hccl) {
    return hccl.AlltoAll(x, y, count, HcclDataType(type), count * repeat, repeat);
  });
}
// From the third element of x to the second of y.
extern "C" __global__ __aicore__ void all_to_all_v(ARGUMENTS) {
  rounds(HCCL_CMD_ALLTOALLV, skips, repeat, [=](auto& hccl) {
    uint64_t counts[] = {count}, from[] = {2}, to[] = {1};
    return hccl.AlltoAllV(x, counts, from, HcclDataType(type), y, counts, to, HcclDataType(type),
                          repeat);
  });
}

struct BatchWriteItem {
  uint64_t type;
  uint32_t res1[5];
  uint32_t length;
  uint32_t srcAddrLow, srcAddrHigh, dstAddrLow, dstAddrHigh;
  uint32_t res2[4];
};

// The halves of x change places; items stand in `items`. Two queues.
extern "C" __global__ __aicore__ void batch_write(GM_ADDR x, GM_ADDR y, GM_ADDR items,
                                                  uint32_t bytes) {
  const Tiling tiling = tiling_of(HCCL_CMD_BATCH_WRITE, 0, 2);
  Hccl hccl;
  hccl.InitV2(GetHcclContext<0>(), &tiling);
  hccl.SetCcTilingV2(offsetof(Tiling, first));
  auto* item = reinterpret_cast<__gm__ BatchWriteItem*>(items);
  for (uint32_t i = 0; i < 2; ++i) {
    const auto from = uint64_t(x + i * bytes), to = uint64_t(y + (1 - i) * bytes);
    item[i].type = 0;
    item[i].length = bytes;
    item[i].srcAddrLow = uint32_t(from);
    item[i].srcAddrHigh = uint32_t(from >> 32);
    item[i].dstAddrLow = uint32_t(to);
    item[i].dstAddrHigh = uint32_t(to >> 32);
  }
  hccl.BatchWrite<true>(items, 1U, 0U);
  hccl.BatchWrite<true>(items + sizeof(BatchWriteItem), 1U, 1U);
  for (uint16_t i = 0; i < hccl.GetQueueNum(); ++i) hccl.QueueBarrier<ScopeType::ALL>(i);
  hccl.Finalize<false>();
}

// `count` items, which are all zeros, on a queue of two.
extern "C" __global__ __aicore__ void empty_items(GM_ADDR items, uint32_t count, uint32_t queue) {
  const Tiling tiling = tiling_of(HCCL_CMD_BATCH_WRITE, 0, 2);
  Hccl hccl;
  hccl.InitV2(GetHcclContext<0>(), &tiling);
  hccl.SetCcTilingV2(offsetof(Tiling, first));
  hccl.BatchWrite<true>(items, count, uint16_t(queue));
  hccl.Finalize<false>();
}

// Each core doubles its part of x into `mid`; when all have, core `sender` sends `mid` to `got`,
// and each core copies its part of that to y. `leaves`: which statement is left out.
static constexpr HcclServerConfig kSecond = {CoreType::ON_AIV, 1};

template <class Server>
__aicore__ inline void through_all(GM_ADDR x, GM_ADDR mid, GM_ADDR got, GM_ADDR y,
                                   uint32_t leaves) {
  constexpr uint32_t kPart = 64;
  const Tiling tiling = tiling_of(HCCL_CMD_ALLREDUCE);
  Server hccl;
  hccl.InitV2(GetHcclContext<0>(), &tiling);
  hccl.SetCcTilingV2(offsetof(Tiling, first));
  const uint32_t count = kPart * uint32_t(GetBlockNum());
  const auto handle = hccl.AllReduce(mid, got, count, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM);
  const uint32_t start = kPart * uint32_t(GetBlockIdx());
  GlobalTensor<float> from, between, back, to;
  from.SetGlobalBuffer((__gm__ float*)x + start, kPart);
  between.SetGlobalBuffer((__gm__ float*)mid + start, kPart);
  // Of the next core.
  back.SetGlobalBuffer((__gm__ float*)got + (start + kPart) % count, kPart);
  to.SetGlobalBuffer((__gm__ float*)y + start, kPart);
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, kPart * sizeof(float));
  LocalTensor<float> ub = buffer.Get<float>();
  DataCopy(ub, from, kPart);
  PipeBarrier<PIPE_ALL>();
  Muls(ub, ub, 2.0f, kPart);
  PipeBarrier<PIPE_ALL>();
  DataCopy(between, ub, kPart);
  if (leaves != 1) SyncAll();
  hccl.Commit(handle);
  if (leaves != 2) hccl.Wait(handle);
  DataCopy(ub, back, kPart);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, ub, kPart);
  SyncAll();
  if (leaves != 3) hccl.Finalize();
}
extern "C" __global__ __aicore__ void through_first(GM_ADDR x, GM_ADDR mid, GM_ADDR got, GM_ADDR y,
                                                    uint32_t leaves) {
  through_all<Hccl<>>(x, mid, got, y, leaves);
}
extern "C" __global__ __aicore__ void through_second(GM_ADDR x, GM_ADDR mid, GM_ADDR got, GM_ADDR y,
                                                     uint32_t leaves) {
  through_all<Hccl<HCCL_SERVER_TYPE_AICPU, kSecond>>(x, mid, got, y, leaves);
}

// What there is to ask, and the windows.
extern "C" __global__ __aicore__ void asks(GM_ADDR x, GM_ADDR y) {
  const Tiling tiling = tiling_of(HCCL_CMD_ALLREDUCE);
  Hccl hccl;
  hccl.Init(GetHcclContext<1>());
  GM_ADDR in = hccl.GetWindowsInAddr(0);
  GM_ADDR out = hccl.GetWindowsOutAddr(0);
  const auto to_window = hccl.AllReduce<true>(x, in, 8, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_MIN, 2);
  const int32_t done = hccl.Query(to_window);
  const auto back = hccl.AllGather<true>(in, y, 16, HCCL_DATA_TYPE_INT32, 0);
  hccl.Wait(to_window);
  hccl.Wait(to_window);
  hccl.Wait(back);
  GlobalTensor<int32_t> numbers;
  numbers.SetGlobalBuffer((__gm__ int32_t*)y + 16, 8);
  numbers.SetValue(0, hccl.GetRankId());
  numbers.SetValue(1, hccl.GetRankDim());
  numbers.SetValue(2, done);
  numbers.SetValue(3, to_window);
  numbers.SetValue(4, back);
  numbers.SetValue(5, hccl.GetWindowsInAddr(1) == nullptr && in != out && out != nullptr);
  SetHcclContext<0>(GetHcclContext<1>());
  numbers.SetValue(6, GetHcclContext<0>() == GetHcclContext<1>());
  numbers.SetValue(7, hccl.Query(back));
  hccl.Finalize();
}

// Steps of an AlltoAllV, and tasks of a group that wait for one of the other: committed in the
// wrong order.
extern "C" __global__ __aicore__ void steps_and_groups(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
  const Tiling tiling = tiling_of(HCCL_CMD_ALLTOALLV);
  Hccl first, second;
  first.InitV2(GetHcclContext<0>(), &tiling);
  second.InitV2(GetHcclContext<1>(), &tiling);
  first.SetCcTilingV2(offsetof(Tiling, first));
  second.SetCcTilingV2(offsetof(Tiling, first));
  uint64_t counts[] = {8}, places[] = {0};
  const auto type = HCCL_DATA_TYPE_INT32;
  const auto one = first.AlltoAllV(x, counts, places, type, y, counts, places, type, 2);
  second.InterHcclGroupSync(0, one);
  const auto other = second.AlltoAllV<true>(y, counts, places, type, z, counts, places, type, 2);
  uint16_t slice = 9;
  uint32_t steps = 0;
  while (first.Iterate<false>(one, &slice, 1) > 0) {
    first.Commit(one);
    steps += 1 + slice;
  }
  for (uint32_t i = 0; i < steps; ++i) first.Wait(one);
  while (second.Iterate(other, &slice, 1) > 0) ++steps;
  if (steps != 4) trap();
  first.Finalize();
  second.Finalize();
}

// One mistake each.
extern "C" __global__ __aicore__ void mistakes(GM_ADDR x, GM_ADDR y, uint32_t how) {
  const Tiling tiling = tiling_of(HCCL_CMD_ALLREDUCE);
  Hccl hccl;
  HcclHandle handle = 0;
  if (how == 1) handle = hccl.AllReduce(x, y, 8, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM);
  if (how == 2) hccl.InitV2(x, &tiling);
  if (how == 3) hccl.InitV2(GetHcclContext<0>(), nullptr);
  if (how == 4) hccl.InitV2(GetHcclContext<0>(), y);
  if (how <= 4) return;
  hccl.InitV2(GetHcclContext<0>(), &tiling);
  if (how == 5) handle = hccl.AllReduce(x, y, 8, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM);
  if (how == 6) handle = hccl.SetCcTiling(x) == HCCL_FAILED ? -1 : 0;
  hccl.SetCcTilingV2(offsetof(Tiling, first));
  if (how == 7) handle = hccl.AllReduce(x, y, 8, HCCL_DATA_TYPE_INT64, HCCL_REDUCE_SUM);
  if (how == 8) handle = hccl.AllReduce(x, y, 8, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_PROD);
  if (how == 9) handle = hccl.AllGather(x, y, 8, HCCL_DATA_TYPE_FP32, 0);
  if (how == 10) hccl.Commit(0);
  if (how == 11) handle = hccl.Wait(INVALID_HANDLE_ID);
  if (how == 12) {
    for (int i = 0; i < 63; ++i) {
      hccl.AllReduce<true>(x, y, 8, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM);
    }
    handle = hccl.AllReduce<true>(x, y, 8, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM);
  }
  if (how >= 13 && how <= 18) {
    const auto one = hccl.AllReduce<true>(x, y, 4, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM);
    const auto two = hccl.AllReduce(x, y, 4, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, 2);
    if (how == 13) hccl.Commit(one);
    if (how != 14) hccl.Commit(two);
    hccl.Commit(two);
    if (how == 15) handle = hccl.Wait(two);
    if (how != 14) hccl.Wait(one);
    if (how == 16) handle = hccl.Wait(one);
    if (how == 17) Hccl<>().InitV2(GetHcclContext<0>(), &tiling);
    if (how == 18) handle = hccl.Wait(two), hccl.Wait(two), handle = hccl.Wait(two);
  }
  if (how == 19) handle = hccl.AllReduce(y, x, 4096, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, 1);
  if (how == 19) hccl.Commit(handle);
  if (how == 20) handle = hccl.AllReduce(x, y, 8, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, 0);
  if (how == 21) hccl.Wait(hccl.AllReduce(x, y, 8, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM));
  if (how == 22) hccl.AlltoAllvWrite(x, x, x, 0, 0);
  if (how == 23) hccl.GetQueueNum();
  if (how == 24) hccl.AllReduce<true>(x, y, 8, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM);
  if (how == 24) return;
  hccl.Finalize();
  if (how == 25) hccl.Commit(0);
  GlobalTensor<int32_t> result;
  result.SetGlobalBuffer((__gm__ int32_t*)y, 64);
  result.SetValue(63, handle);
}

// All cores write the start of one window, which nothing orders.
extern "C" __global__ __aicore__ void meets(GM_ADDR x) {
  const Tiling tiling = tiling_of(HCCL_CMD_ALLREDUCE);
  Hccl hccl;
  hccl.Init(GetHcclContext<0>());
  GlobalTensor<int32_t> from, window;
  from.SetGlobalBuffer((__gm__ int32_t*)x, 16);
  window.SetGlobalBuffer((__gm__ int32_t*)hccl.GetWindowsInAddr(0), 16);
  const LocalTensor<int32_t> numbers(TPosition::VECCALC, 0, 16);
  DataCopy(numbers, from, 16);
  PipeBarrier<PIPE_ALL>();
  Adds(numbers, numbers, int32_t(GetBlockIdx()), 16);
  PipeBarrier<PIPE_ALL>();
  DataCopy(window, numbers, 16);
  hccl.Finalize();
}
