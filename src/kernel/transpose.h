// Transposition of squares whose rows have 32 bytes, the shape in which the matrix path transposes
// data.
//
// Written with the compilers' vector types: each host gets its own shuffles, all the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "kernel/fractal.h"

namespace vinci::fractal {

#if defined(__AVX2__)
inline constexpr unsigned kLanes = 2;
#else
inline constexpr unsigned kLanes = 1;
#endif

// kLanes times 16 bytes, each of another row.
template <class T>
struct Lanes {
  static constexpr unsigned kElements = 16 / sizeof(T);  // of a lane
  static constexpr std::make_index_sequence<kElements * kLanes> kAll{};
  typedef T Lane __attribute__((vector_size(16)));
  typedef T Vector __attribute__((vector_size(16 * kLanes)));

  Vector v;

  // The rows are `pitch` bytes apart.
  static Lanes load(const uint8_t* from, uint64_t pitch) { return load(from, pitch, kAll); }
  void store(uint8_t* to) const { std::memcpy(to, &v, sizeof(v)); }
  // From the first, or the second, half of each lane: an element of a, one of b, and so on.
  static Lanes zip_low(Lanes a, Lanes b) { return zip<0>(a, b, kAll); }
  static Lanes zip_high(Lanes a, Lanes b) { return zip<kElements / 2>(a, b, kAll); }

 private:
  template <std::size_t... i>
  static Lanes load(const uint8_t* from, uint64_t pitch, std::index_sequence<i...>) {
    Lane first, last;
    std::memcpy(&first, from, sizeof(first));
    std::memcpy(&last, from + pitch * (kLanes - 1), sizeof(last));
    return {__builtin_shufflevector(first, last, i...)};
  }
  template <unsigned kFirst, std::size_t... i>
  static Lanes zip(Lanes a, Lanes b, std::index_sequence<i...>) {
    return {__builtin_shufflevector(
        a.v, b.v,
        (i / kElements * kElements + kFirst + i % kElements / 2 + i % 2 * kElements * kLanes)...)};
  }
};

// The left half (src) or the right half (src + 16) of a square of 32 / sizeof(T) rows, 32 bytes
// apart, becomes 16 / sizeof(T) rows of 32 bytes, `dst_pitch` bytes apart.
template <class T>
void transpose_half(const uint8_t* src, uint8_t* dst, uint64_t dst_pitch) {
  constexpr unsigned kSide = Lanes<T>::kElements;
  for (unsigned lane = 0; lane < 2; lane += kLanes) {
    Lanes<T> rows[kSide], next[kSide];
    for (unsigned r = 0; r < kSide; ++r) {
      rows[r] = Lanes<T>::load(src + (lane * kSide + r) * kRowBytes, kSide * kRowBytes);
    }
    // Zipping the upper half of n rows with the lower half, log n times, transposes them.
    for (unsigned stage = 1; stage < kSide; stage *= 2) {
      for (unsigned i = 0; i < kSide / 2; ++i) {
        next[2 * i] = Lanes<T>::zip_low(rows[i], rows[i + kSide / 2]);
        next[2 * i + 1] = Lanes<T>::zip_high(rows[i], rows[i + kSide / 2]);
      }
      for (unsigned i = 0; i < kSide; ++i) rows[i] = next[i];
    }
#pragma GCC unroll 16
    for (unsigned r = 0; r < kSide; ++r) rows[r].store(dst + r * dst_pitch + lane * 16);
  }
}

// A square of 32x32 (T of 8 bits), 16x16 (16 bits) or 8x8 elements (32 bits).
template <class T>
void transpose_square(const uint8_t* src, uint8_t* dst) {
  transpose_half<T>(src, dst, kRowBytes);
  transpose_half<T>(src + 16, dst + Lanes<T>::kElements * kRowBytes, kRowBytes);
}

// A square of 64x64 elements of 4 bits. Two rows at a time make a row of bytes that holds their
// even columns and one that holds their odd columns; these are two squares of bytes.
inline void transpose_square_int4(const uint8_t* src, uint8_t* dst) {
  constexpr unsigned kSide = 32;
  uint8_t even[kSide][kRowBytes], odd[kSide][kRowBytes];
  for (unsigned i = 0; i < kSide; ++i) {
    const uint8_t* upper = src + 2 * i * kRowBytes;
    const uint8_t* lower = upper + kRowBytes;
    for (unsigned j = 0; j < kRowBytes; ++j) {
      even[i][j] = uint8_t((upper[j] & 0x0F) | lower[j] << 4);
      odd[i][j] = uint8_t(upper[j] >> 4 | (lower[j] & 0xF0));
    }
  }
  for (unsigned half = 0; half < 2; ++half, dst += kSide * kRowBytes) {
    transpose_half<uint8_t>(even[0] + 16 * half, dst, 2 * kRowBytes);
    transpose_half<uint8_t>(odd[0] + 16 * half, dst + kRowBytes, 2 * kRowBytes);
  }
}

}  // namespace vinci::fractal
