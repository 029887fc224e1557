// Cast of 16384 numbers in UB, for every pair of types and mode of the 910B, against a loop of the
// instructions that AVX2 and F16C have for it, else against memcpy of the wider side.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>

#include "bench.h"
#include "host.h"

namespace vinci::bench {
namespace {

using AscendC::int4b_t;
using AscendC::LocalTensor;
using AscendC::RoundMode;
using AscendC::TPosition;

constexpr uint32_t kCount = 16384;
constexpr double kSeconds = 0.01;  // of a repetition: thousands of calls

template <class T>
constexpr uint32_t kBytes = bits_of(dtype_of<T>) * kCount / 8;

// Numbers within int8, so that only what becomes int4 or uint8 saturates.
template <class Src>
void fill(Src* src) {
  if constexpr (std::is_same_v<Src, int4b_t>) {
    spread(reinterpret_cast<uint8_t*>(src), kBytes<Src>, 0, 255);
  } else {
    spread(src, kCount, std::is_unsigned_v<Src> ? 0 : -100, 100);
  }
}

template <class Dst, class Src>
void vinci_cast(benchmark::State& state, RoundMode mode) {
  on_core(state, Checks::kOff, "Ascend910B1", [&](Device&) {
    const LocalTensor<Src> src(TPosition::VECIN, 0, kCount);
    const LocalTensor<Dst> dst(TPosition::VECOUT, kBytes<Src>, kCount);
    fill(src.GetPhyAddr());
    AscendC::SetDeqScale(half(0.5f));  // for int32 to half
    for (auto _ : state) {
      AscendC::Cast(dst, src, mode, kCount);
      benchmark::ClobberMemory();
    }
  });
}

// ---- the counterparts ----

template <class Dst, class Src>
void host_memcpy(benchmark::State& state) {
  constexpr uint32_t kWider = std::max(kBytes<Src>, kBytes<Dst>);
  for (auto _ : state) {
    std::memcpy(host_ub + sizeof(host_ub) / 2, host_ub, kWider);
    benchmark::ClobberMemory();
  }
}

__m256 floats(const float* from) { return load(from); }
__m256 floats(const half* from) { return load(from); }
__m256 floats(const bfloat16_t* from) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load_128(from)), 16));
}
__m256 floats(const int8_t* from) {
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i*)from)));
}
__m256 floats(const uint8_t* from) {
  return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i*)from)));
}
__m256 floats(const int16_t* from) {
  return _mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(load_128(from)));
}
__m256 floats(const int32_t* from) {
  return _mm256_cvtepi32_ps(_mm256_loadu_si256((const __m256i*)from));
}

// `rounding` is an immediate of vroundps and vcvtps2ph.
template <int rounding, class Src>
void convert(const Src* from, half* to) {
  store_128(to, _mm256_cvtps_ph(floats(from), rounding));
}
template <int rounding, class Src>
void convert(const Src* from, float* to) {
  const __m256 v = floats(from);
  store(to, std::is_same_v<Src, float> ? _mm256_round_ps(v, rounding) : v);
}
template <int rounding, class Src>
void convert(const Src* from, int32_t* to) {
  constexpr int kWay = rounding & 7;
  const __m256 v = floats(from);
  const __m256i integers = kWay == _MM_FROUND_TO_ZERO ? _mm256_cvttps_epi32(v)
                           : kWay == _MM_FROUND_TO_NEAREST_INT
                               ? _mm256_cvtps_epi32(v)
                               : _mm256_cvtps_epi32(_mm256_round_ps(v, rounding));
  _mm256_storeu_si256((__m256i*)to, integers);
}
template <int>
void convert(const int32_t* from, int64_t* to) {
  for (int i = 0; i < 8; i += 4) {
    _mm256_storeu_si256((__m256i*)(to + i), _mm256_cvtepi32_epi64(load_128(from + i)));
  }
}
template <int>
void convert(const int32_t* from, int16_t* to) {
  store_128(to, _mm_packs_epi32(load_128(from), load_128(from + 4)));
}

template <class Dst, class Src, int way>
void host_loop(benchmark::State& state) {
  Src* const src = host_address<Src>(0);
  Dst* const dst = host_address<Dst>(kBytes<Src>);
  fill(src);
  for (auto _ : state) {
    for (uint32_t i = 0; i < kCount; i += 8) convert<way | _MM_FROUND_NO_EXC>(src + i, dst + i);
    benchmark::ClobberMemory();
  }
}

// ---- the table ----

using Function = void (*)(benchmark::State&);

// The loop of a mode that the host has.
template <class Dst, class Src>
Function loop_of(RoundMode mode) {
  switch (mode) {
    case RoundMode::CAST_NONE:
    case RoundMode::CAST_RINT: return host_loop<Dst, Src, _MM_FROUND_TO_NEAREST_INT>;
    case RoundMode::CAST_FLOOR: return host_loop<Dst, Src, _MM_FROUND_TO_NEG_INF>;
    case RoundMode::CAST_CEIL: return host_loop<Dst, Src, _MM_FROUND_TO_POS_INF>;
    case RoundMode::CAST_TRUNC: return host_loop<Dst, Src, _MM_FROUND_TO_ZERO>;
    default: std::abort();
  }
}
// By the values of RoundMode.
constexpr const char* kModeNames[] = {"none", "rint", "floor", "ceil", "round", "trunc", "odd"};

void add(const std::string& name, auto function, auto... arguments) {
  benchmark::RegisterBenchmark(name.c_str(), function, arguments...)->MinTime(kSeconds);
}

// Registers cast_<pair>_<mode>/vinci for each mode, and cast_<pair>/memcpy.
// Modes are digits, the values of RoundMode.
template <class Dst, class Src>
void add_pair(const std::string& pair, const std::string& modes) {
  add("cast_" + pair + "/memcpy", host_memcpy<Dst, Src>);
  for (const char digit : modes) {
    const int mode = digit - '0';
    add("cast_" + pair + "_" + kModeNames[mode] + "/vinci", vinci_cast<Dst, Src>, RoundMode(mode));
  }
}
// The same, and cast_<pair>_<mode>/loop for the modes that the host has too.
template <class Dst, class Src>
void add_pair(const std::string& pair, const std::string& modes, const std::string& loops) {
  add_pair<Dst, Src>(pair, modes);
  for (const char digit : loops) {
    const int mode = digit - '0';
    add("cast_" + pair + "_" + kModeNames[mode] + "/loop", loop_of<Dst, Src>(RoundMode(mode)));
  }
}

const bool registered = [] {
  add_pair<float, half>("half_float", "0", "0");
  add_pair<int32_t, half>("half_int32", "12345", "1235");
  add_pair<int16_t, half>("half_int16", "12345");
  add_pair<int8_t, half>("half_int8", "012345");
  add_pair<uint8_t, half>("half_uint8", "012345");
  add_pair<int4b_t, half>("half_int4", "012345");
  add_pair<half, int4b_t>("int4_half", "0");
  add_pair<half, float>("float_half", "0123456", "01235");
  add_pair<int32_t, float>("float_int32", "12345", "1235");
  add_pair<int16_t, float>("float_int16", "12345");
  add_pair<float, float>("float_float", "12345", "1235");
  add_pair<bfloat16_t, float>("float_bfloat16", "12345");
  add_pair<int64_t, float>("float_int64", "12345");
  add_pair<half, int8_t>("int8_half", "0", "0");
  add_pair<half, uint8_t>("uint8_half", "0", "0");
  add_pair<half, int16_t>("int16_half", "012345", "01235");
  add_pair<float, int16_t>("int16_float", "0", "0");
  add_pair<float, int32_t>("int32_float", "012345", "01");
  add_pair<half, int32_t>("int32_half", "0123456");
  add_pair<int16_t, int32_t>("int32_int16", "0", "0");
  add_pair<int64_t, int32_t>("int32_int64", "0", "0");
  add_pair<int32_t, int64_t>("int64_int32", "0");
  add_pair<float, int64_t>("int64_float", "12345");
  add_pair<float, bfloat16_t>("bfloat16_float", "0", "0");
  add_pair<int32_t, bfloat16_t>("bfloat16_int32", "12345", "1235");
  return true;
}();

}  // namespace
}  // namespace vinci::bench
