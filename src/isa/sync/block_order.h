// What InitDetermineComputeWorkspace, WaitPreBlock and NotifyNextBlock want of their workspaces.
#pragma once

#include "isa/sync/workspace.h"

namespace vinci::sync {

inline void check_order(const BlockOrderRecord& record, Check& check) {
  check_places(record.gm, record.ub, check);
}

inline bool order_has_room(const BlockOrderRecord& record, Core& core) {
  const uint64_t bytes = uint64_t(core.vector_cores()) * kPlaceBytes;
  return has_room(core, "gmWorkspace", record.gm, bytes) &&
         has_room(core, "ubWorkspace", record.ub, bytes + kPlaceBytes);
}

}  // namespace vinci::sync
