#include "kernel/special_numbers.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace vinci {
namespace {

// Those with an exponent of ones, and no fraction, or one. Mostly there are none. As signed
// integers: the host has instructions for their maximum.
template <class Int>
SpecialNumbers with_exponent(const void* from, uint64_t count, Int exponent) {
  const auto* bytes = static_cast<const uint8_t*>(from);
  const auto magnitude = [&](uint64_t i) {
    Int bits;
    std::memcpy(&bits, bytes + i * sizeof(bits), sizeof(bits));
    return Int(bits & std::numeric_limits<Int>::max());
  };
  Int largest = 0;
  for (uint64_t i = 0; i < count; ++i) largest = std::max(largest, magnitude(i));
  if (largest < exponent) return {};
  uint64_t all = 0, nans = 0;
  for (uint64_t i = 0; i < count; ++i) {
    all += magnitude(i) >= exponent;
    nans += magnitude(i) > exponent;
  }
  return {all - nans, nans};
}

}  // namespace

SpecialNumbers special_numbers(const void* from, uint64_t count, DType dtype) {
  switch (dtype) {
    case DType::kFloat: return with_exponent<int32_t>(from, count, 0x7F800000);
    case DType::kHalf: return with_exponent<int16_t>(from, count, 0x7C00);
    case DType::kBfloat16: return with_exponent<int16_t>(from, count, 0x7F80);
    default: return {};
  }
}

}  // namespace vinci
