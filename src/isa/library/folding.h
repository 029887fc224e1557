// Rows of floats folded down to one number, as ReduceSum and LayerNorm do it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace vinci::library {

struct Sum {
  static float of(float a, float b) { return a + b; }
};
struct Product {
  static float of(float a, float b) { return a * b; }
};
struct Largest {
  static float of(float a, float b) { return a != a ? a : b != b ? b : a > b ? a : b; }
};
struct Smallest {
  static float of(float a, float b) { return a != a ? a : b != b ? b : a < b ? a : b; }
};

// Neighbours, and neighbours of their results, down to one: n is a power of two.
template <class Op>
float tree(float* x, uint32_t n) {
  for (; n > 1; n /= 2) {
    for (uint32_t i = 0; i < n / 2; ++i) x[i] = Op::of(x[2 * i], x[2 * i + 1]);
  }
  return x[0];
}
// The largest power of two that is less than n.
inline uint32_t power_below(uint32_t n) {
  const uint32_t power = std::bit_floor(n);
  return power == n ? power / 2 : power;
}

// Up to 64 numbers: neighbours; more: what is behind a power of two is added onto the front.
template <class Op>
float reduce_row(float* x, uint32_t n, float neutral) {
  if (n <= 64) {
    const uint32_t lanes = n <= 8 ? 8 : 64;
    std::fill(x + n, x + lanes, neutral);
    return tree<Op>(x, lanes);
  }
  const uint32_t power = power_below(n);
  for (uint32_t i = power; i < n; ++i) x[i - power] = Op::of(x[i - power], x[i]);
  return tree<Op>(x, power);
}

}  // namespace vinci::library
