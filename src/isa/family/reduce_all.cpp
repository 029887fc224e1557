// Reductions of all lanes to one value, composed of reductions of repeats.
#include "isa/family/reduce_all.h"

#include <cstring>

#include "kernel/half_array.h"
#include "numeric/whole.h"

namespace vinci::vector {
namespace {

unsigned width_of(const ReduceAllRecord& record) { return bits_of(record.src.dtype) / 8; }
unsigned lanes_of(const ReduceAllRecord& record) {
  return lanes_per_repeat(bits_of(record.src.dtype));
}

// The elements that one level leaves in work: `first` there, `count` of them.
struct Level {
  uint64_t first, count;
};

// What sums leave, or pairs of a value and an index.
uint64_t elements_of_a_result(Reduction to) { return to == Reduction::kSum ? 1 : 2; }

// Levels until one result is left. Those with an index stay, each behind the one before at a
// datablock, as the indices are needed in the end; others replace the one before.
template <class F>
Level for_each_level(const ReduceAllRecord& record, Reduction to, uint64_t repeats, F f) {
  const uint64_t each = elements_of_a_result(to);
  const uint64_t per_block = kBlockBytes / width_of(record);
  Level level{0, repeats * each};
  while (level.count > each) {
    const uint64_t results = (level.count + lanes_of(record) - 1) / lanes_of(record);
    const uint64_t first = record.with_index ? level.first + round_up(level.count, per_block) : 0;
    const Level next{first, results * each};
    f(level, next);
    level = next;
  }
  return level;
}

// The bytes that results take in work.
uint64_t result_bytes_in_work(const ReduceAllRecord& record, Reduction to, uint64_t repeats) {
  const uint64_t width = width_of(record);
  uint64_t bytes = repeats * elements_of_a_result(to) * width;
  if (!record.with_index) return bytes;
  for_each_level(record, to, repeats,
                 [&](Level, Level next) { bytes = (next.first + next.count) * width; });
  return bytes;
}

// The bytes that work must have: whole datablocks, but for the sums of TIK's vec_reduce_add.
uint64_t work_bytes(const ReduceAllRecord& record, Reduction to, uint64_t repeats,
                    FrontEnds front_end) {
  const uint64_t bytes = result_bytes_in_work(record, to, repeats);
  return front_end == kTik && to == Reduction::kSum ? bytes : round_up(bytes, kBlockBytes);
}

// Whether the chip leaves the sum in a register too.
bool leaves_sum(const ReduceAllRecord& record, Reduction to, const Soc& soc) {
  return to == Reduction::kSum && record.lanes.form == Lanes::Form::kCount &&
         soc.has(Feature::kReduceRegisters);
}

uint64_t result_bytes(const ReduceAllRecord& record) {
  return width_of(record) * (record.with_index ? 2 : 1);
}

Operand part_of(const Operand& work, uint64_t bytes) {
  Operand part = work;
  part.address += bytes;
  return part;
}

LaneOperand source_of(const ReduceAllRecord& record) {
  return reduced_lanes(record.src, record.lanes, {1, uint16_t(record.src_repeat_stride)});
}

// The first level: from src to work.
ReduceRecord first_step(const ReduceAllRecord& record) {
  ReduceRecord step{};
  step.dst = record.work;
  step.src = record.src;
  step.lanes = record.lanes;
  step.src_repeat_stride = record.src_repeat_stride;
  return step;
}

void reduce_part(const ReduceAllRecord& record, Reduction to, uint64_t from, uint64_t dst,
                 const Lanes& lanes, const State& state, Memory& memory) {
  const uint64_t width = width_of(record);
  ReduceRecord step{};
  step.src = part_of(record.work, from * width);
  step.dst = part_of(record.work, dst * width);
  step.lanes = lanes;
  run_reduce(step, {to, Group::kRepeat}, LanePlan(lanes, {}, lanes_of(record)), state, memory);
}

// Any other level: inside work. Of pairs the values are reduced, which have the even lanes.
void next_level(const ReduceAllRecord& record, Reduction to, Level from, Level next,
                const State& state, Memory& memory) {
  if (to == Reduction::kSum) {
    reduce_part(record, to, from.first, next.first, lanes_count(from.count), state, memory);
    return;
  }
  constexpr uint64_t kEven = 0x5555555555555555;
  const unsigned lanes = lanes_of(record);
  const uint64_t repeats = from.count / lanes;
  const uint64_t full[2] = {kEven, lanes > 64 ? kEven : 0};
  if (repeats != 0) {
    reduce_part(record, to, from.first, next.first, lanes_bits(full, int32_t(repeats)), state,
                memory);
  }
  const uint64_t left = from.count % lanes;
  if (left == 0) return;
  const uint64_t low = left < 64 ? (uint64_t{1} << left) - 1 : ~uint64_t{0};
  const uint64_t high = left > 64 ? (uint64_t{1} << (left - 64)) - 1 : 0;
  const uint64_t tail[2] = {kEven & low, kEven & high};
  reduce_part(record, to, from.first + repeats * lanes, next.first + 2 * repeats,
              lanes_bits(tail, 1), state, memory);
}

uint32_t element_at(const uint8_t* work, uint64_t place, unsigned width) {
  uint32_t bits = 0;
  std::memcpy(&bits, work + place * width, width);
  return bits;
}

// The index in src, from the indices that the levels left, each inside its repeat. `last` is the
// pair that is left.
uint32_t index_in_src(const ReduceAllRecord& record, Reduction to, uint64_t repeats, Level last,
                      const uint8_t* work) {
  const unsigned width = width_of(record);
  Level levels[16];  // more than 2^31 repeats can give
  unsigned count = 0;
  for_each_level(record, to, repeats, [&](Level level, Level) { levels[count++] = level; });
  uint64_t index = element_at(work, last.first + 1, width);
  while (count > 0) {
    const Level& level = levels[--count];
    const uint64_t pair = index / 2;
    index = pair * lanes_of(record) + element_at(work, level.first + 2 * pair + 1, width);
  }
  return uint32_t(index);
}

// What levels leave in work; it must have whole datablocks. Nothing is read that was not written.
void add_work(const ReduceAllRecord& record, Reduction to, uint64_t repeats, Footprint& footprint) {
  const Region whole{record.work,         "sharedTmpBuffer",
                     Access::kWrite,      true,
                     record.work.address, work_bytes(record, to, repeats, footprint.front_end())};
  // Levels lie apart; what is left of a reduction without them is one piece.
  const std::span<const Region> span{&whole, 1};
  if (!(record.with_index ? footprint.scatters(span) : footprint.judge(span))) return;
  const unsigned width = width_of(record);
  const auto add = [&](Level level) {
    footprint.add_bytes(record.work, whole.name, Access::kWrite, level.first * width,
                        level.count * width);
  };
  add({0, repeats * elements_of_a_result(to)});
  if (!record.with_index) return;  // later levels replace the first
  for_each_level(record, to, repeats, [&](Level, Level next) { add(next); });
}

}  // namespace

void add_in_order(DType dtype, uint64_t count, uint8_t* bytes, bool saturate) {
  if (dtype == DType::kFloat) {
    auto* sums = reinterpret_cast<float*>(bytes);
    for (uint64_t i = 1; i < count; ++i) sums[0] += sums[i];
    if (sums[0] != sums[0]) sums[0] = __builtin_nanf("");
    return;
  }
  auto* sums = reinterpret_cast<uint16_t*>(bytes);
  for (uint64_t i = 1; i < count; ++i) {
    const float sum = float_of_half(sums[0]) + float_of_half(sums[i]);
    halves_of_floats(&sum, sums, 1, saturate);
  }
}

void check_reduce_all(const ReduceAllRecord& record, Reduction to, const LanePlan& plan,
                      Check& check) {
  const unsigned width = width_of(record), lanes = lanes_of(record);
  if (to == Reduction::kSum && record.with_index) {
    check.fail(Code::kCombination, "a sum has no index", "");
  }
  check.in_space("dst", record.dst, Space::kUb);
  if (check.ok()) check.aligned("dst", record.dst, width * elements_of_a_result(to));
  check_operand("src", record.src, check);
  check_operand("sharedTmpBuffer", record.work, check);
  check.range("repeatTime", record.lanes.repeats, 0, INT32_MAX);
  check.range("srcRepStride", record.src_repeat_stride, 0, 65535);
  check_lanes(record.lanes, lanes, false, check.soc().has(Feature::kMaskZeroIsNop), check);
  if (!check.ok()) return;
  if (plan.repeats() == 0) return;
  const uint64_t last = plan.repeats() - 1;
  if (record.with_index && width == 2) {
    check.range("the largest possible index", int64_t(last * lanes + plan.end_lane(last) - 1), 0,
                65535);
  }
  // The door reports a work tensor that is too small.
  if (result_bytes_in_work(record, to, plan.repeats()) > check.soc().size_of(Space::kUb)) return;
  const LaneOperand work{&record.work, {}, "sharedTmpBuffer"};
  const uint64_t step = elements_of_a_result(to) * width;
  check_reduce_overlap(work, step, step, source_of(record), plan, check);
}

void add_reduce_all(const ReduceAllRecord& record, Reduction to, const LanePlan& plan,
                    Footprint& footprint) {
  if (plan.repeats() == 0) return;
  add_lanes(footprint, source_of(record), Access::kRead, plan);
  add_work(record, to, plan.repeats(), footprint);
  footprint.add_bytes(record.dst, "dst", Access::kWrite, 0, result_bytes(record));
  if (leaves_extreme({to, Group::kRepeat}, footprint.soc())) add_extreme(footprint);
  if (leaves_sum(record, to, footprint.soc())) {
    footprint.add_hidden(Space::kCells, "the sum", Access::kWrite, offsetof(Cells, sum),
                         sizeof(Cells::sum));
  }
}

void run_reduce_all(const ReduceAllRecord& record, Reduction to, const LanePlan& plan,
                    const State& state, Memory& memory) {
  const unsigned width = width_of(record);
  if (const uint64_t repeats = plan.repeats(); repeats != 0) {
    run_reduce(first_step(record), {to, Group::kRepeat}, plan, state, memory);
    uint8_t* work = memory.data(record.work);
    Level last{0, 1};
    if (to == Reduction::kSum && plan.contiguous() && state.soc.has(Feature::kReduceSumInOrder)) {
      add_in_order(record.src.dtype, repeats, work, state.registers.overflow.floats_saturate);
    } else {
      last = for_each_level(record, to, repeats, [&](Level from, Level next) {
        next_level(record, to, from, next, state, memory);
      });
    }
    uint32_t result[2] = {element_at(work, last.first, width), 0};
    if (record.with_index) result[1] = index_in_src(record, to, repeats, last, work);
    uint8_t* dst = memory.data(record.dst);
    std::memcpy(dst, &result[0], width);
    if (record.with_index) std::memcpy(dst + width, &result[1], width);
    if (leaves_sum(record, to, state.soc)) memory.cells().sum = result[0];
    if (leaves_extreme({to, Group::kRepeat}, state.soc)) memory.cells().extreme = result[0];
  }
}

}  // namespace vinci::vector
