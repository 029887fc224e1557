// The elementary functions against MPFR: every half, and a sample of the floats of every exponent.
// All floats are tried by tests/exhaustive/elementary.cpp.
#include "numeric/elementary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "kernel/lane_loop.h"
#include "numeric/trigonometry.h"
#include "precise.h"

namespace vinci {
namespace {

constexpr float kInf = __builtin_inff();

int reciprocal(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  return mpfr_ui_div(result, 1, x, mode);
}
// MPFR has +inf for -0.
int rsqrt(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  return mpfr_zero_p(x) ? mpfr_ui_div(result, 1, x, mode) : mpfr_rec_sqrt(result, x, mode);
}

// As instructions call them: the whole array, in place.
template <float (*kElement)(float)>
void in_place(std::vector<float>& values) {
  const size_t count = values.size();
  float* at = values.data();
  VINCI_LANE_LOOP
  for (size_t i = 0; i < count; ++i) at[i] = kElement(at[i]);
}

struct Function {
  const char* name;
  void (*of_floats)(std::vector<float>&);
  void (*of_halves)(std::vector<float>&);
  MpfrFunction precise;
};
constexpr Function kFunctions[] = {
    {"exp", in_place<exp_of>, in_place<exp_of_half>, mpfr_exp},
    {"ln", in_place<ln_of>, in_place<ln_of_half>, mpfr_log},
    {"sqrt", in_place<sqrt_of>, in_place<sqrt_of>, mpfr_sqrt},
    {"rsqrt", in_place<rsqrt_of>, in_place<rsqrt_of>, rsqrt},
    {"reciprocal", in_place<reciprocal_of>, in_place<reciprocal_of>, reciprocal},
    {"sin", in_place<sin_of>, in_place<sin_of_half>, mpfr_sin},
    {"cos", in_place<cos_of>, in_place<cos_of_half>, mpfr_cos},
};

// NaN is any of them.
uint32_t bits_or_nan(float value) { return value != value ? kFloatNan : bits_of_float(value); }

void expect_nearest(const Function& function, const std::vector<float>& inputs) {
  std::vector<float> results = inputs;
  function.of_floats(results);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const float expected = Precise(function.precise, inputs[i]).nearest_float();
    ASSERT_EQ(bits_or_nan(results[i]), bits_or_nan(expected))
        << function.name << " of " << std::hexfloat << inputs[i];
  }
}

// `value` and the floats around it, of both signs.
void add_around(float value, std::vector<float>& list) {
  const uint32_t bits = bits_of_float(value);
  for (uint32_t near = bits - std::min(bits, 20u); near <= bits + 20; ++near) {
    list.push_back(float_of_bits(near));
    list.push_back(-float_of_bits(near));
  }
}

TEST(Elementary, EveryHalfIsRoundedOnce) {
  std::vector<float> inputs(65536);
  for (size_t i = 0; i < inputs.size(); ++i) inputs[i] = float_of_half(uint16_t(i));
  for (const Function& function : kFunctions) {
    std::vector<float> results = inputs;
    function.of_halves(results);
    for (size_t i = 0; i < inputs.size(); ++i) {
      ASSERT_EQ(half_of_float(results[i]), Precise(function.precise, inputs[i]).nearest_half())
          << function.name << " of " << std::hexfloat << inputs[i];
    }
  }
}

TEST(Elementary, ExpLessOneOfEveryHalfIsRoundedOnce) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const float x = float_of_half(uint16_t(bits));
    const uint16_t expected = Precise(mpfr_expm1, x).nearest_half();
    const float result = expm1_of_half(x);
    ASSERT_EQ(result != result ? kHalfNan : half_of_float(result), expected) << std::hexfloat << x;
  }
}

TEST(Elementary, FloatsOfEveryExponentAreRoundedToTheNearest) {
  constexpr int kForEachExponent = 800;
  constexpr unsigned kSeed = 4;
  std::mt19937 random(kSeed);
  std::vector<float> inputs;
  for (uint32_t exponent = 0; exponent < 256; ++exponent) {
    for (int i = 0; i < kForEachExponent; ++i) {
      const auto bits = uint32_t(random());
      inputs.push_back(float_of_bits((bits & 0x807FFFFF) | exponent << 23));
      inputs.push_back(float_of_bits((bits & 0x007FFFFF) | exponent << 23));
    }
  }
  for (const Function& function : kFunctions) expect_nearest(function, inputs);
}

TEST(Elementary, FloatsAroundLimitsAreRoundedToTheNearest) {
  std::vector<float> inputs;
  for (const float limit : {
           0.0f, 0x1p-126f, 1.0f, kInf, std::nanf(""), 0x1.fffffep+127f, 0x1p-24f, 0x1p-25f,
           0x1p-26f,                                  // exp leaves 1
           88.72284f, 87.33655f, 103.97208f,          // exp: the largest, the least normal, the
                                                      // least
           88.0f, 89.0f, 104.0f, 128.0f,              // and beyond
           0x1p-128f, 0x1p-127f, 0x1p126f,            // the reciprocal becomes infinite, subnormal
           0x1p127f, 0x1.6a09e6p-1f, 0x1.6a09e6p+0f,  // where ln's pieces meet
           0.34657359f, 1.0397208f, 1.7328679f,       // exp's
       }) {
    add_around(limit, inputs);
  }
  for (const Function& function : kFunctions) expect_nearest(function, inputs);
}

// Of all floats, those whose result lies closest to the middle of two floats: 2^-52.6 of itself for
// exp, 2^-57.8 for ln, 2^-51.7 for rsqrt. Found with glibc's functions of 64 digits.
TEST(Elementary, TheHardestFloatsAreRoundedToTheNearest) {
  const std::vector<std::vector<uint32_t>> bits_of_inputs{
      {0xC16912CD, 0xBBF0EDF1, 0xBAE0E25C, 0xB3000000, 0x377EFF81, 0x40315B33, 0x4001B249},
      {0x65D890D3, 0x4C5D65A5, 0x4D604EBE, 0x66A8C860, 0x1F116AB8, 0x41178FEB, 0x3C413D3A,
       0x6F31A8EC, 0x38DCBE38, 0x5EE8984E, 0x4665A9A6, 0x3BF86EF0, 0x79E7EC37, 0x2C4C24B7},
      {},
      {0x403A18E3, 0x4009F038},
      {},
      {0x6F79BE45, 0x39800000, 0x397FFFFF, 0x7F7FFFFF},  // next to a multiple of pi; at the limits
      {0x6F79BE45, 0x39800000, 0x397FFFFF, 0x7F7FFFFF},
  };
  for (size_t i = 0; i < bits_of_inputs.size(); ++i) {
    std::vector<float> inputs;
    for (const uint32_t bits : bits_of_inputs[i]) inputs.push_back(float_of_bits(bits));
    expect_nearest(kFunctions[i], inputs);
  }
}

TEST(Elementary, SpecialValues) {
  EXPECT_EQ(bits_of_float(exp_of(-kInf)), 0u);
  EXPECT_EQ(exp_of(kInf), kInf);
  EXPECT_EQ(ln_of(0.0f), -kInf);
  EXPECT_EQ(ln_of(-0.0f), -kInf);
  EXPECT_EQ(ln_of(kInf), kInf);
  EXPECT_EQ(bits_of_float(ln_of(1.0f)), 0u);
  EXPECT_EQ(bits_of_float(sqrt_of(-0.0f)), 0x80000000u);
  EXPECT_EQ(rsqrt_of(0.0f), kInf);
  EXPECT_EQ(rsqrt_of(-0.0f), -kInf);
  EXPECT_EQ(bits_of_float(rsqrt_of(kInf)), 0u);
  EXPECT_EQ(reciprocal_of(-0.0f), -kInf);
  EXPECT_EQ(bits_of_float(reciprocal_of(-kInf)), 0x80000000u);
  for (const auto function : {exp_of, exp_of_half, ln_of, ln_of_half, sqrt_of, rsqrt_of}) {
    EXPECT_TRUE(std::isnan(function(std::nanf(""))));
    EXPECT_TRUE(std::isnan(function(-std::nanf("1"))));
  }
  for (const auto function : {ln_of, ln_of_half, sqrt_of, rsqrt_of}) {
    for (const float negative : {-kInf, -1.0f, -1e-45f, -65504.0f}) {
      EXPECT_TRUE(std::isnan(function(negative))) << negative;
    }
  }
}

}  // namespace
}  // namespace vinci
