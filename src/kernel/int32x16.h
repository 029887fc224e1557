// Sixteen 32-bit integers as one value, and the step of an integer dot product: pairs of 16-bit
// factors multiplied and added. Sums wrap modulo 2^32.
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace vinci {

#if defined(__AVX512BW__)

struct Int32x16 {
  static constexpr unsigned kInRegisters = 16;  // sums that fit beside their operands
  __m512i v;
  static Int32x16 load(const int32_t* from) { return {_mm512_loadu_si512(from)}; }
  void store(int32_t* to) const { _mm512_storeu_si512(to, v); }
  // Adds pair[0] * columns[2 * i] + pair[1] * columns[2 * i + 1] to lane i.
  void add_products(const int16_t* pair, const int16_t* columns) {
    int32_t both;
    std::memcpy(&both, pair, sizeof(both));
    v = _mm512_add_epi32(v,
                         _mm512_madd_epi16(_mm512_set1_epi32(both), _mm512_loadu_si512(columns)));
  }
};

#elif defined(__AVX2__)

struct Int32x16 {
  static constexpr unsigned kInRegisters = 6;
  __m256i low, high;
  static const __m256i* at(const void* from) { return static_cast<const __m256i*>(from); }
  static Int32x16 load(const int32_t* from) {
    return {_mm256_loadu_si256(at(from)), _mm256_loadu_si256(at(from + 8))};
  }
  void store(int32_t* to) const {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), low);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + 8), high);
  }
  void add_products(const int16_t* pair, const int16_t* columns) {
    int32_t both;
    std::memcpy(&both, pair, sizeof(both));
    const __m256i factor = _mm256_set1_epi32(both);
    low = _mm256_add_epi32(low, _mm256_madd_epi16(factor, _mm256_loadu_si256(at(columns))));
    high = _mm256_add_epi32(high, _mm256_madd_epi16(factor, _mm256_loadu_si256(at(columns + 16))));
  }
};

#else

struct Int32x16 {
  static constexpr unsigned kInRegisters = 4;
  using Lanes [[gnu::vector_size(64)]] = uint32_t;
  Lanes v;
  static Int32x16 load(const int32_t* from) {
    Int32x16 result;
    std::memcpy(&result.v, from, sizeof(result.v));
    return result;
  }
  void store(int32_t* to) const { std::memcpy(to, &v, sizeof(v)); }
  void add_products(const int16_t* pair, const int16_t* columns) {
    uint32_t sums[16];
    for (int i = 0; i < 16; ++i) {
      sums[i] = uint32_t(pair[0] * columns[2 * i]) + uint32_t(pair[1] * columns[2 * i + 1]);
    }
    Lanes added;
    std::memcpy(&added, sums, sizeof(added));
    v += added;
  }
};

#endif

}  // namespace vinci
