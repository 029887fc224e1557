// What the counterparts of element-wise instructions share: memory laid out as UB, numbers in it,
// and eight of them at once in a register of AVX2.
#pragma once

#include <immintrin.h>

#include <cstdint>
#include <random>

#include "kernel_operator.h"

namespace vinci::bench {

alignas(4096) inline uint8_t host_ub[256 << 10];

template <class T>
T* host_address(uint32_t byte) {
  return reinterpret_cast<T*>(host_ub + byte);
}

// Numbers spread evenly over least..most, the same each time.
template <class T>
void spread(T* to, uint32_t count, float least, float most) {
  std::mt19937 random(1);
  for (uint32_t i = 0; i < count; ++i) {
    to[i] = T(least + (most - least) * (float(random()) * 0x1p-32f));
  }
}

inline __m128i load_128(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}
inline __m256 load(const float* from) { return _mm256_loadu_ps(from); }
inline __m256 load(const half* from) { return _mm256_cvtph_ps(load_128(from)); }

inline void store_128(void* to, __m128i v) { _mm_storeu_si128(static_cast<__m128i*>(to), v); }
inline void store(float* to, __m256 v) { _mm256_storeu_ps(to, v); }
inline void store(half* to, __m256 v) {
  store_128(to, _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}

}  // namespace vinci::bench
