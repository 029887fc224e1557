#include "tool/step_trace.h"

#include "core/footprint.h"

namespace vinci {

void StepTrace::on_block_begin(CoreView& core) {
  out_ = std::ofstream(file_ + "." + std::to_string(core.core_index()));
}

// queue STEP queue address allocation filled_by emptied_by
void StepTrace::on_queue(CoreView&, const QueueEvent& event) {
  static constexpr const char* kSteps[] = {"alloc", "enque", "deque", "free"};
  out_ << "queue " << kSteps[size_t(event.step)] << ' ' << event.queue << ' ' << event.address
       << ' ' << event.allocation << ' ' << name_of(event.filled_by) << ' '
       << name_of(event.emptied_by) << '\n';
}

// step NAME pipe combines unit_flag in_operator, then what it touches
void StepTrace::on_issue(CoreView& core, const Record& record, std::span<const Region> regions) {
  if (regions.empty()) return;
  const StepOrder order = core.order_of(record, regions);
  out_ << "step " << mnemonic_of(record) << ' ' << name_of(order.pipe) << ' ' << order.combines
       << ' ' << order.unit_flag << ' ' << order.in_operator;
  write(regions);
}

void StepTrace::on_scalar_access(CoreView&, const Region& region) {
  out_ << "step scalar S 0 0 0";
  write({&region, 1});
}

// A word for each operand: r or w, its memory, and intervals of bytes, "w:UB:0-256,512-768"; the
// last of each is behind it.
void StepTrace::write(std::span<const Region> regions) {
  for (const Region& region : regions) {
    if (region.empty() || region.space == Space::kNone || region.space == Space::kCells) continue;
    out_ << (region.access == Access::kWrite ? " w:" : " r:") << name_of(region.space);
    char before = ':';
    const ByteSet bytes(region);
    for (const Interval& interval : bytes.intervals()) {
      out_ << before << interval.first << '-' << interval.end;
      before = ',';
    }
  }
  out_ << '\n';
}

void StepTrace::on_barrier(CoreView&, Pipe pipe) { out_ << "barrier " << name_of(pipe) << '\n'; }

void StepTrace::on_flag(CoreView&, uint32_t event, int32_t id, bool set) {
  out_ << "flag " << (set ? "set " : "wait ") << name_of(kEvents[event].from) << ' '
       << name_of(kEvents[event].to) << ' ' << id << '\n';
}

void StepTrace::on_cross_set(CoreView&, Pipe pipe) {
  out_ << "cross_set " << name_of(pipe) << '\n';
}

}  // namespace vinci
