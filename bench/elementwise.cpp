// Element-wise arithmetic on 16384 numbers in UB, as one count and in repeats with gaps, against
// hand-written loops of the same arithmetic.
#include <immintrin.h>

#include <cstring>
#include <string>
#include <vector>

#include "bench.h"

namespace vinci::bench {
namespace {

using AscendC::BinaryRepeatParams;
using AscendC::LocalTensor;
using AscendC::TPosition;
using AscendC::UnaryRepeatParams;

constexpr uint32_t kCount = 16384;
constexpr unsigned kRepeatBytes = 256, kGapBytes = 32;  // between repeats: 9 datablocks a repeat

// Three places in UB, one of which both chips can hold.
template <class T>
struct Tensors {
  static constexpr uint32_t kBytes = kCount * sizeof(T) / kRepeatBytes * (kRepeatBytes + kGapBytes);
  static constexpr uint32_t kElements = kBytes / sizeof(T);
  LocalTensor<T> dst{TPosition::VECOUT, 0, kElements};
  LocalTensor<T> a{TPosition::VECIN, kBytes, kElements};
  LocalTensor<T> b{TPosition::VECIN, 2 * kBytes, kElements};

  Tensors() {
    for (uint32_t i = 0; i < kElements; ++i) {
      a.SetValue(i, T(float(i % 251) / 16 + 0.5f));
      b.SetValue(i, T(float(i % 127) / 8 + 0.25f));
    }
  }
};

template <class T>
constexpr uint32_t kLanes = kRepeatBytes / sizeof(T);
template <class T>
constexpr uint8_t kRepeats = 128;  // in one call
template <class T>
constexpr uint32_t kCalls = kCount / (kLanes<T> * kRepeats<T>);
constexpr uint32_t kStep = (kRepeatBytes + kGapBytes);

// Calls f(first element, ...) for each call that the repeats need.
template <class T, class F>
void in_repeats(F f) {
  for (uint32_t call = 0; call < kCalls<T>; ++call) f(call * kRepeats<T> * (kStep / sizeof(T)));
}

template <class T>
using Call = void (*)(const Tensors<T>&);

template <class T>
void vinci_call(benchmark::State& state, Call<T> call) {
  // UB must hold three times 72 KB; half does not saturate on the other chip, as it does not here.
  const char* soc = sizeof(T) == 4 ? "Ascend310P3" : "Ascend910B1";
  on_core(state, Checks::kOff, soc, [&](Device&) {
    const Tensors<T> tensors;
    for (auto _ : state) {
      call(tensors);
      benchmark::ClobberMemory();
    }
  });
}

#define VINCI_BINARY_CALLS(Name)                                                            \
  template <class T>                                                                        \
  void Name##_count(const Tensors<T>& t) {                                                  \
    AscendC::Name(t.dst, t.a, t.b, int32_t(kCount));                                        \
  }                                                                                         \
  template <class T>                                                                        \
  void Name##_strided(const Tensors<T>& t) {                                                \
    in_repeats<T>([&](uint32_t first) {                                                     \
      AscendC::Name(t.dst[first], t.a[first], t.b[first], uint64_t{kLanes<T>}, kRepeats<T>, \
                    BinaryRepeatParams(1, 1, 1, 9, 9, 9));                                  \
    });                                                                                     \
  }
VINCI_BINARY_CALLS(Add)
VINCI_BINARY_CALLS(Mul)
VINCI_BINARY_CALLS(Max)
#undef VINCI_BINARY_CALLS

template <class T>
void Muls_count(const Tensors<T>& t) {
  AscendC::Muls(t.dst, t.a, T(1.5f), int32_t(kCount));
}
template <class T>
void Muls_strided(const Tensors<T>& t) {
  in_repeats<T>([&](uint32_t first) {
    AscendC::Muls(t.dst[first], t.a[first], T(1.5f), uint64_t{kLanes<T>}, kRepeats<T>,
                  UnaryRepeatParams(1, 1, 9, 9));
  });
}

// ---- the counterparts ----

struct Plus {
  static __m256 apply(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
};
struct Times {
  static __m256 apply(__m256 a, __m256 b) { return _mm256_mul_ps(a, b); }
};
struct Most {
  static __m256 apply(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
};

inline __m256 load(const float* from) { return _mm256_loadu_ps(from); }
inline __m256 load(const half* from) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
inline void store(float* to, __m256 v) { _mm256_storeu_ps(to, v); }
inline void store(half* to, __m256 v) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}

template <class T, class Op, bool scalar>
void host_span(const T* a, const T* b, T* out, uint32_t count) {
  const __m256 factor = _mm256_set1_ps(1.5f);
  for (uint32_t i = 0; i < count; i += 8) {
    store(out + i, Op::apply(load(a + i), scalar ? factor : load(b + i)));
  }
}

template <class T, class Op, bool scalar, bool strided>
void host(benchmark::State& state) {
  constexpr uint32_t kElements = Tensors<T>::kElements;
  std::vector<T> a(kElements, T(1.25f)), b(kElements, T(0.75f)), out(kElements);
  for (auto _ : state) {
    if (strided) {
      for (uint32_t i = 0; i < kElements; i += kStep / sizeof(T)) {
        host_span<T, Op, scalar>(&a[i], &b[i], &out[i], kLanes<T>);
      }
    } else {
      host_span<T, Op, scalar>(a.data(), b.data(), out.data(), kCount);
    }
    benchmark::ClobberMemory();
  }
}

template <class T, class Op, bool scalar>
void add_work(const std::string& work, Call<T> count, Call<T> strided) {
  using benchmark::RegisterBenchmark;
  RegisterBenchmark((work + "/vinci").c_str(), vinci_call<T>, count);
  RegisterBenchmark((work + "/loop").c_str(), host<T, Op, scalar, false>);
  RegisterBenchmark((work + "_strided/vinci").c_str(), vinci_call<T>, strided);
  RegisterBenchmark((work + "_strided/loop").c_str(), host<T, Op, scalar, true>);
}

template <class T>
void add_type(const std::string& type) {
  add_work<T, Plus, false>("add_" + type, Add_count<T>, Add_strided<T>);
  add_work<T, Times, false>("mul_" + type, Mul_count<T>, Mul_strided<T>);
  add_work<T, Most, false>("max_" + type, Max_count<T>, Max_strided<T>);
  add_work<T, Times, true>("muls_" + type, Muls_count<T>, Muls_strided<T>);
}

const bool registered = [] {
  add_type<half>("half");
  add_type<float>("float");
  return true;
}();

}  // namespace
}  // namespace vinci::bench
