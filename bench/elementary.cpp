// Exp, Ln and Sqrt against SLEEF; Div, Rsqrt and Reciprocal, which SLEEF lacks, against loops of
// AVX2 that divide. Results of vinci are correctly rounded; SLEEF's exp and log are within 1 ulp.
// half is converted by F16C before and after.
#include <sleef.h>

#include "elementwise.h"

namespace vinci::bench {
namespace {

VINCI_UNARY_CALLS(exp_calls, Exp)
VINCI_UNARY_CALLS(ln_calls, Ln)
VINCI_UNARY_CALLS(sqrt_calls, Sqrt)
VINCI_UNARY_CALLS(rsqrt_calls, Rsqrt)
VINCI_UNARY_CALLS(reciprocal_calls, Reciprocal)
VINCI_BINARY_CALLS(div_calls, Div)

__m256 exponential(__m256 a, __m256) { return Sleef_expf8_u10avx2(a); }
__m256 logarithm(__m256 a, __m256) { return Sleef_logf8_u10avx2(a); }
__m256 root(__m256 a, __m256) { return Sleef_sqrtf8_u05avx2(a); }
__m256 quotient(__m256 a, __m256 b) { return _mm256_div_ps(a, b); }
__m256 inverse(__m256 a, __m256) { return _mm256_div_ps(_mm256_set1_ps(1), a); }
__m256 inverse_root(__m256 a, __m256) { return inverse(_mm256_sqrt_ps(a), a); }

template <class T>
void add_type(const std::string& type) {
  add_elementwise<T, exponential>("exp_" + type, exp_calls<T>, "sleef");
  add_elementwise<T, logarithm>("ln_" + type, ln_calls<T>, "sleef");
  add_elementwise<T, root>("sqrt_" + type, sqrt_calls<T>, "sleef");
  add_elementwise<T, quotient>("div_" + type, div_calls<T>, "loop");
  add_elementwise<T, inverse_root>("rsqrt_" + type, rsqrt_calls<T>, "loop");
  add_elementwise<T, inverse>("reciprocal_" + type, reciprocal_calls<T>, "loop");
}

const bool registered = [] {
  add_type<half>("half");
  add_type<float>("float");
  return true;
}();

}  // namespace
}  // namespace vinci::bench
