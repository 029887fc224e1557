// duplicate: every enabled element of dst becomes the scalar.
//
// Sources and decisions: docs/spec/duplicate.md.
#include "core/instruction.h"
#include "isa/family/lanes.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

constexpr Signature kClassic[] = {DType::kHalf,  DType::kInt16, DType::kUint16,
                                  DType::kFloat, DType::kInt32, DType::kUint32};
constexpr Signature kWithBfloat16[] = {DType::kHalf,   DType::kBfloat16, DType::kInt16,
                                       DType::kUint16, DType::kFloat,    DType::kInt32,
                                       DType::kUint32};
constexpr Support kSupport[] = {
    {kArch1000 | kArch1001 | kArch2002 | kArch2002Vector, kClassic},
    {kArch2201 | kArch3002, kWithBfloat16},
};

unsigned width_of(const DuplicateRecord& record) { return bits_of(record.dst.dtype) / 8; }

// A destination block stride of 0 counts as 1.
Stride stride_of(const DuplicateRecord& record) {
  return {std::max<uint16_t>(record.dst_stride.block, 1), record.dst_stride.repeat};
}

Signature signature(const DuplicateRecord& record) { return record.dst.dtype; }
Pipe pipe(const DuplicateRecord&, const Soc&) { return Pipe::kV; }

void check(const DuplicateRecord& record, Check& check) {
  check_operand("dst", record.dst, check);
  check_lanes(record.lanes, width_of(record), check, check.soc().has(Feature::kMaskZeroIsNop));
}

void footprint(const DuplicateRecord& record, Core&, Footprint& footprint) {
  const LanePlan plan(record.lanes, width_of(record));
  add_lanes(footprint, record.dst, "dst", Access::kWrite, stride_of(record), plan,
            width_of(record));
}

template <class T>
void fill(const DuplicateRecord& record, Core& core) {
  for_each_repeat<T>(core.data(record.dst), stride_of(record), LanePlan(record.lanes, sizeof(T)),
                     [&](uint64_t, unsigned, T* lanes) {
                       for (unsigned i = 0; i < lanes_per_repeat(sizeof(T)); ++i) {
                         lanes[i] = T(record.scalar);
                       }
                     });
}

void execute(const DuplicateRecord& record, Core& core) {
  width_of(record) == 2 ? fill<uint16_t>(record, core) : fill<uint32_t>(record, core);
}

}  // namespace

extern constinit const Instruction duplicate =
    make_instruction<DuplicateRecord, signature, pipe, check, footprint, execute>(
        "duplicate", "Duplicate", "Duplicate", kSupport);

}  // namespace vinci::isa
