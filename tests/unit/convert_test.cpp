// Every pair of types in every round mode, against the definition of the modes: of the two numbers
// of the result's type around a value, found by search, the one that the mode asks for.
//
// The oracle works on values in long double, whose 64 or more digits hold each number of each type,
// and twice it, and the sum of two neighbours.
#include "numeric/convert.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "kernel/dequantize.h"
#include "unit/roundings.h"

namespace vinci {
namespace {

using AscendC::int4b_t;
using Real = long double;
static_assert(std::numeric_limits<Real>::digits >= 64);

// ---- The types, described once more ----

struct Type {
  const char* name;
  bool is_float;
  int exponent_bits, fraction_bits;  // of a float
  uint32_t nan;                      // the one that results have
  Real least, most;                  // of an integer
};

template <class T>
Type type_of(const char* name) {
  return {name, false, 0, 0, 0, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

template <class T>
struct Tag {
  using type = T;
};
// clang-format off
Type describe(Tag<half>) { return {"half", true, 5, 10, 0x7E00, 0, 0}; }
Type describe(Tag<bfloat16_t>) { return {"bfloat16", true, 8, 7, 0x7FC0, 0, 0}; }
Type describe(Tag<float>) { return {"float", true, 8, 23, 0x7FC00000, 0, 0}; }
Type describe(Tag<int4b_t>) { return {"int4", false, 0, 0, 0, -8, 7}; }
Type describe(Tag<int8_t>) { return type_of<int8_t>("int8"); }
Type describe(Tag<uint8_t>) { return type_of<uint8_t>("uint8"); }
Type describe(Tag<int16_t>) { return type_of<int16_t>("int16"); }
Type describe(Tag<uint16_t>) { return type_of<uint16_t>("uint16"); }
Type describe(Tag<int32_t>) { return type_of<int32_t>("int32"); }
Type describe(Tag<uint32_t>) { return type_of<uint32_t>("uint32"); }
Type describe(Tag<int64_t>) { return type_of<int64_t>("int64"); }
// clang-format on
template <class T>
const Type kType = describe(Tag<T>{});

using Types = std::tuple<half, bfloat16_t, float, int4b_t, int8_t, uint8_t, int16_t, uint16_t,
                         int32_t, uint32_t, int64_t>;

// Calls `body` with a Tag of each type.
template <class Body>
void for_each_type(Body body) {
  [&]<class... T>(std::tuple<T...>*) { (body(Tag<T>{}), ...); }(static_cast<Types*>(nullptr));
}

Real power_of_2(int exponent) {
  static const std::vector<Real> powers = [] {
    std::vector<Real> result;
    for (int i = -150; i <= 128; ++i) result.push_back(std::ldexp(Real{1}, i));
    return result;
  }();
  return powers[size_t(exponent + 150)];
}

// The value of a float's magnitude by IEEE 754's own formula; what infinity's pattern would mean if
// exponents went on is where the next number would be.
Real value_of(uint32_t pattern, const Type& type) {
  const int bias = (1 << (type.exponent_bits - 1)) - 1;
  const int exponent = int(pattern >> type.fraction_bits);
  const uint32_t one = 1u << type.fraction_bits;
  const uint32_t fraction = pattern & (one - 1);
  const int unit = (exponent == 0 ? 1 : exponent) - bias - type.fraction_bits;
  return Real(exponent == 0 ? fraction : fraction + one) * power_of_2(unit);
}

// ---- The oracle ----

// A number of a type. A float that is no number is infinite or NaN.
struct Value {
  Real real = 0;  // with the sign of a zero; of an infinity only the sign counts
  bool infinite = false, nan = false;
};

std::ostream& operator<<(std::ostream& out, const Value& value) {
  if (value.nan) return out << "nan";
  if (value.infinite) return out << (value.real < 0 ? "-inf" : "inf");
  return out << std::hexfloat << value.real << std::defaultfloat;
}

bool same(const Value& a, const Value& b) {
  if (a.nan || b.nan) return a.nan == b.nan;
  if (a.infinite || b.infinite) {
    return a.infinite == b.infinite && std::signbit(a.real) == std::signbit(b.real);
  }
  return a.real == b.real && std::signbit(a.real) == std::signbit(b.real);
}

// The numbers around a magnitude in a type whose range has no end; equal if it is one of them.
struct Neighbours {
  Real below, above;
  bool below_is_odd;
};

Neighbours integers_around(Real magnitude) {
  const Real below = std::floor(magnitude);
  if (below == magnitude) return {below, below, false};
  return {below, below + 1, std::fmod(below, Real{2}) == 1};
}

// Patterns ascend with their values: a bisection. Past the largest number all are alike.
Neighbours floats_around(Real magnitude, const Type& type) {
  const uint32_t infinity = ((1u << type.exponent_bits) - 1) << type.fraction_bits;
  uint32_t low = 0, high = infinity;
  while (high - low > 1) {
    const uint32_t middle = (low + high) / 2;
    (value_of(middle, type) <= magnitude ? low : high) = middle;
  }
  const Real below = value_of(low, type);
  return {below, below == magnitude ? below : value_of(high, type), low % 2 == 1};
}

Real choose(const Neighbours& around, Real magnitude, bool negative, Round mode) {
  const auto [below, above, below_is_odd] = around;
  if (below == above) return below;
  const Real twice = 2 * magnitude, middle = below + above;
  switch (mode) {
    case Round::kNone:
    case Round::kRint:
      if (twice == middle) return below_is_odd ? above : below;
      return twice < middle ? below : above;
    case Round::kRound: return twice < middle ? below : above;
    case Round::kFloor: return negative ? above : below;
    case Round::kCeil: return negative ? below : above;
    case Round::kTrunc: return below;
    case Round::kOdd: return below_is_odd ? below : above;
  }
  return -1;
}

// Integers of up to 64 bits from one of any size, modulo 2^bits.
Real low_bits(Real integer, const Type& type) {
  if (integer >= type.least && integer <= type.most) return integer;
  const Real count = type.most - type.least + 1;
  const Real rest = std::fmod(integer, count);  // exact
  if (rest > type.most) return rest - count;
  return rest < type.least ? rest + count : rest;
}

Value integer_result(const Value& from, Real rounded, const Type& to, Overflow overflow) {
  if (from.nan) return {};
  const bool negative = std::signbit(from.real);
  if (overflow == Overflow::kSaturate) {
    if (from.infinite) return {negative ? to.least : to.most};
    const Real kept = std::min(std::max(rounded, to.least), to.most);
    return {kept == 0 ? 0 : kept};
  }
  if (from.infinite) {
    const int bits = to.most > Real(UINT32_MAX) ? 63 : 31;
    rounded = negative ? -std::ldexp(Real{1}, bits) : std::ldexp(Real{1}, bits) - 1;
  }
  const Real kept = low_bits(rounded, to);
  return {kept == 0 ? 0 : kept};
}

Value float_result(const Value& from, Real rounded, const Type& to, Overflow overflow) {
  const bool saturate = overflow == Overflow::kSaturate && to.fraction_bits != 23;
  if (from.nan) return saturate ? Value{} : from;
  const uint32_t infinity = ((1u << to.exponent_bits) - 1) << to.fraction_bits;
  const Real most = value_of(infinity - 1, to);
  if (from.infinite || std::fabs(rounded) > most) {
    return saturate ? Value{std::copysign(most, from.real)} : Value{from.real, true, false};
  }
  return {std::copysign(rounded, from.real)};
}

// The results of one value in each mode.
class Oracle {
 public:
  Oracle(const Value& from, const Type& from_type, const Type& to)
      : from_(from),
        to_(to),
        whole_(from_type.is_float && is_binary32(from_type) && is_binary32(to)) {
    const Real magnitude = std::fabs(from.real);
    if (from.nan || from.infinite) return;
    around_ = to.is_float && !whole_ ? floats_around(magnitude, to) : integers_around(magnitude);
  }

  Value result(Round mode, Overflow overflow) const {
    Real rounded = choose(around_, std::fabs(from_.real), std::signbit(from_.real), mode);
    rounded = std::copysign(rounded, from_.real);
    if (!to_.is_float) return integer_result(from_, rounded, to_, overflow);
    if (whole_ && rounded == 0 && !from_.nan && !from_.infinite) return {};
    return float_result(from_, rounded, to_, overflow);
  }

 private:
  static bool is_binary32(const Type& type) { return type.fraction_bits == 23; }
  Value from_;
  Type to_;
  bool whole_;  // float to float: to an integer
  Neighbours around_{};
};

// ---- What vinci's lanes mean ----

template <class Lane>
uint32_t bits_of(Lane lane) {
  uint32_t bits = 0;
  std::memcpy(&bits, &lane, std::min(sizeof bits, sizeof lane));
  return bits;
}

template <class T>
Value value_of_lane(LaneOf<T> lane) {
  const Type& type = kType<T>;
  if (!type.is_float) return {Real(lane)};
  const uint32_t bits = bits_of(lane);
  const uint32_t sign = 1u << (type.exponent_bits + type.fraction_bits);
  const uint32_t magnitude = bits & (sign - 1);
  const uint32_t infinity = sign - (1u << type.fraction_bits);
  const Real one = bits & sign ? -1 : 1;
  if (magnitude > infinity) return {0, false, true};
  if (magnitude == infinity) return {one, true, false};
  return {one * value_of(magnitude, type)};
}

template <class To, class From>
void check_pair(const std::vector<LaneOf<From>>& lanes) {
  for (const LaneOf<From> lane : lanes) {
    const Value from = value_of_lane<From>(lane);
    const Oracle oracle(from, kType<From>, kType<To>);
    for (const Overflow overflow : kOverflows) {
      for (const Round mode : kModes) {
        const LaneOf<To> got_lane = convert<To, From>(lane, mode, overflow);
        const Value got = value_of_lane<To>(got_lane);
        const Value wanted = oracle.result(mode, overflow);
        const bool right = same(got, wanted) && (!got.nan || bits_of(got_lane) == kType<To>.nan);
        ASSERT_TRUE(right) << kType<From>.name << " " << from << " to " << kType<To>.name
                           << ", mode " << int(mode) << ", overflow " << int(overflow) << ": got "
                           << got << ", wanted " << wanted;
      }
    }
  }
}

template <class From>
void check_all_results(const std::vector<LaneOf<From>>& lanes) {
  for_each_type([&]<class To>(Tag<To>) {
    constexpr bool kSame = std::is_same_v<To, From> && Format<To>::kIsFloat;
    if constexpr (!kSame || std::is_same_v<To, float>) check_pair<To, From>(lanes);
  });
}

// ---- The values ----

template <class Lane>
std::vector<Lane> every(int least, int most) {
  std::vector<Lane> lanes;
  for (int i = least; i <= most; ++i) lanes.push_back(Lane(i));
  return lanes;
}

// Both signs of 1/4 steps around each power of two from 2^-30 to 2^64: the ends of all integers,
// ties, and what is just beside them.
std::vector<float> floats_at_ends() {
  std::vector<float> floats;
  for (int power = -30; power <= 64; ++power) {
    for (int quarter = -40; quarter <= 40; ++quarter) {
      const float value = std::ldexp(1.0f, power) + float(quarter) / 4;
      for (const float near :
           {value, std::nextafter(value, -INFINITY), std::nextafter(value, INFINITY)}) {
        floats.push_back(near);
        floats.push_back(-near);
      }
    }
  }
  return floats;
}

// Numbers of a shorter format, the middles between them, and the floats beside both.
template <class T>
void add_ties(std::vector<float>& floats, unsigned step) {
  const Type& type = kType<T>;
  const uint32_t infinity = ((1u << type.exponent_bits) - 1) << type.fraction_bits;
  for (uint32_t pattern = 0; pattern < infinity; pattern += step) {
    const Real here = value_of(pattern, type), next = value_of(pattern + 1, type);
    for (const Real value : {here, (here + next) / 2, next}) {
      const auto exact = float(value);
      for (const float near :
           {exact, std::nextafter(exact, 0.0f), std::nextafter(exact, INFINITY)}) {
        floats.push_back(near);
        floats.push_back(-near);
      }
    }
  }
}

// Each exponent with fractions of few, many and random bits: zeros, subnormals, infinities, NaNs.
void add_exponents(std::vector<float>& floats, int count) {
  std::mt19937 random(20);
  for (uint32_t high = 0; high < 512; ++high) {  // sign and exponent
    for (int i = 0; i < count; ++i) {
      const uint32_t bits = uint32_t(random()), shift = uint32_t(random()) % 24;
      const uint32_t fractions[] = {bits, bits << shift, bits >> 9 >> shift, (1u << shift) - 1,
                                    ~((1u << shift) - 1)};
      floats.push_back(float_of_bits(high << 23 | (fractions[i % 5] & 0x7FFFFF)));
    }
    floats.push_back(float_of_bits(high << 23));
  }
}

// Values of few and of many bits at each length, the ends, and their neighbours.
template <class Integer>
std::vector<Integer> integers(int count) {
  using Unsigned = std::make_unsigned_t<Integer>;
  constexpr int kBits = 8 * sizeof(Integer);
  std::mt19937_64 random(21);
  std::vector<Integer> lanes;
  const auto add = [&](Unsigned value) {
    for (int near = -3; near <= 3; ++near) {
      lanes.push_back(Integer(value + Unsigned(near)));
      lanes.push_back(Integer(Unsigned{0} - value + Unsigned(near)));
    }
  };
  for (int bit = 0; bit < kBits; ++bit) {
    const Unsigned power = Unsigned(Unsigned{1} << bit);
    add(power);
    for (int last = 0; last < bit; ++last) add(power + Unsigned(Unsigned{1} << last));
    for (int i = 0; i < count; ++i) {  // cut after some bits, so that ties are frequent
      const int zeros = int(random() % unsigned(bit + 1));
      add(power + Unsigned((random() & (power - 1)) >> zeros << zeros));
    }
  }
  return lanes;
}

TEST(Convert, EveryHalfToEveryType) { check_all_results<half>(every<uint16_t>(0, 65535)); }
TEST(Convert, EveryBfloat16ToEveryType) {
  check_all_results<bfloat16_t>(every<uint16_t>(0, 65535));
}
TEST(Convert, EveryShortIntegerToEveryType) {
  check_all_results<int4b_t>(every<int8_t>(-8, 7));
  check_all_results<int8_t>(every<int8_t>(-128, 127));
  check_all_results<uint8_t>(every<uint8_t>(0, 255));
  check_all_results<int16_t>(every<int16_t>(-32768, 32767));
  check_all_results<uint16_t>(every<uint16_t>(0, 65535));
}
TEST(Convert, LongIntegersToEveryType) {
  check_all_results<int32_t>(integers<int32_t>(16));
  check_all_results<uint32_t>(integers<uint32_t>(16));
  check_all_results<int64_t>(integers<int64_t>(16));
}
TEST(Convert, FloatsOfEveryExponentToEveryType) {
  std::vector<float> floats;
  add_exponents(floats, 300);
  check_all_results<float>(floats);
}
TEST(Convert, FloatsAtTheEndsOfIntegersToEveryType) { check_all_results<float>(floats_at_ends()); }
TEST(Convert, FloatsBesideEveryHalf) {
  std::vector<float> floats;
  add_ties<half>(floats, 1);
  check_pair<half, float>(floats);
  check_pair<float, float>(floats);
}
TEST(Convert, FloatsBesideEveryBfloat16) {
  std::vector<float> floats;
  add_ties<bfloat16_t>(floats, 1);
  check_pair<bfloat16_t, float>(floats);
}

// ---- Results worked out by hand ----

TEST(Convert, ResultsWorkedOutByHand) {
  struct Row {
    float value;
    std::vector<uint16_t> half_bits;  // kRint, kFloor, kCeil, kRound, kTrunc, kOdd
  };
  const Row rows[] = {
      {0x1p-25f, {0x0000, 0x0000, 0x0001, 0x0001, 0x0000, 0x0001}},
      {0x1p-26f, {0x0000, 0x0000, 0x0001, 0x0000, 0x0000, 0x0001}},
      {0x3p-26f, {0x0001, 0x0000, 0x0001, 0x0001, 0x0000, 0x0001}},
      {-0x1p-25f, {0x8000, 0x8001, 0x8000, 0x8001, 0x8000, 0x8001}},
      {1 + 0x1p-11f, {0x3C00, 0x3C00, 0x3C01, 0x3C01, 0x3C00, 0x3C01}},
      {1 + 0x3p-11f, {0x3C02, 0x3C01, 0x3C02, 0x3C02, 0x3C01, 0x3C01}},
      {-1 - 0x1p-11f, {0xBC00, 0xBC01, 0xBC00, 0xBC01, 0xBC00, 0xBC01}},
      {65520.0f, {0x7C00, 0x7BFF, 0x7C00, 0x7C00, 0x7BFF, 0x7BFF}},
      {-70000.0f, {0xFC00, 0xFC00, 0xFBFF, 0xFC00, 0xFBFF, 0xFBFF}},
  };
  for (const auto& [value, half_bits] : rows) {
    for (size_t i = 0; i < half_bits.size(); ++i) {
      const auto mode = Round(size_t(Round::kRint) + i);
      EXPECT_EQ((convert<half, float>(value, mode, Overflow::kWrapOrInf)), half_bits[i]) << value;
    }
  }
  EXPECT_EQ((convert<half, float>(65520.0f, Round::kRint, Overflow::kSaturate)), 0x7BFF);
  EXPECT_EQ((convert<uint8_t, float>(-200.0f, Round::kRint, Overflow::kWrapOrInf)), 56);
  EXPECT_EQ((convert<int16_t, float>(70000.0f, Round::kRint, Overflow::kWrapOrInf)), 4464);
}

// ---- The examples of the documents, by their numbers there ----

// The results in kRint, kFloor, kCeil, kRound, kTrunc and, if asked for, kOdd.
template <class To, class From>
std::vector<Real> results(LaneOf<From> from, int count = 5) {
  std::vector<Real> all;
  for (int i = 0; i < count; ++i) {
    const auto mode = Round(int(Round::kRint) + i);
    all.push_back(value_of_lane<To>(convert<To, From>(from, mode, Overflow::kSaturate)).real);
  }
  return all;
}

template <class To, class From>
Real result(LaneOf<From> from) {
  return value_of_lane<To>(convert<To, From>(from, Round::kNone, Overflow::kSaturate)).real;
}

using Reals = std::vector<Real>;
constexpr uint16_t kHalfOf127d5 = 0x57F8, kHalfOf1d75 = 0x3F00;

TEST(ConvertExamples, FromFloat) {
  EXPECT_EQ((results<float, float>(0.5f)), (Reals{0, 0, 1, 1, 0}));  // 1
  const Real low = 0.5, high = 0.5 + 0x1p-11;
  EXPECT_EQ((results<half, float>(0.5f + 0x1p-12f, 6)),
            (Reals{low, low, high, high, low, high}));  // 2
  const float big = 0x1p22f;
  const Reals whole{big, big, big + 1, big + 1, big};
  EXPECT_EQ((results<int64_t, float>(big + 0.5f)), whole);            // 3
  EXPECT_EQ((results<int32_t, float>(big + 0.5f)), whole);            // 4
  EXPECT_EQ((results<int16_t, float>(big + 0.5f)), Reals(5, 32767));  // 5
}

TEST(ConvertExamples, FromHalf) {
  EXPECT_EQ((result<float, half>(0x3DFF)), 1.5f - 0x1p-10f);                            // 6
  EXPECT_EQ((results<int32_t, half>(0xBE00)), (Reals{-2, -2, -1, -2, -1}));             // 7
  EXPECT_EQ((results<int16_t, half>(kHalfOf127d5)), (Reals{128, 127, 128, 128, 127}));  // 8
  EXPECT_EQ((results<int8_t, half>(kHalfOf127d5)), Reals(5, 127));                      // 9
  // 10: printed with a 2 at the end, but 1.75 towards zero is 1.
  EXPECT_EQ((results<uint8_t, half>(kHalfOf1d75)), (Reals{2, 1, 2, 2, 1}));
}

// 15, 16 and 18 have a scale: dequantize_test.cpp.
TEST(ConvertExamples, FromIntegers) {
  EXPECT_EQ((result<half, uint8_t>(1)), 1);                                              // 11
  EXPECT_EQ((result<half, int8_t>(-1)), -1);                                             // 12
  EXPECT_EQ((results<half, int16_t>(4096 + 2)), (Reals{4096, 4096, 4100, 4100, 4096}));  // 13
  EXPECT_EQ((result<float, int16_t>(32767)), 32767);                                     // 14
  const Real low = 0x1p25, high = low + 4;
  EXPECT_EQ((results<float, int32_t>((1 << 25) + 3)), (Reals{high, low, high, high, low}));  // 17
  EXPECT_EQ((result<int64_t, int32_t>(INT32_MAX)), INT32_MAX);                               // 19
  EXPECT_EQ((result<int16_t, int32_t>(INT32_MAX)), INT16_MAX);                               // 20
  EXPECT_EQ((result<int32_t, int64_t>(int64_t{1} << 31)), INT32_MAX);                        // 21
  // 22: all but the first are printed with 2^25 where 2^35 is meant.
  const Real down = 0x1p35 + 0x1p12, up = 0x1p35 + 0x1p13;
  EXPECT_EQ((results<float, int64_t>((int64_t{1} << 35) + (1 << 12) + (1 << 11))),
            (Reals{up, down, up, up, down}));
}

static_assert(convert<half, float>(65520.0f, Round::kRint, Overflow::kWrapOrInf) == 0x7C00);
static_assert(convert<int8_t, float>(300.5f, Round::kFloor, Overflow::kWrapOrInf) == 44);

}  // namespace
}  // namespace vinci
