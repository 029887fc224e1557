// The place of an event of IBSet and IBWait, and the rules for both.
#pragma once

#include "isa/sync/workspace.h"

namespace vinci::sync {

inline void check_event(const BlockEventRecord& record, Check& check) {
  if (!takes_part(check)) return;
  check_places(record.gm, record.ub, check);
  check.range("eventID", record.event, 0, 65535);
}

// nullptr if the numbers do not fit the launch, or the word there is none of an event.
inline int32_t* event_word(const BlockEventRecord& record, Core& core) {
  const int64_t cores = core.block_count() * (record.vector_cores_only ? 1 : 2);
  if (record.block < 0 || record.block >= cores) {
    core.report(Code::kRange, fmt::format("{}: blockIdx is {}", core.who(), record.block),
                fmt::format("0..{}", cores - 1));
    return nullptr;
  }
  const auto place = uint64_t(cores * record.event + record.block);
  if (!has_room(core, "gmWorkspace", record.gm, (place + 1) * kPlaceBytes) ||
      !has_room(core, "ubWorkspace", record.ub, kPlaceBytes)) {
    return nullptr;
  }
  int32_t* word = place_of(record.gm, place);
  return is_count(core, word, 1) ? word : nullptr;
}

}  // namespace vinci::sync
