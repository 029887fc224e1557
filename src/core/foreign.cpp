// What a core of one kind does with calls that are for the other: nothing, and it says so once.
#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/core.h"

namespace vinci {

bool Core::is_foreign(Position position) const {
  return soc_.space_of(position) == Space::kNone && whole_.space_of(position) != Space::kNone;
}

bool Core::is_foreign(Pipe pipe) const {
  if (&soc_ == &whole_) return false;
  switch (pipe) {
    case Pipe::kV: return kind() == CoreKind::kAic;
    case Pipe::kM:
    case Pipe::kMte1:
    case Pipe::kFix: return kind() == CoreKind::kAiv;
    default: return false;
  }
}

// By the pipe that it would run on if the core had both halves. The pipes that both kinds have move
// data, by routes that only one of them has.
bool Core::is_foreign(const Record& record) const {
  const Instruction& instruction = *record.instruction;
  if (instruction.synchronise != nullptr) return false;
  // Operators without a pipe of their own multiply matrices; others begin a copy.
  if (instruction.expand != nullptr) {
    const Pipe first = instruction.pipe(record, soc_);
    return first == Pipe::kS ? kind() == CoreKind::kAiv : first == Pipe::kNone;
  }
  const Pipe pipe = instruction.pipe(record, whole_);
  if (is_foreign(pipe)) return true;
  return pipe != Pipe::kNone && instruction.pipe(record, soc_) == Pipe::kNone;
}

void Core::leave_out(std::string_view who) {
  if (++left_out_count_ > 1) return;
  left_out_ = who;
  left_out_at_ = call_place();
}

void Core::tell_left_out() {
  const uint64_t count = std::exchange(left_out_count_, 0);
  if (count == 0) return;
  const bool is_aic = kind() == CoreKind::kAic;
  note(Code::kForeignCall,
       fmt::format("{}: an {} lacks the units and memories for it and leaves it out{}", left_out_,
                   soc_.arch->core_name,
                   count == 1 ? "" : fmt::format(", the first of {} such calls", count)),
       fmt::format("such calls behind if ASCEND_IS_{}", is_aic ? "AIV" : "AIC"), &left_out_at_);
}

void* Core::zeros(size_t bytes) {
  void* cell = harmless(bytes);
  std::memset(cell, 0, bytes);
  return cell;
}

}  // namespace vinci
