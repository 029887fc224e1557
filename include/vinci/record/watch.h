// The record of CheckLocalMemoryIA.
#pragma once

#include "vinci/record.h"

namespace vinci {

// Datablocks start + 1 to end of UB, not to be touched in these ways until `unit` is set again.
struct WatchRecord : Record {
  uint32_t unit, start, end;
  bool scalar_read, scalar_write, vector_read, vector_write, mte_read, mte_write, enabled;
};

}  // namespace vinci
