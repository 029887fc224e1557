// The multiplication of bytes and int4, with each unit that this host has for it, against sums of
// products in 64 bits, element by element from the formulas of docs/spec/mmad.md.
#include "kernel/matrix_bytes.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "numeric/dtype.h"

namespace vinci::matrix {
namespace {

constexpr unsigned kSeed = 53, kCases = 400;
constexpr int32_t kCanary = 0x5A5A5A5A;

struct Types {
  DType a, b;
};
constexpr Types kTypes[] = {{DType::kInt8, DType::kInt8},
                            {DType::kUint8, DType::kInt8},
                            {DType::kUint8, DType::kUint8},
                            {DType::kInt4, DType::kInt4}};

int64_t element(DType type, const std::vector<uint8_t>& bytes, size_t index) {
  if (type == DType::kUint8) return bytes[index];
  if (type == DType::kInt8) return int8_t(bytes[index]);
  const int nibble = bytes[index / 2] >> (index % 2 * 4) & 15;
  return nibble < 8 ? nibble : nibble - 16;
}

size_t up(size_t value, size_t unit) { return (value + unit - 1) / unit; }

// One product: what goes in, and what must come out.
struct Case {
  Types types;
  Product product;
  std::vector<uint8_t> a, b;
  std::vector<int32_t> c;  // and a canary of 16 elements behind it

  Case(Types chosen, const Product& size, std::mt19937& random) : types(chosen), product(size) {
    const size_t k1 = up(product.k, k0());
    // Each operand ends with its last fractal: AddressSanitizer sees what reads on.
    a.resize(product.m_blocks() * k1 * 512);
    b.resize(product.n_blocks() * k1 * 512);
    const bool extreme = random() % 4 == 0;
    for (auto* bytes : {&a, &b}) {
      for (uint8_t& byte : *bytes)
        byte = extreme ? (random() % 2 ? 0x80 : 0xFF) : uint8_t(random());
    }
    c.resize(product.fractals() * 256 + 16, kCanary);
    for (size_t i = 0; i + 16 < c.size(); ++i) c[i] = int32_t(random());
  }

  size_t k0() const { return types.a == DType::kInt4 ? 64 : 32; }

  std::vector<int32_t> expected() const {
    std::vector<int32_t> result = c;
    const size_t k1 = up(product.k, k0()), m1 = product.m_blocks(), n1 = product.n_blocks();
    for (size_t m = 0; m < m1 * 16; ++m) {
      for (size_t n = 0; n < n1 * 16; ++n) {
        int32_t& to = result[(n / 16 * m1 + m / 16) * 256 + m % 16 * 16 + n % 16];
        int64_t sum = product.from_zero ? 0 : to;
        for (size_t k = 0; k < product.k; ++k) {
          const size_t in_a = (m / 16 * k1 + k / k0()) * 16 * k0() + m % 16 * k0() + k % k0();
          const size_t in_b = (k / k0() * n1 + n / 16) * 16 * k0() + n % 16 * k0() + k % k0();
          sum += element(types.a, a, in_a) * element(types.b, b, in_b);
        }
        to = int32_t(uint32_t(uint64_t(sum)));
      }
    }
    return result;
  }

  std::string name() const {
    return std::string(name_of(types.a)) + " x " + std::string(name_of(types.b)) + ", m " +
           std::to_string(product.m) + ", n " + std::to_string(product.n) + ", k " +
           std::to_string(product.k) + (product.from_zero ? ", from zero" : "");
  }
};

using Multiply = std::function<void(const Case&, int32_t*)>;

void check(const Case& test, const Multiply& multiply) {
  std::vector<int32_t> c = test.c;
  multiply(test, c.data());
  EXPECT_EQ(c, test.expected()) << test.name() << ", seed " << kSeed;
}

void check_all(const Multiply& multiply, const std::function<bool(const Case&)>& takes) {
  std::mt19937 random(kSeed);
  for (unsigned i = 0; i < kCases && !testing::Test::HasFailure(); ++i) {
    Product product{2 + unsigned(random() % 70), 1 + unsigned(random() % 70),
                    1 + unsigned(random() % 260)};
    if (random() % 8 == 0) product.k = 4095 - random() % 64;
    product.from_zero = random() % 2 == 0;
    const Types types = kTypes[i % std::size(kTypes)];
    if (types.a == DType::kInt4) product.k += product.k % 2;
    const Case test(types, product, random);
    if (takes(test)) check(test, multiply);
  }
}

TEST(MatrixBytes, WhateverTheHostHas) {
  check_all(
      [](const Case& t, int32_t* c) {
        multiply(t.a.data(), t.types.a, t.b.data(), t.types.b, t.product, c);
      },
      [](const Case&) { return true; });
}

TEST(MatrixBytes, EachUnitOfTheHost) {
  for (const ByteUnit unit : {ByteUnit::kVnni, ByteUnit::kAmx}) {
    if (unit > byte_unit()) break;
    check_all(
        [&](const Case& t, int32_t* c) {
          multiply_bytes(unit, t.a.data(), t.types.a, t.b.data(), t.types.b, t.product, c);
        },
        [&](const Case& t) { return takes(unit, t.types.a, t.types.b, t.product); });
  }
}

TEST(MatrixBytes, UnitsTakeWhatTheyCan) {
  const Product matrix{2, 1, 1}, vector{1, 1, 1};
  EXPECT_FALSE(takes(ByteUnit::kNone, DType::kInt8, DType::kInt8, matrix));
  if (byte_unit() == ByteUnit::kNone) return;
  for (const Types& types : kTypes) {
    const bool both_unsigned = types.b == DType::kUint8;
    EXPECT_EQ(takes(ByteUnit::kVnni, types.a, types.b, matrix), !both_unsigned);
    EXPECT_TRUE(takes(ByteUnit::kAmx, types.a, types.b, matrix));
    EXPECT_FALSE(takes(ByteUnit::kAmx, types.a, types.b, vector));
  }
}

}  // namespace
}  // namespace vinci::matrix
