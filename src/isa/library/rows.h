// Rows of half or float numbers in UB, as floats.
#pragma once

#include <vector>

#include "isa/library/frame.h"
#include "kernel/half_array.h"
#include "numeric/convert.h"
#include "numeric/elementary.h"

namespace vinci::library {

// How a float becomes a half: chips before Atlas A2 round ties to even, later ones away from 0.
inline Round last_rounding(const State& state) {
  return state.soc.has(Feature::kFloatSaturates) ? Round::kRint : Round::kRound;
}

inline float number_at(const uint8_t* from, DType type, uint64_t index) {
  if (type == DType::kHalf) {
    uint16_t bits;
    std::memcpy(&bits, from + index * 2, 2);
    return float_of_half(bits);
  }
  float number;
  std::memcpy(&number, from + index * 4, 4);
  return number;
}
inline void put_number(float number, uint8_t* to, DType type, uint64_t index, const State& state) {
  if (type == DType::kHalf) {
    const auto overflow =
        state.registers.overflow.floats_saturate ? Overflow::kSaturate : Overflow::kWrapOrInf;
    const uint16_t bits = convert<half, float>(number, last_rounding(state), overflow);
    std::memcpy(to + index * 2, &bits, 2);
  } else {
    const float canonical = number != number ? __builtin_nanf("") : number;
    std::memcpy(to + index * 4, &canonical, 4);
  }
}

// `rows` rows of `columns`, row after row; or in NZ, 16 columns after the other.
struct Matrix {
  DType type;
  uint32_t rows, columns;
  bool nz = false;

  uint64_t index(uint32_t row, uint32_t column) const {
    return nz ? (uint64_t(column / 16) * rows + row) * 16 + column % 16
              : uint64_t(row) * columns + column;
  }
  void load(const uint8_t* from, uint32_t row, uint32_t n, float* to) const {
    if (!nz && type == DType::kFloat) {
      std::memcpy(to, from + index(row, 0) * 4, n * sizeof(float));
    } else {
      for (uint32_t i = 0; i < n; ++i) to[i] = number_at(from, type, index(row, i));
    }
  }
  void store(const float* from, uint32_t row, uint32_t n, uint8_t* to, const State& state) const {
    for (uint32_t i = 0; i < n; ++i) put_number(from[i], to, type, index(row, i), state);
  }
};

// Parts of the first n columns of each row.
template <class Add>
void add_matrix(const Matrix& matrix, uint32_t n, Add add) {
  const uint64_t bytes = bits_of(matrix.type) / 8;
  if (!matrix.nz) return add(n * bytes, matrix.rows, matrix.columns * bytes, 0);
  if (n >= 16)
    add(uint64_t(matrix.rows) * 16 * bytes, n / 16, uint64_t(matrix.rows) * 16 * bytes, 0);
  if (n % 16 != 0) {
    add(n % 16 * bytes, matrix.rows, 16 * bytes, uint64_t(n / 16) * matrix.rows * 16 * bytes);
  }
}
inline void read_matrix(Parts& parts, const char* name, const Operand& operand,
                        const Matrix& matrix, uint32_t n) {
  add_matrix(matrix, n, [&](uint64_t bytes, uint64_t rows, uint64_t pitch, uint64_t offset) {
    parts.read(name, operand, bytes, rows, pitch, offset);
  });
}
inline void write_matrix(Parts& parts, const char* name, const Operand& operand,
                         const Matrix& matrix, uint32_t n) {
  add_matrix(matrix, n, [&](uint64_t bytes, uint64_t rows, uint64_t pitch, uint64_t offset) {
    parts.write(name, operand, bytes, rows, pitch, offset);
  });
}

// Neighbours, and neighbours of their sums, down to one.
inline float sum_of_neighbours(float* x, unsigned count) {
  for (; count > 1; count /= 2) {
    for (unsigned i = 0; i < count / 2; ++i) x[i] = x[2 * i] + x[2 * i + 1];
  }
  return x[0];
}
// 64 columns after the other are added element by element, then neighbours.
inline float sum_of_row(const float* x, uint32_t n) {
  alignas(64) float sums[64];
  for (unsigned i = 0; i < 64; ++i) sums[i] = i < n ? x[i] : -0.0f;
  uint32_t done = std::min<uint32_t>(n, 64);
  for (; done + 64 <= n; done += 64) {
    VINCI_LANE_LOOP
    for (unsigned i = 0; i < 64; ++i) sums[i] += x[done + i];
  }
  for (unsigned i = 0; done + i < n; ++i) sums[i] += x[done + i];
  return sum_of_neighbours(sums, 64);
}
// NaN if one is.
inline float largest_of_row(const float* x, uint32_t n) {
  float most = -__builtin_inff();
  bool nan = false;
  for (uint32_t i = 0; i < n; ++i) {
    most = x[i] > most ? x[i] : most;
    nan |= x[i] != x[i];
  }
  return nan ? __builtin_nanf("") : most;
}

}  // namespace vinci::library
