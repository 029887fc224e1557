// sum_in_register: the sums of repeats, added up in the register that ReduceSum leaves its result
// in.
//
// Sources and decisions: docs/spec/sum_in_register.md, docs/spec/reduction.md.
#include "isa/family/reduce_all.h"
#include "isa/family/reduce_lanes.h"
#include "isa/family/walk.h"

namespace vinci::isa {
namespace {

using namespace vector;

constexpr Support kSupport[] = {{kArch2201, kReduceFloats}};

LaneOperand source_of(const ReduceRecord& record) {
  return reduced_lanes(record.src, record.lanes,
                       {uint16_t(record.src_block_stride), uint16_t(record.src_repeat_stride)});
}

Signature signature(const ReduceRecord& record) { return Signature(record.src.dtype); }

void check(const ReduceRecord& record, const LanePlan&, Check& check) {
  check_operand("src", record.src, check);
  check.range("srcBlkStride", record.src_block_stride, 0, 65535);
  check.range("srcRepStride", record.src_repeat_stride, 0, 65535);
}

void footprint(const ReduceRecord& record, const LanePlan& plan, Footprint& footprint) {
  add_lanes(footprint, source_of(record), Access::kRead, plan);
  footprint.add_hidden(Space::kCells, "the sum", Access::kWrite, offsetof(Cells, sum),
                       sizeof(Cells::sum));
}

template <class Bits, bool saturate>
uint32_t sum_of(const ReduceRecord& record, const LanePlan& plan, Memory& memory) {
  const LaneOperand src = source_of(record);
  const uint8_t* from = memory.data(record.src);
  alignas(64) uint8_t gathered[kRepeatBytes], sum[kRepeatBytes];
  Bits sums[2] = {};  // so far, and of the next repeat
  for (uint64_t repeat = 0; repeat < plan.repeats(); ++repeat) {
    const uint8_t* lanes = lanes_of(src.layout, from, 0, plan.end_lane(repeat), gathered);
    sum_groups<Bits, saturate>(lanes, plan, repeat, 1, sum);
    std::memcpy(&sums[repeat == 0 ? 0 : 1], sum, sizeof(Bits));
    if (repeat != 0) {
      add_in_order(record.src.dtype, 2, reinterpret_cast<uint8_t*>(sums), saturate);
    }
    from += uint64_t(src.layout.stride.repeat) * kBlockBytes;
  }
  return sums[0];
}

void run(const ReduceRecord& record, const LanePlan& plan, const State& state, Memory& memory) {
  memory.cells().sum =
      record.src.dtype == DType::kFloat          ? sum_of<uint32_t, false>(record, plan, memory)
      : state.registers.overflow.floats_saturate ? sum_of<uint16_t, true>(record, plan, memory)
                                                 : sum_of<uint16_t, false>(record, plan, memory);
}

constexpr Functions<ReduceRecord, LanePlan> kFunctions{.signature = signature,
                                                       .pipe = Pipe::kV,
                                                       .plan = plan_reduction<ReduceRecord>,
                                                       .check = check,
                                                       .footprint = footprint,
                                                       .run = run,
                                                       .advance = advance_mask};

}  // namespace

extern constinit const Instruction sum_in_register =
    make_instruction<kFunctions>("sum_in_register", "vcadd", "vcadd", kSupport);

}  // namespace vinci::isa
