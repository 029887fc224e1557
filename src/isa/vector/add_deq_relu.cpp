// add_deq_relu: dst[i] = (src0[i] + src1[i]) * scale as a half, if that is above 0, else +0.
//
// The scale is SetDeqScale's. Sources and decisions: docs/spec/add_deq_relu.md.
#include "isa/family/arithmetic.h"
#include "isa/family/deq_scale.h"

namespace vinci::isa {
namespace {

using enum DType;
using namespace vinci::vector;

constexpr Signature kTypes[] = {{kHalf, kInt32}};
constexpr Support kSupport[] = {{kArch2002 | kArch2201, kTypes}};

void check(const ElementwiseRecord&, Check& check) { check_half_scale(check); }

// Sums have no room in dst: some lanes at a time.
void scale_sums(const State& state, const LaneArrays& arrays) {
  const OverflowModes& modes = state.registers.overflow;
  const auto scale = uint16_t(state.registers.deq_scale.word);
  const auto source = [&](unsigned i) { return reinterpret_cast<const int32_t*>(arrays.src[i]); };
  int32_t sums[kMostLanes];
  for (size_t first = 0; first < arrays.count; first += kMostLanes) {
    const size_t n = std::min<size_t>(kMostLanes, arrays.count - first);
    run_overflowing<Sum, Second::kSource>(source(0) + first, source(1) + first, 0, sums, n,
                                          modes.integers_clamp);
    halves_of_scaled(sums, scale, reinterpret_cast<uint16_t*>(arrays.dst) + first, n,
                     modes.floats_saturate);
  }
}

void compute(const ElementwiseRecord& record, const State& state, const LaneRows& rows) {
  rows.for_each([&](const LaneArrays& arrays) {
    scale_sums(state, arrays);
    const LaneArrays results{{arrays.dst}, arrays.dst, arrays.count};
    run_type<Positive, Second::kNone, half>(record, state, {results, 1, {}, 0});
  });
}

}  // namespace

extern constinit const Instruction add_deq_relu =
    elementwise_instruction<ElementwiseRecord, 2, compute, check>("add_deq_relu", "AddDeqRelu",
                                                                  kSupport);

}  // namespace vinci::isa
