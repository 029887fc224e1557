// duplicate: every enabled element of dst becomes the scalar.
//
// Sources and decisions: docs/spec/duplicate.md.
#include "isa/family/elementwise.h"
#include "isa/family/types.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;
using enum DType;

constexpr Signature kClassic[] = {kHalf, kInt16, kUint16, kFloat, kInt32, kUint32};
constexpr Signature kWithBfloat16[] = {kHalf, kBfloat16, kInt16, kUint16, kFloat, kInt32, kUint32};
constexpr Support kSupport[] = {
    {kArch1000 | kArch1001 | kArch2002 | kArch2002Vector, kClassic},
    {kArch2201 | kArch3002, kWithBfloat16},
};

void fill(const ElementwiseRecord& record, const State&, const LaneRows& rows) {
  with_width<kSupport>(record.dst.dtype, [&]<class U>() {
    rows.for_each([&](const LaneArrays& arrays) {
      std::fill_n(reinterpret_cast<U*>(arrays.dst), arrays.count, U(record.scalar));
    });
  });
}

}  // namespace

extern constinit const Instruction duplicate =
    elementwise_instruction<ElementwiseRecord, 0, fill>("duplicate", "Duplicate", kSupport);

}  // namespace vinci::isa
