// The 512-byte fractal: the unit in which the matrix path moves data.
#pragma once

#include <cstdint>
#include <cstring>

#include "numeric/whole.h"
#include "vinci/dtype.h"

namespace vinci::fractal {

inline constexpr uint64_t kBytes = 512;
inline constexpr unsigned kRows = 16;
inline constexpr uint64_t kRowBytes = 32;

// Elements in the 32 bytes of a row: C0, and K0 of the operands of a multiplication.
constexpr unsigned row_elements(DType type) { return kRowBytes * 8 / bits_of(type); }

// The compilers' own choices for these sizes are slower: halves of a register, a call, `rep movs`.
inline void copy_row(uint8_t* to, const uint8_t* from) {
  typedef uint8_t Row __attribute__((vector_size(kRowBytes)));
  Row row;
  std::memcpy(&row, from, kRowBytes);
  std::memcpy(to, &row, kRowBytes);
}
// Two rows, `to_pitch` and `from_pitch` bytes apart.
inline void copy_rows(uint8_t* to, uint64_t to_pitch, const uint8_t* from, uint64_t from_pitch) {
#if defined(__AVX512F__)
  if (to_pitch == kRowBytes) {  // a line of the host's cache in one store
    typedef uint64_t Row __attribute__((vector_size(kRowBytes)));
    Row first, second;
    std::memcpy(&first, from, kRowBytes);
    std::memcpy(&second, from + from_pitch, kRowBytes);
    const auto rows = __builtin_shufflevector(first, second, 0, 1, 2, 3, 4, 5, 6, 7);
    std::memcpy(to, &rows, sizeof(rows));
    return;
  }
#endif
  copy_row(to, from);
  copy_row(to + to_pitch, from + from_pitch);
}
inline void copy_fractal(uint8_t* to, const uint8_t* from) {
#pragma GCC unroll 16
  for (unsigned row = 0; row < kRows; ++row) copy_row(to + row * kRowBytes, from + row * kRowBytes);
}

}  // namespace vinci::fractal
