// The arithmetic of reductions, on the lanes of one repeat that lie without gaps.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "isa/family/float_order.h"
#include "isa/family/lanes.h"
#include "kernel/half_array.h"
#include "kernel/lane_loop.h"

namespace vinci::vector {

// How the elements of a repeat lie in memory: uint16_t as half, uint32_t as float.
template <class Bits>
inline constexpr Bits kCanonicalNan = sizeof(Bits) == 2 ? kHalfNan : Bits(kFloatNan);

// Calls f(begin, end) for the lanes below `lanes` that are not enabled in a repeat.
template <class F>
void for_each_gap(const LanePlan& plan, uint64_t repeat, unsigned lanes, F f) {
  unsigned begin = 0;
  plan.for_each_run(repeat, [&](LaneRun run) {
    if (begin < run.begin) f(begin, run.begin);
    begin = run.end;
  });
  if (begin < lanes) f(begin, lanes);
}

// Every sum as the operands' type has it.
template <class Bits, bool saturate>
[[gnu::always_inline]] inline Floats rounded(Floats x) {
  if constexpr (sizeof(Bits) == 2) {
    alignas(16) uint16_t halves[kFloatsAtOnce];
    store_halves(saturate ? without_nan(in_half_range<true>(x), 0) : x, halves);
    return load_halves(halves);
  } else {
    return x;
  }
}

// Adds neighbours, and neighbours of these sums, until `left` of `count` numbers are left. All are
// powers of two; x has room for two vectors more than it has numbers.
template <class Bits, bool saturate>
void add_neighbours(float* x, unsigned count, unsigned left) {
  for (; count > left; count /= 2) {
    for (unsigned i = 0; i < count; i += 2 * kFloatsAtOnce) {
      const Floats low = load_floats(x + i), high = load_floats(x + i + kFloatsAtOnce);
      store_floats(rounded<Bits, saturate>(evens_of(low, high) + odds_of(low, high)), x + i / 2);
    }
  }
}

// The sums of each group of lanes. A lane that is not enabled is -0, which changes no other number.
template <class Bits, bool saturate>
void sum_groups(const uint8_t* lanes, const LanePlan& plan, uint64_t repeat, unsigned groups,
                uint8_t* sums) {
  alignas(64) float x[kMostLanes + 2 * kFloatsAtOnce] = {};
  const unsigned end = plan.end_lane(repeat);
  if constexpr (sizeof(Bits) == 2) {
    floats_of_halves(reinterpret_cast<const uint16_t*>(lanes), x, end);
  } else {
    std::memcpy(x, lanes, end * sizeof(float));
  }
  for_each_gap(plan, repeat, plan.lanes(),
               [&](unsigned from, unsigned to) { std::fill(x + from, x + to, -0.0f); });
  add_neighbours<Bits, saturate>(x, plan.lanes(), groups);
  if constexpr (sizeof(Bits) == 2) {
    halves_of_floats<saturate>(x, reinterpret_cast<uint16_t*>(sums), groups);
  } else {
    for (unsigned i = 0; i < groups; ++i) x[i] = x[i] != x[i] ? __builtin_nanf("") : x[i];
    std::memcpy(sums, x, groups * sizeof(float));
  }
}

// A number as an instruction leaves it in memory.
template <class Bits, bool saturate>
Bits finished(Bits bits) {
  const Bits magnitude = bits & std::numeric_limits<std::make_signed_t<Bits>>::max();
  if (magnitude > kInfinity<Bits>) return saturate ? Bits(0) : kCanonicalNan<Bits>;
  return saturate && magnitude == kInfinity<Bits> ? Bits(bits - 1) : bits;
}

// The largest or smallest enabled lane of each group, the first of equals: f(group, value, lane in
// the group).
template <class Bits, bool saturate, class F>
void pick_groups(const uint8_t* lanes, const LanePlan& plan, uint64_t repeat, unsigned groups,
                 bool smallest, F f) {
  using Key = std::make_signed_t<Bits>;
  alignas(64) Key keys[kMostLanes];
  const unsigned end = plan.end_lane(repeat);
  const auto* bits = reinterpret_cast<const Bits*>(lanes);
  VINCI_LANE_LOOP
  for (unsigned i = 0; i < end; ++i) keys[i] = key_of(bits[i], smallest);
  for_each_gap(plan, repeat, plan.lanes(), [&](unsigned from, unsigned to) {
    std::fill(keys + from, keys + to, std::numeric_limits<Key>::min());
  });
  const unsigned size = plan.lanes() / groups;
  for (unsigned group = 0; group < groups; ++group) {
    const Key* first = keys + group * size;
    Key most = first[0];
    for (unsigned i = 1; i < size; ++i) most = std::max(most, first[i]);
    if (most == std::numeric_limits<Key>::min()) continue;
    const unsigned lane = unsigned(std::find(first, first + size, most) - first);
    f(group, finished<Bits, saturate>(bits[group * size + lane]), lane);
  }
}

}  // namespace vinci::vector
