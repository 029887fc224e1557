// The record of set_atomic_add and its kind, which say nothing of a type.
#pragma once

#include "vinci/record.h"

namespace vinci {

// 1, 2, 3: copies into GM add, keep the larger, keep the smaller.
struct SetAtomicOpRecord : Record {
  uint8_t op = 1;
};

}  // namespace vinci
