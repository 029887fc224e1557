// axpy: dst[i] = dst[i] + src[i] * scalar, rounded twice: the product, then the sum.
//
// half goes into half or float. Sources and decisions: docs/spec/axpy.md.
#include "isa/family/multiply_add.h"

namespace vinci::isa {
namespace {

using enum DType;
using namespace vinci::vector;

constexpr Signature kMixed[] = {kHalf, kFloat, {kFloat, kHalf}};
constexpr Support kSupport[] = {{kOlder | kNewer, kMixed}};

template <class To, class From, bool saturate>
void add_products(const LaneArrays& arrays, Floats scalar) {
  in_vectors(
      reinterpret_cast<To*>(arrays.dst), arrays.count, kNanOf<To, saturate>,
      [&](const From* x, const To* before) {
        return sum<To, saturate>(product<To, saturate>(load(x), scalar), load(before));
      },
      reinterpret_cast<const From*>(arrays.src[0]), reinterpret_cast<const To*>(arrays.src[1]));
}

void compute(const ElementwiseRecord& record, const State& state, const LaneRows& rows) {
  const bool from_half = record.src0.dtype == kHalf;
  const Floats scalar = all_of(from_half ? float_of_half(uint16_t(record.scalar))
                                         : float_of_bits(uint32_t(record.scalar)));
  rows.for_each([&](const LaneArrays& arrays) {
    if (record.dst.dtype == kFloat) {
      from_half ? add_products<float, uint16_t, false>(arrays, scalar)
                : add_products<float, float, false>(arrays, scalar);
    } else if (state.registers.overflow.floats_saturate) {
      add_products<uint16_t, uint16_t, true>(arrays, scalar);
    } else {
      add_products<uint16_t, uint16_t, false>(arrays, scalar);
    }
  });
}

}  // namespace

extern constinit const Instruction axpy =
    elementwise_instruction<ElementwiseRecord, 1, compute, no_rules<ElementwiseRecord>,
                            view_with_dst>("axpy", "Axpy", kSupport);

}  // namespace vinci::isa
