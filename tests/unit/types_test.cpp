// What a table of types says to the loops of an instruction.
#include "isa/family/types.h"

#include <vector>

#include <gtest/gtest.h>

#include "vinci/record/vector.h"

namespace vinci::vector {
namespace {

using enum DType;

constexpr Signature kOld[] = {kHalf, {kFloat, kHalf}};
constexpr Signature kNew[] = {{kInt8, kFloat}, kInt32};
constexpr Support kTable[] = {{kArch1000, kOld}, {kArch2201, kNew, true, kTik}};

constexpr DType kAll[] = {kInt4,     kInt8,  kUint8,  kInt16, kUint16, kHalf,
                          kBfloat16, kInt32, kUint32, kFloat, kInt64,  kUint64};

TEST(Types, ALoopIsForEachTypeOfEachRowAndNoOther) {
  for (const DType type : kAll) {
    std::vector<DType> dst, src;
    with_type<kTable>(type, [&]<class T>() { dst.push_back(dtype_of<T>); });
    with_type<kTable, 1>(type, [&]<class T>() { src.push_back(dtype_of<T>); });
    const bool is_dst = type == kHalf || type == kFloat || type == kInt8 || type == kInt32;
    const bool is_src = type == kHalf || type == kFloat || type == kInt32;
    EXPECT_EQ(dst, is_dst ? std::vector{type} : std::vector<DType>()) << int(type);
    EXPECT_EQ(src, is_src ? std::vector{type} : std::vector<DType>()) << int(type);
  }
}

TEST(Types, APairIsOneOfTheTable) {
  unsigned pairs = 0;
  for (const DType to : kAll) {
    for (const DType from : kAll) {
      ElementwiseRecord record{};
      record.dst.dtype = to;
      record.src0.dtype = from;
      with_types<kTable>(record, [&]<class To, class From>() {
        EXPECT_TRUE(to == dtype_of<To> && from == dtype_of<From>);
        ++pairs;
      });
    }
  }
  EXPECT_EQ(pairs, 4u);
}

TEST(Types, AWidthIsThatOfSomeType) {
  for (const DType type : kAll) {
    std::vector<size_t> widths;
    with_width<kTable>(type, [&]<class U>() { widths.push_back(8 * sizeof(U)); });
    const bool has = bits_of(type) == 8 || bits_of(type) == 16 || bits_of(type) == 32;
    EXPECT_EQ(widths, has ? std::vector<size_t>{bits_of(type)} : std::vector<size_t>())
        << int(type);
  }
}

constexpr Signature kKnown[] = {kHalf, kFloat, kInt8, kInt32};
static_assert(names_only(kTable, kKnown) && names_only(kTable, kKnown, 1));
static_assert(!names_only(kTable, kOld) && !names_only(kKnown, kTable, 1));
static_assert(names_only(kOld, kTable) && !names_type(kTable, kInt8, 1));

}  // namespace
}  // namespace vinci::vector
