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

// The product of halves is exact in float.
void add_products(const uint16_t* src, float scalar, const float* sum, float* out, size_t count) {
  constexpr size_t kChunk = 128;
  alignas(64) float wide[kChunk];
  for (size_t first = 0; first < count; first += kChunk) {
    const size_t n = std::min(kChunk, count - first);
    floats_of_halves(src + first, wide, n);
    VINCI_LANE_LOOP
    for (size_t i = 0; i < n; ++i) out[first + i] = canonical(sum[first + i] + wide[i] * scalar);
  }
}

void add_halves(const uint16_t* src, float scalar, const uint16_t* sum, uint16_t* out, size_t count,
                bool saturate) {
  constexpr size_t kChunk = 128;
  alignas(64) float product[kChunk], total[kChunk];
  uint16_t rounded[kChunk];
  for (size_t first = 0; first < count; first += kChunk) {
    const size_t n = std::min(kChunk, count - first);
    floats_of_halves(src + first, product, n);
    VINCI_LANE_LOOP
    for (size_t i = 0; i < n; ++i) product[i] *= scalar;
    halves_of_floats(product, rounded, n, saturate);
    floats_of_halves(rounded, product, n);
    floats_of_halves(sum + first, total, n);
    VINCI_LANE_LOOP
    for (size_t i = 0; i < n; ++i) total[i] += product[i];
    halves_of_floats(total, out + first, n, saturate);
  }
}

void compute(const ElementwiseRecord& record, const Core& core, const LaneArrays& arrays) {
  const auto* src = reinterpret_cast<const uint16_t*>(arrays.src[0]);
  const float scalar = record.src0.dtype == kHalf ? float_of_half(uint16_t(record.scalar))
                                                  : float_of_bits(uint32_t(record.scalar));
  if (record.dst.dtype == kHalf) {
    add_halves(src, scalar, reinterpret_cast<const uint16_t*>(arrays.src[1]),
               reinterpret_cast<uint16_t*>(arrays.dst), arrays.count,
               core.registers().overflow.floats_saturate);
    return;
  }
  const auto* sum = reinterpret_cast<const float*>(arrays.src[1]);
  auto* out = reinterpret_cast<float*>(arrays.dst);
  if (record.src0.dtype == kHalf) return add_products(src, scalar, sum, out, arrays.count);
  const auto* x = reinterpret_cast<const float*>(arrays.src[0]);
  VINCI_LANE_LOOP
  for (size_t i = 0; i < arrays.count; ++i) out[i] = canonical(sum[i] + x[i] * scalar);
}

}  // namespace

extern constinit const Instruction axpy =
    elementwise_instruction<ElementwiseRecord, compute, no_rules<ElementwiseRecord>, view>(
        "axpy", "Axpy", kSupport);

}  // namespace vinci::isa
