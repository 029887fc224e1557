// Whole units: how many, and how far they reach.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace vinci {

constexpr uint64_t ceil_div(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit; }

template <std::unsigned_integral T>
constexpr T round_up(T value, std::type_identity_t<T> unit) {
  return T(ceil_div(value, unit) * unit);
}

}  // namespace vinci
