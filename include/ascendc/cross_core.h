// Between cores: the raw forms of flags, barriers and events by way of GM, the scalar unit's cache.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ascendc/sync.h"
#include "ascendc/tensor.h"

namespace vinci::isa {
extern const Instruction data_cache_clean_and_invalid, data_sync_barrier, dcci, group_arrive,
    group_wait, ib_set, ib_wait, init_determine_compute_workspace, notify_next_block,
    sync_all_workspace, wait_pre_block;
}  // namespace vinci::isa

// CrossCoreSetFlag and CrossCoreWaitFlag as the chip has them: bits 4 and 5 of the message are the
// mode, 8 to 11 the flag, bit 0 is 1.
inline void ffts_cross_core_sync(pipe_t pipe, uint64_t message) {
  if ((message & 1) == 0) {
    vinci::bad_argument("ffts_cross_core_sync", "the message", int64_t(message),
                        "1 | mode << 4 | flag << 8");
  }
  vinci::issue(vinci::CrossCoreSetRecord{{&vinci::isa::cross_core_set_flag},
                                         uint32_t(message >> 4 & 3),
                                         uint32_t(message >> 8 & 15),
                                         uint32_t(pipe)});
}
inline void wait_flag_dev(int64_t flag) {
  vinci::issue(vinci::CrossCoreWaitRecord{{&vinci::isa::cross_core_wait_flag}, uint32_t(flag)});
}
// Where the flags lie is the chip's affair.
inline void set_ffts_base_addr(uint64_t) {}

enum cache_line_t : uint8_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum dcci_dst_t : uint8_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
enum mem_dsb_t : uint8_t { DSB_ALL, DSB_DDR, DSB_UB, DSB_SEQ };

template <class Cache>
inline void dcci(const volatile void*, Cache cache) {
  vinci::issue(vinci::CacheRecord{{&vinci::isa::dcci}, uint32_t(cache)});
}
template <class Cache, class Target>
inline void dcci(const volatile void*, Cache cache, Target target) {
  vinci::issue(vinci::CacheRecord{{&vinci::isa::dcci}, uint32_t(cache), uint32_t(target)});
}
inline void dsb(mem_dsb_t what) {
  vinci::issue(vinci::DataSyncRecord{{&vinci::isa::data_sync_barrier}, uint32_t(what)});
}

namespace AscendC {

inline void SetSyncBaseAddr(uint64_t) {}

// A barrier by way of GM, of the first usedCores vector cores; 0: of all.
template <bool isAIVOnly = true>
inline void SyncAll(const GlobalTensor<int32_t>& gmWorkspace,
                    const LocalTensor<int32_t>& ubWorkspace, const int32_t usedCores = 0) {
  static_assert(isAIVOnly, "SyncAll with a workspace is for vector cores only");
  vinci::issue(vinci::SyncWorkspaceRecord{
      {&vinci::isa::sync_all_workspace}, gmWorkspace.operand(), ubWorkspace.operand(), usedCores});
}

template <bool isAIVOnly = true>
inline void IBSet(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace,
                  int32_t blockIdx, int32_t eventID) {
  vinci::issue(vinci::BlockEventRecord{{&vinci::isa::ib_set},
                                       gmWorkspace.operand(),
                                       ubWorkspace.operand(),
                                       blockIdx,
                                       eventID,
                                       isAIVOnly});
}
template <bool isAIVOnly = true>
inline void IBWait(const GlobalTensor<int32_t>& gmWorkspace,
                   const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx, int32_t eventID) {
  vinci::issue(vinci::BlockEventRecord{{&vinci::isa::ib_wait},
                                       gmWorkspace.operand(),
                                       ubWorkspace.operand(),
                                       blockIdx,
                                       eventID,
                                       isAIVOnly});
}

// Between the last two vector cores run in the order of their indices, round after round.
inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gmWorkspace,
                                          LocalTensor<int32_t>& ubWorkspace) {
  vinci::issue(vinci::BlockOrderRecord{{&vinci::isa::init_determine_compute_workspace},
                                       gmWorkspace.operand(),
                                       ubWorkspace.operand()});
}
inline void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) {
  vinci::issue(vinci::BlockOrderRecord{
      {&vinci::isa::wait_pre_block}, gmWorkspace.operand(), ubWorkspace.operand()});
}
inline void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace) {
  vinci::issue(vinci::BlockOrderRecord{
      {&vinci::isa::notify_next_block}, gmWorkspace.operand(), ubWorkspace.operand()});
}

enum class PipeMode : uint8_t { SCALAR_MODE = 0, MTE3_MODE = 1, MAX };

// Some vector cores arrive, others wait for all of them.
template <PipeMode pipeMode>
class GroupBarrier {
  static_assert(pipeMode == PipeMode::MTE3_MODE, "GroupBarrier: MTE3_MODE only");

 public:
  GroupBarrier(GM_ADDR groupWorkspace, uint32_t arriveSizeIn, uint32_t waitSizeIn)
      : record_{{}, reinterpret_cast<uint64_t>(groupWorkspace), arriveSizeIn, waitSizeIn, 0, 0} {}
  void Arrive(uint32_t arriveIndex) {
    record_.instruction = &vinci::isa::group_arrive;
    record_.index = arriveIndex;
    vinci::issue(record_);
  }
  void Wait(uint32_t waitIndex) {
    record_.instruction = &vinci::isa::group_wait;
    record_.index = waitIndex;
    ++record_.round;
    vinci::issue(record_);
  }
  // Bytes.
  uint64_t GetWorkspaceLen() const { return uint64_t(record_.waiters) * 512; }

 private:
  vinci::GroupBarrierRecord record_;
};

// Hints for kernels that run one behind the other.
template <pipe_t aivPipe = PIPE_MTE3, pipe_t aicPipe = PIPE_FIX, bool force = false>
inline void SetNextTaskStart() {}
template <bool force = false>
inline void WaitPreTaskEnd() {}

enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t {
  CACHELINE_ALL = 0,
  CACHELINE_UB,
  CACHELINE_OUT,
  CACHELINE_ATOMIC,
};
enum class MemDsbT : uint64_t { ALL = 0, DDR, UB, SEQ };

namespace in_api {
inline void clean_cache(CacheLine lines, uint32_t target = vinci::CacheRecord::kNoTarget) {
  vinci::issue(
      vinci::CacheRecord{{&vinci::isa::data_cache_clean_and_invalid}, uint32_t(lines), target});
}
}  // namespace in_api

template <class T, CacheLine entireType, DcciDst dcciDst>
inline void DataCacheCleanAndInvalid(const GlobalTensor<T>&) {
  in_api::clean_cache(entireType, uint32_t(dcciDst));
}
template <class T, CacheLine entireType, DcciDst dcciDst>
inline void DataCacheCleanAndInvalid(const LocalTensor<T>&) {
  in_api::clean_cache(entireType, uint32_t(dcciDst));
}
template <class T, CacheLine entireType>
inline void DataCacheCleanAndInvalid(const GlobalTensor<T>&) {
  in_api::clean_cache(entireType);
}

template <MemDsbT what>
inline void DataSyncBarrier() {
  dsb(mem_dsb_t(what));
}

// An integer in GM past the scalar unit's cache.
template <class T>
inline T ReadGmByPassDCache(__gm__ T* addr) {
  static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>, "integers of 8 to 64 bits");
  if (!vinci::require_split_chip("ReadGmByPassDCache")) return T{};
  GlobalTensor<std::remove_const_t<T>> tensor;
  tensor.SetGlobalBuffer(const_cast<std::remove_const_t<T>*>(addr));
  return tensor.GetValue(0);
}
template <class T>
inline void WriteGmByPassDCache(__gm__ T* addr, T value) {
  static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>, "integers of 8 to 64 bits");
  if (!vinci::require_split_chip("WriteGmByPassDCache")) return;
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(addr);
  in_api::store_past_cache(tensor.operand(), 0, value);
}

}  // namespace AscendC
