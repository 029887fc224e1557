// What both sides of a GroupBarrier want: 512 bytes for each core that waits, with a word for each
// core that arrives.
#pragma once

#include "isa/sync/workspace.h"

namespace vinci::sync {

inline constexpr uint64_t kGroupPlaceBytes = 512;
inline constexpr int64_t kMostArrivers = kGroupPlaceBytes / sizeof(int32_t);
inline constexpr int32_t kMostGroupRounds = 1048575;
inline constexpr Support kGroupChips[] = {{kArch2201, setter::kNoElements, true, kAscendC}};

inline void check_group(const GroupBarrierRecord& record, Check& check) {
  if (!takes_part(check)) return;
  check.range("arriveSize", record.arrivers, 1, kMostArrivers);
  check.range("waitSize", record.waiters, 1, 65535);
  if (record.workspace % kGroupPlaceBytes != 0) {
    check.fail(Code::kMisaligned, fmt::format("groupWorkspace is at {:#x}", record.workspace),
               "a multiple of 512 bytes");
  }
}

inline int32_t* group_word(const GroupBarrierRecord& record, uint64_t waiter, uint64_t arriver) {
  return reinterpret_cast<int32_t*>(record.workspace + waiter * kGroupPlaceBytes) + arriver;
}

// Whether GM has the words, and they are counts.
inline bool group_is_ready(const GroupBarrierRecord& record, Core& core) {
  const Operand all{record.workspace, kUnknownExtent, 0, Position::GM, DType::kNone};
  if (!has_room(core, "groupWorkspace", all, record.waiters * kGroupPlaceBytes)) return false;
  for (uint32_t waiter = 0; waiter < record.waiters; ++waiter) {
    for (uint32_t arriver = 0; arriver < record.arrivers; ++arriver) {
      if (!is_count(core, group_word(record, waiter, arriver), kMostGroupRounds)) return false;
    }
  }
  return true;
}

}  // namespace vinci::sync
