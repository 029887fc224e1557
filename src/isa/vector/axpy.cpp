// axpy: dst[i] = dst[i] + src[i] * scalar, rounded twice: the product, then the sum.
//
// half goes into half or float. Sources and decisions: docs/spec/axpy.md.
#include "isa/family/arithmetic.h"

namespace vinci::isa {
namespace {

using enum DType;
using namespace vinci::vector;

constexpr Signature kMixed[] = {kHalf, kFloat, {kFloat, kHalf}};
constexpr Support kSupport[] = {{kOlder | kNewer, kMixed}};

// dst is a source too.
View view(const ElementwiseRecord& record) {
  View view = view_of(record);
  view.src[1] = view.dst;
  view.sources = 2;
  return view;
}

// Products are exact if they come from halves.
template <class S>
void add_to_floats(const LaneArrays& arrays, Floats scalar) {
  in_vectors(reinterpret_cast<const S*>(arrays.src[0]),
             reinterpret_cast<const float*>(arrays.src[1]), reinterpret_cast<float*>(arrays.dst),
             arrays.count, __builtin_nanf(""),
             [&](const S* x, const float* before) { return load(before) + load(x) * scalar; });
}

template <bool saturate>
void add_to_halves(const LaneArrays& arrays, Floats scalar) {
  in_vectors(reinterpret_cast<const uint16_t*>(arrays.src[0]),
             reinterpret_cast<const uint16_t*>(arrays.src[1]),
             reinterpret_cast<uint16_t*>(arrays.dst), arrays.count, kNanOfHalf<saturate>,
             [&](const uint16_t* x, const uint16_t* before) {
               uint16_t product[kFloatsAtOnce];
               const Floats exact = in_half_range<saturate>(load(x) * scalar);
               store(without_nan(exact, kNanOfHalf<saturate>), product);
               return in_half_range<saturate>(load(before) + load(product));
             });
}

void compute(const ElementwiseRecord& record, const Core& core, const LaneRows& rows) {
  const bool from_half = record.src0.dtype == kHalf;
  const Floats scalar = all_of(from_half ? float_of_half(uint16_t(record.scalar))
                                         : float_of_bits(uint32_t(record.scalar)));
  rows.for_each([&](const LaneArrays& arrays) {
    if (record.dst.dtype == kFloat) {
      from_half ? add_to_floats<uint16_t>(arrays, scalar) : add_to_floats<float>(arrays, scalar);
    } else if (core.registers().overflow.floats_saturate) {
      add_to_halves<true>(arrays, scalar);
    } else {
      add_to_halves<false>(arrays, scalar);
    }
  });
}

}  // namespace

extern constinit const Instruction axpy =
    elementwise_instruction<ElementwiseRecord, compute, no_rules<ElementwiseRecord>, view>(
        "axpy", "Axpy", kSupport);

}  // namespace vinci::isa
