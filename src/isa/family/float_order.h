// Halves and floats, as bits, in the order of the numbers.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

namespace vinci::vector {

template <class Bits>
inline constexpr Bits kInfinity = sizeof(Bits) == 2 ? 0x7C00 : 0x7F800000;

// Integers in the order of the numbers: -0 before +0, NaN behind all others. `from_top` reverses
// the order of numbers, and leaves NaN behind. No number gives the least integer.
template <class Bits>
std::make_signed_t<Bits> key_of(Bits bits, bool from_top) {
  using Key = std::make_signed_t<Bits>;
  constexpr Bits kMagnitude = std::numeric_limits<Key>::max();
  const Bits flipped = Bits(Key(bits) >> (8 * sizeof(Bits) - 1)) & kMagnitude;
  const Key key = Key(Key(bits ^ flipped) ^ (from_top ? Key(-1) : Key(0)));
  return (bits & kMagnitude) > kInfinity<Bits> ? Key(kMagnitude) : key;
}

}  // namespace vinci::vector
