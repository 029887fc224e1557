// copy: the enabled elements of src to dst, both in UB. Counter mode counts the elements of each
// repeat.
//
// Sources and decisions: docs/spec/copy.md.
#include <algorithm>
#include <cstring>

#include "isa/family/elementwise.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;
using enum DType;

constexpr Signature kTypes[] = {kHalf, kBfloat16, kInt16, kUint16, kFloat, kInt32, kUint32};
constexpr Support kSupport[] = {{kArch2201 | kArch3002, kTypes}};
constexpr int64_t kMostRepeatStride = 4095;

ElementwisePlan plan(const ElementwiseRecord& record, const State& state) {
  const View view = view_of(record);
  return {view, LanePlan::of_each(record.lanes, state.registers.mask, view.lanes)};
}

void check(const ElementwiseRecord& record, const ElementwisePlan& plan, Check& check) {
  check_operand("dst", record.dst, check);
  check_operand("src", record.src0, check);
  const Soc& soc = check.soc();
  check.range("repeatTime", record.lanes.repeats, 0, 255);
  check_each_repeat(record.lanes, plan.view.lanes,
                    soc.size_of(Space::kUb) / (bits_of(record.dst.dtype) / 8),
                    soc.has(Feature::kMaskZeroIsNop), check);
  check.range("dstRepeatSize", record.dst_stride.repeat, 0, kMostRepeatStride);
  check.range("srcRepeatSize", record.src0_stride.repeat, 0, kMostRepeatStride);
  if (check.ok()) check_overlap(plan.view.dst, plan.view.src[0], plan.lanes, {}, check);
}

void footprint(const ElementwiseRecord&, const ElementwisePlan& plan, Footprint& footprint) {
  add_view(plan, footprint);
}

// Repeats that are longer than those of other instructions, block by block.
void copy_long(const ElementwisePlan& plan, Memory& memory) {
  const LaneOperand &dst = plan.view.dst, &src = plan.view.src[0];
  const Stride to = dst.layout.stride, from = src.layout.stride;
  uint8_t* dst_start = memory.data(*dst.operand);
  const uint8_t* src_start = memory.data(*src.operand);
  for (uint64_t repeat = 0; repeat < plan.lanes.repeats(); ++repeat) {
    const uint64_t bytes = dst.layout.bytes(plan.lanes.prefix(repeat));
    for (uint64_t block = 0; block * kBlockBytes < bytes; ++block) {
      std::memmove(dst_start + kBlockBytes * (repeat * to.repeat + block * to.block),
                   src_start + kBlockBytes * (repeat * from.repeat + block * from.block),
                   std::min<uint64_t>(kBlockBytes, bytes - block * kBlockBytes));
    }
  }
}

void run(const ElementwiseRecord&, const ElementwisePlan& plan, const State&, Memory& memory) {
  if (plan.lanes.prefix(0) > plan.view.lanes) return copy_long(plan, memory);
  walk(plan.view, plan.lanes, memory, [&](const LaneRows& rows) {
    rows.for_each([&](const LaneArrays& arrays) {
      std::memmove(arrays.dst, arrays.src[0], plan.view.dst.layout.bytes(arrays.count));
    });
  });
}

constexpr Functions<ElementwiseRecord, ElementwisePlan> kFunctions{
    .signature = signature_of<ElementwiseRecord>,
    .pipe = Pipe::kV,
    .plan = plan,
    .check = check,
    .footprint = footprint,
    .run = run,
    .advance = advance_mask,
    .moves = true};

}  // namespace

extern constinit const Instruction copy =
    make_instruction<kFunctions>("copy", "Copy", "Copy", kSupport);

}  // namespace vinci::isa
