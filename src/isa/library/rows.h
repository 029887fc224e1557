// Rows of half or float numbers in UB, as floats.
#pragma once

#include <algorithm>
#include <vector>

#include "isa/family/reduce_lanes.h"
#include "isa/library/frame.h"
#include "kernel/convert_array.h"
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

// The same of n neighbours, as fast as the host allows.
inline void load_numbers(const uint8_t* from, DType type, uint64_t index, uint32_t n, float* to) {
  if (type == DType::kHalf) {
    floats_of_halves(reinterpret_cast<const uint16_t*>(from) + index, to, n);
  } else {
    std::memcpy(to, from + index * 4, n * sizeof(float));
  }
}
inline void store_numbers(const float* from, uint32_t n, uint8_t* to, DType type, uint64_t index,
                          const State& state) {
  if (type == DType::kHalf) {
    const auto overflow =
        state.registers.overflow.floats_saturate ? Overflow::kSaturate : Overflow::kWrapOrInf;
    const ConvertArray convert =
        convert_array(DType::kHalf, DType::kFloat, last_rounding(state), overflow);
    return convert(from, to + index * 2, n);
  }
  auto* floats = reinterpret_cast<float*>(to) + index;
  VINCI_LANE_LOOP
  for (uint32_t i = 0; i < n; ++i) floats[i] = from[i] != from[i] ? __builtin_nanf("") : from[i];
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
  // Calls f(column, numbers) for each run of neighbours among the first n columns of a row.
  template <class F>
  void for_each_run(uint32_t n, F f) const {
    const uint32_t most = nz ? 16 : n;
    for (uint32_t i = 0; i < n; i += most) f(i, std::min(most, n - i));
  }
  void load(const uint8_t* from, uint32_t row, uint32_t n, float* to) const {
    for_each_run(n, [&](uint32_t column, uint32_t count) {
      load_numbers(from, type, index(row, column), count, to + column);
    });
  }
  void store(const float* from, uint32_t row, uint32_t n, uint8_t* to, const State& state) const {
    for_each_run(n, [&](uint32_t column, uint32_t count) {
      store_numbers(from + column, count, to, type, index(row, column), state);
    });
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
// 64 columns after the other are added element by element, then neighbours. To begin with -0
// changes no number.
inline float sum_of_row(const float* x, uint32_t n) {
  constexpr unsigned kLanes = kFloatsIn<WideFloats>, kParts = 64 / kLanes;
  alignas(64) float last[64];
  for (float& number : last) number = -0.0f;
  WideFloats sums[kParts];
  for (WideFloats& sum : sums) sum = all_of<WideFloats>(-0.0f);
  const auto add = [&](const float* from) {
    for (unsigned i = 0; i < kParts; ++i) sums[i] += load_floats<WideFloats>(from + i * kLanes);
  };
  uint32_t done = 0;
  for (; done + 64 <= n; done += 64) add(x + done);
  if (done < n) {
    std::copy(x + done, x + n, last);
    add(last);
  }
  for (unsigned parts = kParts; parts > 1; parts /= 2) {
    for (unsigned i = 0; i < parts / 2; ++i) {
      const WideFloats low = sums[2 * i], high = sums[2 * i + 1];
      sums[i] = evens_of(low, high) + odds_of(low, high);
    }
  }
  WideFloats sum = sums[0];
  for (unsigned lanes = kLanes; lanes > 1; lanes /= 2) sum = evens_of(sum, sum) + odds_of(sum, sum);
  return sum[0];
}
// NaN if one is; of zeros the first.
inline float largest_of_row(const float* x, uint32_t n) {
  constexpr unsigned kLanes = kFloatsIn<WideFloats>;
  WideFloats most = all_of<WideFloats>(-__builtin_inff()), nan{};
  uint32_t done = 0;
  for (; done + kLanes <= n; done += kLanes) {
    const auto next = load_floats<WideFloats>(x + done);
    most = larger(next, most);
    nan = nan_with(next, next, nan);
  }
  bool found = any_nan(nan, nan);
  for (unsigned lanes = kLanes; lanes > 1; lanes /= 2) {
    most = larger(evens_of(most, most), odds_of(most, most));
  }
  float result = most[0];
  for (; done < n; ++done) {
    result = x[done] > result ? x[done] : result;
    found |= x[done] != x[done];
  }
  if (found) return __builtin_nanf("");
  return result == 0 ? *std::find(x, x + n, 0.0f) : result;
}

}  // namespace vinci::library
