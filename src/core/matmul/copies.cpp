// Copies that an AIV makes for its Matmul objects.
#include "core/matmul/copies.h"

#include <algorithm>

#include "core/matmul/operands.h"
#include "isa/operator/event_flags.h"
#include "numeric/whole.h"
#include "vinci/record/move.h"

namespace vinci {

namespace isa {
extern const Instruction data_copy, data_copy_pad;
}

// Bytes between GM and UB, in bursts; what lies behind a burst's end in UB up to a datablock stays.
void copy_bursts(Core& core, const Operand& from, const Operand& to, uint32_t bursts,
                 uint64_t bytes, uint64_t ub_pitch) {
  DataCopyPadRecord copy;
  copy.instruction = &isa::data_copy_pad;
  copy.src = from;
  copy.dst = to;
  copy.src.dtype = copy.dst.dtype = DType::kInt8;
  copy.blocks = uint16_t(bursts);
  copy.length = uint32_t(bytes);
  copy.dst_gap = uint32_t((ub_pitch - round_up(bytes, 32)) / 32);
  core.issue(copy);
}

void copy_bytes(Core& core, const Operand& from, const Operand& to, uint64_t bytes) {
  constexpr uint64_t kMost = 65504;
  for (uint64_t at = 0; at < bytes; at += kMost) {
    const uint64_t part = std::min(kMost, bytes - at);
    copy_bursts(core, from_byte(from, at), from_byte(to, at), 1, part, round_up(part, 32));
  }
}

// What the AIV's MTE2 brought there for the AIC.
void copy_from_tscm(Core& core, const Operand& tscm, const Operand& gm, uint64_t bytes) {
  EventFlags flag(core, HardEvent::MTE2_MTE3, 1);
  flag.set_and_wait(0);
  flag.release();
  DataCopyRecord copy;
  copy.instruction = &isa::data_copy;
  copy.src = tscm;
  copy.dst = gm;
  copy.dst.dtype = tscm.dtype;
  copy.bursts = {1, uint16_t(round_up(bytes, 32) / 32), 0, 0};
  core.issue(copy);
}

void copy_to_tscm(Core& core, const Operand& gm, const Operand& tscm, uint64_t bytes) {
  DataCopyRecord copy;
  copy.instruction = &isa::data_copy;
  copy.src = gm;
  copy.dst = tscm;
  copy.src.dtype = tscm.dtype;
  copy.bursts = {1, uint16_t(bytes / 32), 0, 0};
  core.issue(copy);
}

// What the core's MTE2 copied is there for the other pipes, and for scalar code.
void await_copies(Core& core) {
  for (const HardEvent event : {HardEvent::MTE2_V, HardEvent::MTE2_MTE3, HardEvent::MTE2_S}) {
    if (core.flags().free(uint32_t(event)) == 0) continue;
    EventFlags flag(core, event, 1);
    flag.set_and_wait(0);
    flag.release();
  }
}

}  // namespace vinci
