// vector_padding: each datablock of dst is what stands beside that of src, were src continued by
// its own elements.
//
// Sources and decisions: docs/spec/vector_padding.md.
#include <algorithm>
#include <cstring>

#include "isa/family/elementwise.h"
#include "isa/family/types.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;
using enum DType;

constexpr Signature kTypes[] = {kHalf, kInt16, kUint16, kFloat, kInt32, kUint32};
constexpr Support kSupport[] = {{kArch2002, kTypes, true, kAscendC}};
constexpr int kMostMode = 2;

Signature signature(const PaddingRecord& record) { return record.dst.dtype; }

ElementwisePlan plan(const PaddingRecord& record, const State& state) {
  return plan_of(view_of(record), record.lanes, state);
}

void check(const PaddingRecord& record, const ElementwisePlan& plan, Check& check) {
  check.range("padMode", record.mode, 0, kMostMode);
  check_sources(record, 1, check);
  if (check.ok()) check_view(plan, record.lanes, false, check);
}

// Of src whole datablocks, whichever lanes are enabled.
void footprint(const PaddingRecord&, const ElementwisePlan& plan, Footprint& footprint) {
  const LaneOperand& src = plan.view.src[0];
  add_lanes(footprint, plan.view.dst, Access::kWrite, plan.lanes);
  const auto blocks = [&](uint64_t first, uint64_t repeats) {
    if (repeats == 0) return;
    const unsigned whole = src.layout.blocks(plan.lanes.end_lane(first)) * src.layout.per_block;
    add_run(footprint, src, Access::kRead, {0, whole}, first, repeats);
  };
  const uint64_t repeats = plan.lanes.repeats();
  const uint64_t last = plan.lanes.counted() && repeats > 0 ? 1 : 0;
  blocks(0, repeats - last);
  blocks(repeats - last, last);
}

// What stands to the left or to the right of a block: its outermost element over and over; its
// elements in reverse; in reverse without the outermost one, 0 at the far end.
template <class T>
void pad(const T* block, unsigned elements, const PaddingRecord& record, T* beside) {
  if (record.mode == 0) {
    std::fill_n(beside, elements, block[record.right ? elements - 1 : 0]);
    return;
  }
  std::reverse_copy(block, block + elements, beside);
  if (record.mode == 1) return;
  if (record.right) {
    std::copy(beside + 1, beside + elements, beside);
    beside[elements - 1] = 0;
  } else {
    std::copy_backward(beside, beside + elements - 1, beside + elements);
    beside[0] = 0;
  }
}

void run(const PaddingRecord& record, const ElementwisePlan& plan, const State&, Memory& memory) {
  const Layout &to = plan.view.dst.layout, &from = plan.view.src[0].layout;
  const uint8_t* src = memory.data(record.src0);
  uint8_t* dst = memory.data(record.dst);
  const unsigned elements = to.per_block;
  with_width<kSupport>(record.dst.dtype, [&]<class U>() {
    for (uint64_t repeat = 0; repeat < plan.lanes.repeats(); ++repeat) {
      U beside[kMostLanes];
      const unsigned blocks = from.blocks(plan.lanes.end_lane(repeat));
      for (unsigned block = 0; block < blocks; ++block) {
        const uint64_t at =
            kBlockBytes * (repeat * from.stride.repeat + uint64_t(block) * from.stride.block);
        pad(reinterpret_cast<const U*>(src + at), elements, record, beside + block * elements);
      }
      plan.lanes.for_each_run(repeat, [&](LaneRun lanes) {
        for (unsigned lane = lanes.begin; lane < lanes.end; ++lane) {
          const uint64_t at = kBlockBytes * (repeat * to.stride.repeat +
                                             uint64_t(lane / elements) * to.stride.block);
          reinterpret_cast<U*>(dst + at)[lane % elements] = beside[lane];
        }
      });
    }
  });
}

constexpr Functions<PaddingRecord, ElementwisePlan> kFunctions{.signature = signature,
                                                               .pipe = Pipe::kV,
                                                               .plan = plan,
                                                               .check = check,
                                                               .footprint = footprint,
                                                               .run = run,
                                                               .advance = advance_mask};

}  // namespace

extern constinit const Instruction vector_padding =
    make_instruction<kFunctions>("vector_padding", "VectorPadding", "VectorPadding", kSupport);

}  // namespace vinci::isa
