// Arithmetic against loops of AVX2.
#include "elementwise.h"

#include <cmath>

namespace vinci::bench {
namespace {

constexpr float kFactor = 1.5f;

VINCI_BINARY_CALLS(add_calls, Add)
VINCI_BINARY_CALLS(mul_calls, Mul)
VINCI_BINARY_CALLS(max_calls, Max)

template <class T>
constexpr Calls<T> muls_calls{
    [](const Tensors<T>& t) { AscendC::Muls(t.dst, t.a, T(kFactor), int32_t(kCount)); },
    [](const Tensors<T>& t) {
      in_repeats<T>([&](uint32_t first) {
        AscendC::Muls(t.dst[first], t.a[first], T(kFactor), uint64_t{kLanes<T>}, kRepeats,
                      AscendC::UnaryRepeatParams(1, 1, kStepBlocks, kStepBlocks));
      });
    }};

__m256 plus(__m256 a, __m256 b) { return _mm256_add_ps(a, b); }
__m256 times(__m256 a, __m256 b) { return _mm256_mul_ps(a, b); }
__m256 times_factor(__m256 a, __m256) { return _mm256_mul_ps(a, _mm256_set1_ps(kFactor)); }
// NaN if one of them is; of +0 and -0 the +0. maxps gives its second operand in both cases.
__m256 larger(__m256 a, __m256 b) {
  const __m256 most = _mm256_and_ps(_mm256_max_ps(a, b), _mm256_max_ps(b, a));
  return _mm256_blendv_ps(most, _mm256_set1_ps(NAN), _mm256_cmp_ps(a, b, _CMP_UNORD_Q));
}

template <class T>
void add_type(const std::string& type) {
  add_elementwise<T, plus>("add_" + type, add_calls<T>, "loop");
  add_elementwise<T, times>("mul_" + type, mul_calls<T>, "loop");
  add_elementwise<T, larger>("max_" + type, max_calls<T>, "loop");
  add_elementwise<T, times_factor>("muls_" + type, muls_calls<T>, "loop");
}

const bool registered = [] {
  add_type<half>("half");
  add_type<float>("float");
  return true;
}();

}  // namespace
}  // namespace vinci::bench
