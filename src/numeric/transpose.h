// Transposes squares of small elements in registers: 4x4 of 32 bits, 8x8 of 16, 16x16 of 8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace vinci {

template <class T>
struct RegisterOf {
  using type [[gnu::vector_size(16)]] = T;
};

template <class T, size_t... kIndex>
void transpose_square(const uint8_t* in, size_t in_pitch, uint8_t* out, size_t out_pitch,
                      std::index_sequence<kIndex...>) {
  constexpr size_t kCount = sizeof...(kIndex);
  typename RegisterOf<T>::type rows[kCount], next[kCount];
#pragma GCC unroll 16
  for (size_t row = 0; row < kCount; ++row) {
    std::memcpy(&rows[row], in + row * in_pitch, sizeof(rows[row]));
  }
  // To interleave the first half of all elements with the second rotates the bits of their index
  // by one; after log2(kCount) rounds, row and column have changed places.
#pragma GCC unroll 4
  for (size_t round = 1; round < kCount; round *= 2) {
#pragma GCC unroll 8
    for (size_t row = 0; row < kCount / 2; ++row) {
      const auto first = rows[row], second = rows[row + kCount / 2];
      next[2 * row] = __builtin_shufflevector(first, second, (kIndex / 2 + kIndex % 2 * kCount)...);
      next[2 * row + 1] = __builtin_shufflevector(
          first, second, (kCount / 2 + kIndex / 2 + kIndex % 2 * kCount)...);
    }
    std::memcpy(rows, next, sizeof(rows));
  }
#pragma GCC unroll 16
  for (size_t row = 0; row < kCount; ++row) {
    std::memcpy(out + row * out_pitch, &rows[row], sizeof(rows[row]));
  }
}

// `in` is a matrix of `rows` x `columns` elements, both multiples of 16 / sizeof(T), without gaps;
// `out` becomes its transpose.
template <class T>
void transpose(const uint8_t* in, size_t rows, size_t columns, uint8_t* out) {
  constexpr size_t kCount = 16 / sizeof(T);
  for (size_t row = 0; row < rows; row += kCount) {
    for (size_t column = 0; column < columns; column += kCount) {
      transpose_square<T>(in + (row * columns + column) * sizeof(T), columns * sizeof(T),
                          out + (column * rows + row) * sizeof(T), rows * sizeof(T),
                          std::make_index_sequence<kCount>());
    }
  }
}

}  // namespace vinci
