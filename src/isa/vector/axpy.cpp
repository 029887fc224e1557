// axpy: dst[i] = dst[i] + src[i] * scalar, rounded twice: the product, then the sum.
//
// half goes into half or float. Sources and decisions: docs/spec/axpy.md.
#include "isa/family/multiply_add.h"

namespace vinci::isa {
namespace {

using enum DType;
using namespace vinci::vector;

constexpr Support kSupport[] = {{kOlder | kNewer, kMixed}};

template <class To, class From, bool saturate>
void add_products(const LaneRows& rows, Floats scalar) {
  rows.for_each([&](const LaneArrays& arrays) {
    in_vectors(
        reinterpret_cast<To*>(arrays.dst), arrays.count, kNanOf<To, saturate>,
        [&](const From* x, const To* before) {
          return sum<To, saturate>(product<To, saturate>(load(x), scalar), load(before));
        },
        reinterpret_cast<const From*>(arrays.src[0]), reinterpret_cast<const To*>(arrays.src[1]));
  });
}

void compute(const ElementwiseRecord& record, const State& state, const LaneRows& rows) {
  const Floats scalar = all_of(record.src0.dtype == kHalf ? float_of_half(uint16_t(record.scalar))
                                                          : float_of_bits(uint32_t(record.scalar)));
  with_types<kSupport>(record, [&]<class To, class From>() {
    constexpr bool kMaySaturate = std::is_same_v<To, half>;
    const bool saturate = kMaySaturate && state.registers.overflow.floats_saturate;
    saturate ? add_products<Stored<To>, Stored<From>, kMaySaturate>(rows, scalar)
             : add_products<Stored<To>, Stored<From>, false>(rows, scalar);
  });
}

}  // namespace

extern constinit const Instruction axpy =
    elementwise_instruction<ElementwiseRecord, 1, compute, no_rules<ElementwiseRecord>,
                            view_with_dst>("axpy", "Axpy", kSupport);

}  // namespace vinci::isa
