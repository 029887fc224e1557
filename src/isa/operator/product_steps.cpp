#include "isa/operator/product_steps.h"

#include <fmt/format.h>

#include "kernel/fractal.h"
#include "numeric/whole.h"
#include "vinci/record/cube.h"
#include "vinci/record/move.h"

namespace vinci::isa {

extern const Instruction data_copy_bt;
extern const Instruction fill;

namespace {

// In the order of ProductFlags::Index.
constexpr HardEvent kEvents[] = {HardEvent::MTE2_MTE1, HardEvent::MTE1_MTE2, HardEvent::MTE1_M,
                                 HardEvent::M_MTE1,    HardEvent::M_FIX,     HardEvent::FIX_M};

// `blocks` blocks, as Fill counts them in the operand's memory.
void fill_with_zeros(Core& core, const Operand& to, uint64_t blocks) {
  FillRecord zeros;
  zeros.instruction = &fill;
  zeros.dst = to;
  zeros.dst.dtype = DType::kHalf;
  zeros.repeats = 1;
  zeros.blocks = uint16_t(blocks);
  core.issue(zeros);
}

}  // namespace

bool ProductFlags::are_free(std::string_view api, Core& core) {
  for (const HardEvent event : kEvents) {
    if (core.flags().free(uint32_t(event)) > 0) continue;
    core.report(Code::kEventId,
                fmt::format("{}: it takes an event identifier of {}, and none is free", api,
                            event_of(event).name),
                "a ReleaseEventID first");
    return false;
  }
  return true;
}

ProductFlags::ProductFlags(Core& core) {
  flags_.reserve(std::size(kEvents));
  for (const HardEvent event : kEvents) flags_.emplace_back(core, event, 1);
}

void ProductFlags::release() {
  for (EventFlags& flag : flags_) flag.release();
}

void fill_l1_with_zeros(Core& core, const Operand& l1) {
  fill_with_zeros(core, l1, l1.bytes / fractal::kRowBytes);
  core.pipe_barrier(uint32_t(Pipe::kMte2));
}

void fill_l0_with_zeros(Core& core, const Operand& l0, uint32_t size) {
  fill_with_zeros(core, l0, ceil_div(size, fractal::kRows));
}

void load_bias_table(Core& core, const Operand& l1, DType bias, DType sums, uint32_t columns) {
  DataCopyRecord copy;
  copy.instruction = &data_copy_bt;
  copy.src = l1;
  copy.src.dtype = bias;
  copy.dst = bias_table(core, sums);
  copy.bursts.length = uint16_t(ceil_div(bytes_of(bias, columns), 64));
  core.issue(copy);
}

Operand bias_table(const Core& core, DType sums) {
  return {0, core.soc().size_of(Space::kBt), 0, Position::C2, sums};
}

}  // namespace vinci::isa
