// What becomes of GM when a copy combines with it.
#include "isa/move/atomic.h"

#include <algorithm>

#include <fmt/format.h>

#include "isa/family/arithmetic.h"
#include "numeric/dtype.h"

namespace vinci::atomic {
namespace {

// Infinities become the largest number and NaN 0, in every mode of the core.
uint16_t saturated_bfloat16(float value) {
  constexpr uint16_t kMost = 0x7F7F, kInfinity = 0x7F80;
  const uint16_t bits = bfloat16_of_float(value);
  const uint16_t magnitude = bits & 0x7FFF;
  if (magnitude < kInfinity) return bits;
  return magnitude > kInfinity ? 0 : uint16_t((bits & 0x8000) | kMost);
}

// The types of the 2201 are those of all chips.
static_assert(vector::names_only(k2002Types, k2201Types) &&
              vector::names_only(k3002Types, k2201Types) && vector::names_only(kFloat, k2201Types));

// In float, rounded once.
template <class Operation>
void combine_bfloat16(uint16_t* to, const uint16_t* from, size_t count) {
  constexpr size_t kChunk = 256;
  float a[kChunk], b[kChunk];
  for (size_t first = 0; first < count; first += kChunk) {
    const size_t n = std::min(kChunk, count - first);
    for (size_t i = 0; i < n; ++i) {
      a[i] = float_of_bfloat16(to[first + i]);
      b[i] = float_of_bfloat16(from[first + i]);
    }
    vector::run<Operation, vector::Second::kSource>(a, b, 0.0f, a, n, false);
    for (size_t i = 0; i < n; ++i) to[first + i] = saturated_bfloat16(a[i]);
  }
}

template <class Operation>
void combine_with(DType dtype, const State& state, uint8_t* to, const uint8_t* from,
                  uint64_t bytes) {
  const size_t count = bytes * 8 / bits_of(dtype);
  vector::with_type<k2201Types>(dtype, [&]<class T>() {
    if constexpr (std::is_same_v<T, bfloat16_t>) {
      combine_bfloat16<Operation>(reinterpret_cast<uint16_t*>(to),
                                  reinterpret_cast<const uint16_t*>(from), count);
    } else {
      vector::run_type<Operation, vector::Second::kSource, T>(ElementwiseRecord{}, state,
                                                              {{{to, from}, to, count}, 1, {}, 0});
    }
  });
}

}  // namespace

bool combines(const Operand& dst, const Soc& soc, const Registers& registers) {
  return registers.atomic.op != Op::kNone && soc.space_of(dst.position) == Space::kGm;
}

void check(const Operand& dst, Check& check) {
  if (!combines(dst, check.soc(), check.registers())) return;
  const AtomicRegister& mode = check.registers().atomic;
  if (mode.dtype != dst.dtype) {
    check.fail(Code::kCombination,
               fmt::format("dst holds {}, while copies into GM combine {}", name_of(dst.dtype),
                           name_of(mode.dtype)),
               "the same type, or DisableDmaAtomic before the copy");
    return;
  }
  check.aligned("dst", dst, bits_of(dst.dtype) / 8);
}

void add_reads(const Operand& dst, Footprint& footprint) {
  if (!combines(dst, footprint.soc(), footprint.registers())) return;
  const size_t regions = footprint.regions().size();
  for (size_t i = 0; i < regions; ++i) {
    Region region = footprint.regions()[i];
    if (region.operand.address != dst.address || region.access != Access::kWrite) continue;
    region.access = Access::kRead;
    footprint.add(region);
  }
}

Store::Store(const Operand& dst, const State& state) : state_(state) {
  if (!atomic::combines(dst, state.soc, state.registers)) return;
  op_ = state.registers.atomic.op;
  dtype_ = state.registers.atomic.dtype;
}

void Store::combine(uint8_t* to, const uint8_t* from, uint64_t bytes) const {
  switch (op_) {
    case Op::kNone: return;
    case Op::kAdd: return combine_with<vector::Sum>(dtype_, state_, to, from, bytes);
    case Op::kMax: return combine_with<vector::Larger>(dtype_, state_, to, from, bytes);
    case Op::kMin: return combine_with<vector::Smaller>(dtype_, state_, to, from, bytes);
  }
}

}  // namespace vinci::atomic
