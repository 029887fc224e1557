// Conversions with a scale: the documents' examples, and their formulas in double, where a product
// is exact and then rounded to float once.
#include "kernel/dequantize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "numeric/convert.h"

namespace vinci {
namespace {

uint64_t word(float scale, int offset, bool is_signed) {
  return uint64_t{is_signed} << 46 | uint64_t(offset & 511) << 37 | bits_of_float(scale);
}

int to_8_bits_of(int16_t x, uint64_t bits) {
  const auto read = ScaleWord::of_fixpipe(bits);
  const uint8_t result = scaled_to_8_bits(x, read);
  return read.is_signed ? int8_t(result) : result;
}

TEST(Dequantize, ExamplesOfInt16To8Bits) {
  for (int i = 0; i < 16; ++i) {
    const uint64_t power = (uint64_t{1} << 46) + (uint64_t{1} << 31) + (uint64_t(127 + i) << 23);
    EXPECT_EQ(to_8_bits_of(1, power), std::max(-(1 << i), -128));                    // 15
    EXPECT_EQ(to_8_bits_of(1, (uint64_t(i) << 37) + (uint64_t{127} << 23)), 1 + i);  // 16
  }
}

TEST(Dequantize, ProductIsClampedTo9BitsBeforeTheOffset) {
  EXPECT_EQ(to_8_bits_of(-2000, word(0.25f, 200, true)), -56);
  EXPECT_EQ(to_8_bits_of(1000, word(0.25f, -200, true)), 50);
  EXPECT_EQ(to_8_bits_of(1200, word(0.25f, -200, true)), 55);
  EXPECT_EQ(to_8_bits_of(32767, word(1.0f, 255, false)), 255);
  EXPECT_EQ(to_8_bits_of(-3, word(0.5f, 0, false)), 0);
  EXPECT_EQ(to_8_bits_of(-3, word(0.5f, 5, false)), 3);
  EXPECT_EQ(to_8_bits_of(0, word(INFINITY, 7, true)), 7);  // NaN counts as 0
}

TEST(Dequantize, ScaleHas10FractionBitsAndTheRestIsIgnored) {
  EXPECT_EQ(to_8_bits_of(5, word(0.5f + 0x1p-12f, 0, true)), 2);  // 2.5, not above
  const uint64_t ignored = 0xFFFF801F00001FFF;
  EXPECT_EQ(to_8_bits_of(-3, word(0.5f, 5, true) | ignored), 3);
}

TEST(Dequantize, EveryInt16AgreesWithTheFormula) {
  for (const float scale : {0.5f, 0.0078125f, -0.01f, 1.0f, 3e-5f}) {
    const float kept = float_of_bits(bits_of_float(scale) & ~0x1FFFu);
    for (const int offset : {-256, -3, 0, 255}) {
      for (int x = -32768; x <= 32767; ++x) {
        const double product = float(double(x) * double(kept));
        const int moved = int(std::clamp(std::nearbyint(product), -256.0, 255.0)) + offset;
        ASSERT_EQ(to_8_bits_of(int16_t(x), word(scale, offset, true)), std::clamp(moved, -128, 127))
            << x << " * " << scale << " + " << offset;
        ASSERT_EQ(to_8_bits_of(int16_t(x), word(scale, offset, false)), std::clamp(moved, 0, 255))
            << x << " * " << scale << " + " << offset;
      }
    }
  }
}

uint16_t scaled_to_half(int32_t x, uint16_t scale, Overflow overflow) {
  uint16_t result;
  halves_of_scaled(&x, scale, &result, 1, overflow == Overflow::kSaturate);
  return result;
}

float scaled_half(int32_t x, uint16_t scale, Overflow overflow = Overflow::kSaturate) {
  return float_of_half(scaled_to_half(x, scale, overflow));
}

TEST(Dequantize, ExamplesOfInt32ToHalf) {
  EXPECT_EQ(scaled_half(1025, 0x4200), 3076.0f);   // 18: scale 3
  EXPECT_EQ(scaled_half(89, 0x2E66), 8.8984375f);  // 0.1 as half
  EXPECT_EQ(scaled_half(7, 0x3800), 3.5f);
  EXPECT_EQ(scaled_half(INT32_MAX, 0x3C00), 65504.0f);
  EXPECT_EQ(scaled_half(INT32_MAX, 0x3C00, Overflow::kWrapOrInf), INFINITY);
  EXPECT_EQ(scaled_half(INT32_MIN, 0x3C00, Overflow::kWrapOrInf), -INFINITY);
  EXPECT_EQ(scaled_to_half(0, 0x7C00, Overflow::kSaturate), 0);  // NaN
  EXPECT_EQ(scaled_to_half(0, 0x7C00, Overflow::kWrapOrInf), kHalfNan);
}

TEST(Dequantize, OneRoundingOrTwo) {
  const int32_t x = 57354;  // times 0.1 as half 5733.9997..., which is 5734 as a float
  uint16_t result;
  halves_of_products(&x, 0x2E66, &result, 1, true);
  EXPECT_EQ(float_of_half(result), 5732.0f);
  EXPECT_EQ(scaled_half(x, 0x2E66), 5736.0f);
  const int32_t infinite[] = {0, -1, 1};
  uint16_t results[3];
  halves_of_products(infinite, 0x7C00, results, 3, false);
  EXPECT_EQ(results[0], kHalfNan);
  EXPECT_EQ(results[1], 0xFC00);
  EXPECT_EQ(results[2], 0x7C00);
  halves_of_products(infinite, 0x7C00, results, 3, true);
  EXPECT_EQ(results[0], 0);
  EXPECT_EQ(results[1], 0xFBFF);
  EXPECT_EQ(results[2], 0x7BFF);
}

// To the nearest half, ties to even, within its range; each step is exact in double.
double nearest_half(double value) {
  const int exponent = value == 0 ? -14 : std::max(std::ilogb(value), -14);
  const double unit = std::ldexp(1.0, exponent - 10);
  return std::clamp(std::nearbyint(value / unit) * unit, -65504.0, 65504.0);
}

TEST(Dequantize, Int32ToHalfAgreesWithTheDocumentsFormula) {
  std::mt19937 random(22);
  for (int i = 0; i < 300000; ++i) {
    const int32_t x = int32_t(random()) >> random() % 32;
    const auto scale = uint16_t(random() % 0x7C00 | (random() & 0x8000));
    const float divided = float(double(x)) * 0x1p-17f;
    const float product = float(double(divided) * double(float_of_half(scale)));
    ASSERT_EQ(scaled_half(x, scale), nearest_half(double(product) * 0x1p17)) << x << ' ' << scale;
  }
}

}  // namespace
}  // namespace vinci
