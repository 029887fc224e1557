// copy: the enabled elements of src to dst, both in UB. Counter mode counts the elements of each
// repeat.
//
// Sources and decisions: docs/spec/copy.md.
#include <cstring>

#include "isa/family/elementwise.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;
using enum DType;

constexpr Signature kTypes[] = {kHalf, kBfloat16, kInt16, kUint16, kFloat, kInt32, kUint32};
constexpr Support kSupport[] = {{kArch2201 | kArch3002, kTypes}};
constexpr int64_t kMostRepeatStride = 4095;

Pipe pipe(const ElementwiseRecord&, const Soc&) { return Pipe::kV; }

LanePlan plan_of(const ElementwiseRecord& record, const MaskRegister& mask, const View& view) {
  const EachRepeat each(record.lanes, mask);
  return {each.lanes, each.mask, view.lanes};
}

void check(const ElementwiseRecord& record, Check& check) {
  const View view = view_of(record);
  check_operand("dst", record.dst, check);
  check_operand("src", record.src0, check);
  check_each_repeat(record.lanes, view.lanes, check.soc().has(Feature::kMaskZeroIsNop), check);
  check.range("dstRepeatSize", record.dst_stride.repeat, 0, kMostRepeatStride);
  check.range("srcRepeatSize", record.src0_stride.repeat, 0, kMostRepeatStride);
  if (!check.ok()) return;
  check_overlap(view.dst, view.src[0], plan_of(record, check.registers().mask, view), false, check);
}

void footprint(const ElementwiseRecord& record, Core& core, Footprint& footprint) {
  const View view = view_of(record);
  const LanePlan plan = plan_of(record, core.registers().mask, view);
  add_lanes(footprint, view.src[0], Access::kRead, plan);
  add_lanes(footprint, view.dst, Access::kWrite, plan);
}

void execute(const ElementwiseRecord& record, Core& core) {
  const View view = view_of(record);
  MaskRegister& mask = core.registers().mask;
  walk(view, plan_of(record, mask, view), core, [&](const LaneRows& rows) {
    rows.for_each([&](const LaneArrays& arrays) {
      std::memmove(arrays.dst, arrays.src[0], view.dst.layout.bytes(arrays.count));
    });
  });
  mask = mask_after(record.lanes, mask, view.lanes, core.soc());
}

}  // namespace

extern constinit const Instruction copy =
    make_instruction<ElementwiseRecord, signature_of<ElementwiseRecord>, pipe, check, footprint,
                     execute>("copy", "Copy", "Copy", kSupport);

}  // namespace vinci::isa
