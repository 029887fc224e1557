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

void fill(const ElementwiseRecord& record, const State&, const vector::LaneRows& rows) {
  rows.for_each([&](const vector::LaneArrays& arrays) {
    if (bits_of(record.dst.dtype) == 16) {
      std::fill_n(reinterpret_cast<uint16_t*>(arrays.dst), arrays.count, uint16_t(record.scalar));
    } else {
      std::fill_n(reinterpret_cast<uint32_t*>(arrays.dst), arrays.count, uint32_t(record.scalar));
    }
  });
}

}  // namespace

extern constinit const Instruction duplicate =
    vector::elementwise_instruction<ElementwiseRecord, 0, fill>("duplicate", "Duplicate", kSupport);

}  // namespace vinci::isa
