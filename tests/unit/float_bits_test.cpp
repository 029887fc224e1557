// half and bfloat16 conversions, each against the definition of the format in exact arithmetic.
#include "vinci/float_bits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kernel/half_array.h"

namespace vinci {
namespace {

// The value of a pattern with `exponent_bits` and `fraction_bits`, by IEEE 754's own formula.
double value_of(uint32_t pattern, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const uint32_t fraction = pattern & ((1u << fraction_bits) - 1);
  const int exponent = int(pattern >> fraction_bits) & ((1 << exponent_bits) - 1);
  const double sign = pattern >> (exponent_bits + fraction_bits) & 1 ? -1.0 : 1.0;
  if (exponent == (1 << exponent_bits) - 1) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  }
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp(fraction + (1u << fraction_bits), exponent - bias - fraction_bits);
}

// The pattern of a finite value's nearest neighbour, ties to the even pattern, found by bisection
// over the patterns of non-negative values, which ascend with their value.
uint32_t nearest(double value, int exponent_bits, int fraction_bits) {
  const uint32_t sign = std::signbit(value) ? 1u << (exponent_bits + fraction_bits) : 0;
  const double magnitude = std::fabs(value);
  const uint32_t infinity = ((1u << exponent_bits) - 1) << fraction_bits;
  uint32_t low = 0, high = infinity;  // value_of(low) <= magnitude < value_of(high)
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    (value_of(middle, exponent_bits, fraction_bits) <= magnitude ? low : high) = middle;
  }
  const double below = value_of(low, exponent_bits, fraction_bits);
  // Infinity stands where the next finite value would be.
  const double above = high == infinity
                           ? 2 * below - value_of(low - 1, exponent_bits, fraction_bits)
                           : value_of(high, exponent_bits, fraction_bits);
  const double down = magnitude - below, up = above - magnitude;
  const bool take_low = down < up || (down == up && low % 2 == 0);
  return sign | (take_low ? low : high);
}

// Values at, beside and between all patterns of a format, as far as float can say them.
std::vector<float> floats_around(int exponent_bits, int fraction_bits) {
  std::vector<float> values{0.0f, -0.0f, 1e-45f, 3.4e38f, -3.4e38f};
  const uint32_t infinity = ((1u << exponent_bits) - 1) << fraction_bits;
  for (uint32_t pattern = 0; pattern < infinity; ++pattern) {
    const double here = value_of(pattern, exponent_bits, fraction_bits);
    const double next = pattern + 1 == infinity
                            ? here * 1.001
                            : value_of(pattern + 1, exponent_bits, fraction_bits);
    for (const double value : {here, (here + next) / 2}) {
      const auto exact = float(value);
      for (const float near :
           {exact, std::nextafter(exact, 0.0f), std::nextafter(exact, 3.4e38f)}) {
        values.push_back(near);
        values.push_back(-near);
      }
    }
  }
  return values;
}

TEST(Half, EveryPatternHasTheValueOfItsDefinition) {
  for (uint32_t pattern = 0; pattern < 65536; ++pattern) {
    const double expected = value_of(pattern, 5, 10);
    const float got = float_of_half(uint16_t(pattern));
    if (std::isnan(expected)) {
      EXPECT_EQ(bits_of_float(got), kFloatNan) << pattern;
    } else {
      EXPECT_EQ(double(got), expected) << pattern;
      EXPECT_EQ(std::signbit(got), std::signbit(expected)) << pattern;
    }
  }
}

TEST(Half, FloatsRoundToTheNearestPatternTiesToEven) {
  for (const float value : floats_around(5, 10)) {
    ASSERT_EQ(half_of_float(value), nearest(value, 5, 10)) << std::hexfloat << value;
  }
  EXPECT_EQ(half_of_float(std::numeric_limits<float>::infinity()), 0x7C00);
  EXPECT_EQ(half_of_float(-std::numeric_limits<float>::infinity()), 0xFC00);
  EXPECT_EQ(half_of_float(-std::nanf("7")), kHalfNan);
}

TEST(Bfloat16, EveryPatternHasTheValueOfItsDefinition) {
  for (uint32_t pattern = 0; pattern < 65536; ++pattern) {
    const double expected = value_of(pattern, 8, 7);
    const float got = float_of_bfloat16(uint16_t(pattern));
    if (std::isnan(expected)) {
      EXPECT_EQ(bits_of_float(got), kFloatNan) << pattern;
    } else {
      EXPECT_EQ(double(got), expected) << pattern;
    }
  }
}

TEST(Bfloat16, FloatsRoundToTheNearestPatternTiesToEven) {
  for (const float value : floats_around(8, 7)) {
    if (std::isinf(value)) continue;
    ASSERT_EQ(bfloat16_of_float(value), nearest(value, 8, 7)) << std::hexfloat << value;
  }
  EXPECT_EQ(bfloat16_of_float(std::nanf("7")), kBfloat16Nan);
}

TEST(Half, DoublesAreRoundedOnce) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    // A tie between two halfs, moved by less than a float can show.
    const double tie = value_of(uint32_t(random() % 0x7BFF), 5, 10) * (1 + 0x1p-11);
    const double value = tie * (1 + (int(random() % 3) - 1) * 0x1p-40);
    ASSERT_EQ(half_of_float(float_of_double_odd(value)), nearest(value, 5, 10))
        << std::hexfloat << value;
  }
}

TEST(HalfArray, AgreesWithTheDefinitionForEveryPatternAndLength) {
  std::vector<uint16_t> halves(65536 + 5);
  for (size_t i = 0; i < halves.size(); ++i) halves[i] = uint16_t(i);
  std::vector<float> wide(halves.size());
  floats_of_halves(halves.data(), wide.data(), halves.size());
  for (size_t i = 0; i < halves.size(); ++i) {
    const double expected = value_of(uint16_t(i), 5, 10);
    if (std::isnan(expected)) {
      EXPECT_EQ(bits_of_float(wide[i]), kFloatNan);
    } else {
      EXPECT_EQ(double(wide[i]), expected);
    }
  }
}

TEST(HalfArray, SaturationTurnsInfinityIntoTheLargestValueAndNanIntoZero) {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> values{inf,  -inf,  std::nanf(""), 65519.0f, 65520.0f, -70000.0f,
                                  1.0f, -0.0f, 1e-8f,         65504.0f, 3e38f};
  const std::vector<uint16_t> saturated{0x7BFF, 0xFBFF, 0x0000, 0x7BFF, 0x7BFF, 0xFBFF,
                                        0x3C00, 0x8000, 0x0000, 0x7BFF, 0x7BFF};
  const std::vector<uint16_t> ieee{0x7C00, 0xFC00, 0x7E00, 0x7BFF, 0x7C00, 0xFC00,
                                   0x3C00, 0x8000, 0x0000, 0x7BFF, 0x7C00};
  std::vector<uint16_t> got(values.size());
  halves_of_floats(values.data(), got.data(), values.size(), true);
  EXPECT_EQ(got, saturated);
  halves_of_floats(values.data(), got.data(), values.size(), false);
  EXPECT_EQ(got, ieee);
}

}  // namespace
}  // namespace vinci
