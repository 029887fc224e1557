// Numbers that are no numbers: infinities and NaNs in arrays of half, bfloat16 and float.
#pragma once

#include <cstdint>

#include "vinci/dtype.h"

namespace vinci {

struct SpecialNumbers {
  uint64_t infinities = 0, nans = 0;
};

// Among `count` numbers of any alignment; none of a type without them.
[[gnu::hot]] SpecialNumbers special_numbers(const void* from, uint64_t count, DType dtype);

}  // namespace vinci
