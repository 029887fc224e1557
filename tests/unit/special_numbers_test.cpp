// Counting infinities and NaNs, against what the host says of each number.
#include "kernel/special_numbers.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "vinci/float_bits.h"

namespace vinci {
namespace {

// Arrays of all short lengths, at an odd address; every other one has some of `special`.
template <class Bits, class ToFloat>
void expect_counts(DType dtype, const std::vector<Bits>& special, ToFloat to_float) {
  std::mt19937 random(1);
  for (uint64_t count = 0; count < 200; ++count) {
    std::vector<uint8_t> memory(1 + count * sizeof(Bits));
    uint64_t infinities = 0, nans = 0;
    for (uint64_t i = 0; i < count; ++i) {
      auto bits = Bits(random());
      if (!std::isfinite(to_float(bits))) bits = 0;
      if (count % 2 == 0 && random() % 8 == 0) bits = special[random() % special.size()];
      infinities += std::isinf(to_float(bits));
      nans += std::isnan(to_float(bits));
      std::memcpy(memory.data() + 1 + i * sizeof(bits), &bits, sizeof(bits));
    }
    const SpecialNumbers found = special_numbers(memory.data() + 1, count, dtype);
    EXPECT_EQ(found.infinities, infinities) << "of " << count;
    EXPECT_EQ(found.nans, nans) << "of " << count;
  }
}

TEST(SpecialNumbers, AreCountedInArraysOfEachType) {
  expect_counts<uint32_t>(DType::kFloat,
                          {0x7F800000, 0xFF800000, 0x7F800001, 0xFFC00000, 0x7F7FFFFF},
                          [](uint32_t bits) { return std::bit_cast<float>(bits); });
  expect_counts<uint16_t>(DType::kBfloat16, {0x7F80, 0xFF80, 0x7F81, 0xFFC0, 0x7F7F},
                          [](uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); });
  expect_counts<uint16_t>(DType::kHalf, {0x7C00, 0xFC00, 0x7C01, 0xFE00, 0x7BFF},
                          [](uint16_t bits) { return float_of_half(bits); });
}

TEST(SpecialNumbers, AreNoneOfIntegers) {
  const std::vector<uint32_t> ones(64, 0xFFFFFFFF);
  const SpecialNumbers found = special_numbers(ones.data(), ones.size(), DType::kInt32);
  EXPECT_EQ(found.infinities + found.nans, 0u);
}

}  // namespace
}  // namespace vinci
