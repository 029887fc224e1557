// convert_array() against convert(), one number at a time, which has an oracle of its own in
// convert_test.cpp. CMakeLists.txt runs this at every level of the host.
#include "kernel/convert_array.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "numeric/dtype.h"
#include "stratified.h"
#include "unit/roundings.h"

namespace vinci {
namespace {

using AscendC::int4b_t;

constexpr unsigned kSeed = 31;

template <class To, class From>
struct Pair {
  using to = To;
  using from = From;
};
using Pairs =
    std::tuple<Pair<float, half>, Pair<int32_t, half>, Pair<int16_t, half>, Pair<int8_t, half>,
               Pair<uint8_t, half>, Pair<int4b_t, half>, Pair<half, float>, Pair<bfloat16_t, float>,
               Pair<float, float>, Pair<int64_t, float>, Pair<int32_t, float>, Pair<int16_t, float>,
               Pair<float, bfloat16_t>, Pair<int32_t, bfloat16_t>, Pair<half, int4b_t>,
               Pair<half, int8_t>, Pair<half, uint8_t>, Pair<half, int16_t>, Pair<float, int16_t>,
               Pair<int8_t, int16_t>, Pair<uint8_t, int16_t>, Pair<float, int32_t>,
               Pair<int64_t, int32_t>, Pair<int16_t, int32_t>, Pair<float, int64_t>,
               Pair<int32_t, int64_t>>;

template <class Body>
void for_each_pair(Body body) {
  [&]<class... P>(std::tuple<P...>*) { (body(P{}), ...); }(static_cast<Pairs*>(nullptr));
}

template <class T>
std::vector<LaneOf<T>> values() {
  std::vector<LaneOf<T>> lanes;
  if constexpr (std::is_same_v<T, int4b_t>) {
    for (int i = 0; i < 256; ++i) {  // each beside each
      lanes.push_back(int8_t(i % 16 - 8));
      lanes.push_back(int8_t(i / 16 - 8));
    }
  } else if constexpr (std::is_same_v<T, float>) {
    for (const uint32_t bits : stratified_floats(kSeed)) lanes.push_back(float_of_bits(bits));
  } else if constexpr (sizeof(LaneOf<T>) <= 2) {
    for (int i = 0; i < 1 << (8 * sizeof(LaneOf<T>)); ++i) lanes.push_back(LaneOf<T>(i));
  } else {
    for (const uint64_t bits : stratified_integers(8 * sizeof(T), kSeed)) lanes.push_back(T(bits));
  }
  return lanes;
}

// As it lies in memory.
template <class T>
std::vector<uint8_t> packed(const std::vector<LaneOf<T>>& lanes) {
  std::vector<uint8_t> bytes(bytes_of(dtype_of<T>, lanes.size()));
  if constexpr (std::is_same_v<T, int4b_t>) {
    for (size_t i = 0; i < lanes.size(); ++i) {
      bytes[i / 2] = uint8_t(bytes[i / 2] | (lanes[i] & 15) << (i % 2 * 4));
    }
  } else if (!lanes.empty()) {
    std::memcpy(bytes.data(), lanes.data(), bytes.size());
  }
  return bytes;
}

template <class To, class From>
std::vector<uint8_t> one_at_a_time(const std::vector<LaneOf<From>>& lanes, Round mode,
                                   Overflow overflow) {
  std::vector<LaneOf<To>> results;
  for (const LaneOf<From> lane : lanes) {
    results.push_back(convert<To, From>(lane, mode, overflow));
  }
  return packed<To>(results);
}

// "half to int8, mode 1, overflow 0"
std::string name_of(DType to, DType from, Round mode, Overflow overflow) {
  return std::string(name_of(from)) + " to " + std::string(name_of(to)) + ", mode " +
         std::to_string(int(mode)) + ", overflow " + std::to_string(int(overflow));
}

// Calls body(loop, mode, overflow, what) for each.
template <class To, class From, class Body>
void for_each_loop(Body body) {
  for (const Overflow overflow : kOverflows) {
    for (const Round mode : kModes) {
      const ConvertArray loop = convert_array(dtype_of<To>, dtype_of<From>, mode, overflow);
      const std::string what = name_of(dtype_of<To>, dtype_of<From>, mode, overflow);
      ASSERT_NE(loop, nullptr) << what;
      body(loop, mode, overflow, what);
    }
  }
}

// The first byte that differs, or -1.
ptrdiff_t difference(const uint8_t* a, const uint8_t* b, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    if (a[i] != b[i]) return ptrdiff_t(i);
  }
  return -1;
}

TEST(ConvertArray, EveryPairIsThatOfConvert) {
  for_each_pair([]<class To, class From>(Pair<To, From>) {
    const std::vector<LaneOf<From>> lanes = values<From>();
    const std::vector<uint8_t> in = packed<From>(lanes);
    for_each_loop<To, From>([&](ConvertArray loop, Round mode, Overflow overflow, auto what) {
      const std::vector<uint8_t> wanted = one_at_a_time<To, From>(lanes, mode, overflow);
      std::vector<uint8_t> out(wanted.size(), 0xA5);
      loop(in.data(), out.data(), lanes.size());
      const ptrdiff_t wrong = difference(out.data(), wanted.data(), out.size());
      ASSERT_EQ(wrong, -1) << what << ": element " << wrong * 8 / bits_of(dtype_of<To>) << " of "
                           << lanes.size() << ", seed " << kSeed;
    });
  });
}

// Patterns of a float type beside which something changes: exponents, ends of ranges, NaN.
template <class T>
std::vector<LaneOf<T>> edges() {
  std::vector<uint32_t> patterns;
  constexpr bool kWide = std::is_same_v<T, float>;
  for (uint32_t high = 0; high < 1024; ++high) {
    for (const uint32_t near : {0u, 1u, ~0u}) patterns.push_back((high << (kWide ? 22 : 6)) + near);
  }
  for (const uint32_t most : {0x477FE000u, 0x477FF000u, 0x7F7F0000u, 0x7F7F8000u}) {  // 16-bit ends
    for (const uint32_t near : {0u, 1u, ~0u}) {
      patterns.push_back(most + near);
      patterns.push_back((most + near) | 0x80000000);
    }
  }
  std::vector<LaneOf<T>> lanes;
  for (const uint32_t bits : patterns) lanes.push_back(lane_of_bits<T>(bits));
  return lanes;
}

// A step has a shorter way if all its numbers are ordinary: each number decides that by itself, and
// either way is right for its neighbours.
TEST(ConvertArray, NumbersThatNeedCareBesideOthers) {
  constexpr size_t kApart = 32;
  for_each_pair([]<class To, class From>(Pair<To, From>) {
    if constexpr (Format<From>::kIsFloat) {
      const std::vector<LaneOf<From>> subjects = edges<From>();
      for (const uint32_t beside : {0u, Format<From>::kNan}) {
        std::vector<LaneOf<From>> lanes(subjects.size() * kApart, lane_of_bits<From>(beside));
        for (size_t i = 0; i < subjects.size(); ++i) lanes[i * kApart + i % kApart] = subjects[i];
        const std::vector<uint8_t> in = packed<From>(lanes);
        for_each_loop<To, From>([&](ConvertArray loop, Round mode, Overflow overflow, auto what) {
          std::vector<uint8_t> out(bytes_of(dtype_of<To>, lanes.size()));
          loop(in.data(), out.data(), lanes.size());
          const ptrdiff_t wrong = difference(
              out.data(), one_at_a_time<To, From>(lanes, mode, overflow).data(), out.size());
          ASSERT_EQ(wrong, -1) << what << ": edge "
                               << wrong * 8 / bits_of(dtype_of<To>) / ptrdiff_t(kApart);
        });
      }
    }
  });
}

// Every length up to some steps, at addresses that are aligned to a byte only; nothing is read or
// written around the arrays.
TEST(ConvertArray, LengthsAndAddresses) {
  constexpr size_t kGuard = 9, kMost = 50;
  for_each_pair([]<class To, class From>(Pair<To, From>) {
    const std::vector<LaneOf<From>> all = values<From>();
    for_each_loop<To, From>([&](ConvertArray loop, Round mode, Overflow overflow, auto what) {
      for (size_t count = 0; count <= kMost;
           count += bits_of(dtype_of<From>) == 4 || bits_of(dtype_of<To>) == 4 ? 2 : 1) {
        const size_t first = count * 311 % (all.size() - count) / 2 * 2;
        const std::vector<LaneOf<From>> lanes(all.begin() + ptrdiff_t(first),
                                              all.begin() + ptrdiff_t(first + count));
        const std::vector<uint8_t> in = packed<From>(lanes);
        const std::vector<uint8_t> results = one_at_a_time<To, From>(lanes, mode, overflow);
        // Exactly as long as the array, for sanitizers; one byte before makes the address odd.
        std::vector<uint8_t> odd_in(1 + in.size());
        std::copy(in.begin(), in.end(), odd_in.begin() + 1);
        std::vector<uint8_t> out(kGuard + results.size() + kGuard, 0xA5), wanted = out;
        std::copy(results.begin(), results.end(), wanted.begin() + kGuard);
        loop(odd_in.data() + 1, out.data() + kGuard, count);
        ASSERT_EQ(out, wanted) << what << ", " << count << " elements";
      }
    });
  });
}

TEST(ConvertArray, InPlace) {
  int pairs = 0;
  for_each_pair([&]<class To, class From>(Pair<To, From>) {
    if constexpr (sizeof(LaneOf<To>) == sizeof(LaneOf<From>)) {
      ++pairs;
      std::vector<LaneOf<From>> lanes = values<From>();
      lanes.resize(std::min<size_t>(lanes.size(), 5003));
      for_each_loop<To, From>([&](ConvertArray loop, Round mode, Overflow overflow, auto what) {
        std::vector<uint8_t> array = packed<From>(lanes);
        loop(array.data(), array.data(), lanes.size());
        ASSERT_EQ(array, (one_at_a_time<To, From>(lanes, mode, overflow))) << what;
      });
    }
  });
  EXPECT_EQ(pairs, 5);
}

TEST(ConvertArray, OtherPairsAreNull) {
  int pairs = 0;
  for (int to = 0; to <= int(DType::kNone); ++to) {
    for (int from = 0; from <= int(DType::kNone); ++from) {
      bool listed = false;
      for_each_pair([&]<class To, class From>(Pair<To, From>) {
        listed |= dtype_of<To> == DType(to) && dtype_of<From> == DType(from);
      });
      pairs += listed;
      const auto loop = convert_array(DType(to), DType(from), Round::kRint, Overflow::kSaturate);
      EXPECT_EQ(loop != nullptr, listed) << to << " from " << from;
    }
  }
  EXPECT_EQ(pairs, int(std::tuple_size_v<Pairs>));
}

}  // namespace
}  // namespace vinci
