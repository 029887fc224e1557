// duplicate: every enabled element of dst becomes the scalar.
//
// Sources and decisions: docs/spec/duplicate.md.
#include "isa/family/elementwise.h"
#include "isa/family/operation.h"

namespace vinci::isa {
namespace {

constexpr Signature kClassic[] = {DType::kHalf,  DType::kInt16, DType::kUint16,
                                  DType::kFloat, DType::kInt32, DType::kUint32};
constexpr Signature kWithBfloat16[] = {DType::kHalf,   DType::kBfloat16, DType::kInt16,
                                       DType::kUint16, DType::kFloat,    DType::kInt32,
                                       DType::kUint32};
constexpr Support kSupport[] = {
    {kArch1000 | kArch1001 | kArch2002 | kArch2002Vector, kClassic},
    {kArch2201 | kArch3002, kWithBfloat16},
};

void fill(const ElementwiseRecord& record, const Core&, const vector::LaneArrays& arrays) {
  const auto fill_with = [&](auto element) {
    std::fill_n(reinterpret_cast<decltype(element)*>(arrays.dst), arrays.count, element);
  };
  if (bits_of(record.dst.dtype) == 16) {
    fill_with(uint16_t(record.scalar));
  } else {
    fill_with(uint32_t(record.scalar));
  }
}

}  // namespace

extern constinit const Instruction duplicate =
    vector::elementwise_instruction<ElementwiseRecord, fill>("duplicate", "Duplicate", kSupport);

}  // namespace vinci::isa
