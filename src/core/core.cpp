// The door, and the faults that are found at it.
#include "core/core.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/call_stack.h"
#include "core/instruction.h"
#include "core/cores/posted_work.h"
#include "vinci/debug.h"

namespace vinci {
namespace {

thread_local Core* current_core = nullptr;

}  // namespace

Core::Core(const Soc& soc, GlobalMemory& gm, CheckLevel level, FaultSink sink, const Order& order)
    : soc_(soc),
      whole_(core_of(soc, CoreKind::kWhole)),
      gm_(gm),
      level_(level),
      sink_(std::move(sink)),
      local_(soc),
      schedule_(*this, order) {}

Core& Core::current() {
  if (current_core == nullptr) {
    std::fputs("vinci: an Ascend C function was called outside a kernel launch\n", stderr);
    std::abort();
  }
  return *current_core;
}

Core* Core::current_or_null() { return current_core; }

Core* Core::set_current(Core* core) { return std::exchange(current_core, core); }

void Core::begin_block(const Seat& seat) {
  last_call_ = {};
  seat_ = seat;
  block_index_ = seat.grid.block_of(seat.core);
  system_workspace_ = nullptr;
  in_line_ = false;
  keys_asked_ = {};
  kernel_name_ = "";
  entry_cycle_ = system_cycle();
  looks_ = {};
  left_out_count_ = 0;
  owed_post_ = 0;
  times_let_ = 0;
  times_told_ = 0;
  serial_ = 0;
  stop_requested_ = false;
  issuing_ = nullptr;
  acts_as_ = {};
  operator_ = nullptr;
  held_ = nullptr;
  posted_from_ = nullptr;
  local_.reset();
  address_registers_ = {};
  registers_ = {};
  registers_.overflow.floats_saturate = seat.floats_saturate || soc_.has(Feature::kFloatSaturates);
  schedule_.begin_block();
  buffers_.begin_block();
  flags_.begin_block();
  for (Tool* tool : tools_) tool->on_block_begin(*this);
}

void Core::end_block() {
  issuing_ = nullptr;
  schedule_.drain();
  if (seat_.posted != nullptr && kind() == CoreKind::kAiv) seat_.posted->leave(seat_.core);
  flags_.end_block();
  tell_unfinished(*this);
  report_overruns();
  tell_left_out();
  for (Tool* tool : tools_) tool->on_block_end(*this);
  block_index_ = -1;
}

// Scalar code that wrote behind a memory; where is not known.
void Core::report_overruns() {
  const Origin nowhere{};
  for (const Space space : local_.overrun()) {
    note(Code::kLocalOverrun,
         fmt::format("bytes behind {}, which has {} on {}, were overwritten", name_of(space),
                     local_.bytes(space), soc_.name),
         fmt::format("writes to bytes 0..{}", local_.bytes(space) - 1), &nowhere);
  }
}

void Core::issue(const Record& record) {
  const Instruction& instruction = *record.instruction;
  begin_step();
  ++serial_;
  if (level_ != CheckLevel::kOff) note_call();
  if (&soc_ != &whole_ && is_foreign(record)) return leave_out(instruction.api);
  const Record* before = std::exchange(issuing_, &record);
  if (supported(record)) {
    PlanRoom plan;
    if (instruction.plan != nullptr) instruction.plan(record, {soc_, registers_}, plan);
    if (level_ == CheckLevel::kOff || legal(record, plan)) perform(record, plan);
  }
  issuing_ = before;
}

void Core::note_call() {
  if (caller_ == nullptr && posted_from_ == nullptr) return note_call_origin(last_call_);
  last_call_ = call_place();
}

Origin Core::origin() const {
  if (held_ != nullptr) return held_->origin;
  if (issuing_ == nullptr || level_ == CheckLevel::kOff) return call_place();
  return last_call_;
}

bool Core::legal(const Record& record, const PlanRoom& plan) {
  const uint64_t before = faults_;
  const bool resolved = resolve(record, plan, false);
  const std::span<const Region> regions = footprint_.regions();
  if (resolved && faults_ == before) within_bounds(regions);
  // Tools see only what would be executed, and hear of synchronisation when it happens.
  const bool is_seen = resolved && record.instruction->synchronise == nullptr;
  for (Tool* tool : on_issue_) {
    if (is_seen && faults_ == before) tool->on_issue(*this, record, regions);
  }
  const bool allowed = resolved && faults_ == before;
  if (!allowed) {
    for (Tool* tool : tools_) tool->on_left_out(*this, record, regions);
  }
  if (stop_requested_) stop();
  return allowed;
}

bool Core::resolve(const Record& record, const PlanRoom& plan, bool allow_overlap) {
  const Instruction& instruction = *record.instruction;
  Check check(*this, soc_, registers_);
  footprint_.begin(exact_);
  if (instruction.check != nullptr) instruction.check(record, plan, check);
  if (!check.ok() && !(allow_overlap && check.only_overlaps())) return false;
  if (instruction.footprint != nullptr) instruction.footprint(record, plan, footprint_);
  return true;
}

std::span<const Region> Core::resolve(const Record& record) {
  const Instruction& instruction = *record.instruction;
  issuing_ = &record;
  footprint_.begin(exact_);
  if (supported(record)) {
    PlanRoom plan;
    if (instruction.plan != nullptr) instruction.plan(record, {soc_, registers_}, plan);
    resolve(record, plan, true);
  }
  issuing_ = nullptr;
  return footprint_.regions();
}

void Core::perform(const Record& record, const PlanRoom& plan) {
  const Instruction& instruction = *record.instruction;
  if (instruction.expand != nullptr) {
    const Instruction* before = std::exchange(operator_, &instruction);
    instruction.expand(record, *this);
    operator_ = before;
    return;
  }
  if (instruction.synchronise != nullptr) return instruction.synchronise(record, *this);
  if (instruction.run != nullptr) {
    std::span<const Region> regions;
    if (level_ != CheckLevel::kOff) regions = footprint_.regions();
    const bool held = schedule_.holds() && caller_ == nullptr &&
                      schedule_.hold(record, instruction.pipe(record, soc_), regions, serial_);
    if (!held) run({record, plan, soc_, registers_, regions});
  }
  if (instruction.advance != nullptr) {
    instruction.advance(record, plan, soc_, registers_);
    for (Tool* tool : on_registers_) tool->on_registers(*this, record);
  }
}

void Core::run(const Step& step) {
  const Instruction& instruction = *step.record.instruction;
  const State state{step.soc, step.registers};
  if (instruction.ordered != nullptr && instruction.ordered(step.record, state)) take_turn();
  local_.touch();
  if (level_ == CheckLevel::kOff) return run_beside_others(step);
  if (instruction.inspect != nullptr) {
    instruction.inspect(step.record, step.plan, state, memory_, findings_);
    for (const Finding& finding : std::exchange(findings_, {})) {
      note(finding.code, fmt::format("{}: {}", who(), finding.text), finding.legal);
    }
    if (stop_requested_) stop();
  }
  for (Tool* tool : before_run_) tool->before_run(*this, step);
  run_beside_others(step);
  for (Tool* tool : after_run_) tool->after_run(*this, step);
}

void Core::run_held(const Schedule::Held& held) {
  const Record& record = held.issued();
  // The plan may point into the record, which is another one now.
  PlanRoom plan;
  if (record.instruction->plan != nullptr) {
    record.instruction->plan(record, {soc_, held.registers}, plan);
  }
  const Record* issuing = std::exchange(issuing_, &record);
  const Instruction* part_of = std::exchange(operator_, held.part_of);
  const uint64_t serial = std::exchange(serial_, held.serial);
  held_ = &held;
  run({record, plan, soc_, held.registers, held.regions});
  held_ = nullptr;
  serial_ = serial;
  operator_ = part_of;
  issuing_ = issuing;
}

void Step::run(Memory& memory) const {
  record.instruction->run(record, plan, {soc, registers}, memory);
}

bool Step::moves() const {
  const Instruction& instruction = *record.instruction;
  if (!instruction.moves) return false;
  return instruction.ordered == nullptr || !instruction.ordered(record, {soc, registers});
}

std::string_view mnemonic_of(const Record& record) { return record.instruction->mnemonic; }

Pipe Core::pipe_of(const Record& record) const { return record.instruction->pipe(record, soc_); }

StepOrder Core::order_of(const Record& record, std::span<const Region> regions) const {
  const Instruction& instruction = *record.instruction;
  const Pipe pipe = instruction.pipe(record, soc_);
  const bool in_order = schedule_.is_in_order(pipe, regions);
  const bool combines =
      instruction.ordered != nullptr && instruction.ordered(record, {soc_, registers_});
  const bool unit_flag = instruction.unit_flag != nullptr && instruction.unit_flag(record);
  return {pipe, in_order, combines, unit_flag, operator_ != nullptr};
}

std::span<uint8_t> Core::bytes_of(Space space) {
  if (space == Space::kGm || local_.data(space) == nullptr) return {};
  return {local().data(space), local_.bytes(space)};
}

Interval Core::gm_buffer(uint64_t address) const {
  const GmBuffer* buffer = gm_.find(address);
  if (buffer == nullptr) return {};
  return {buffer->address(), buffer->address() + buffer->bytes};
}

std::string Core::text_of(Space space, Interval bytes) const {
  if (space == Space::kGm) return "bytes " + gm_.text_of(bytes);
  return fmt::format("bytes {}..{} of {}", bytes.first, bytes.end - 1, name_of(space));
}

WrittenBytes* Core::written_bytes(uint64_t address) const {
  const GmBuffer* buffer = gm_.find(address);
  return buffer == nullptr ? nullptr : buffer->written.get();
}

uint8_t* Core::gm_copy(uint64_t address) const {
  const GmBuffer* buffer = gm_.find(address);
  if (buffer == nullptr || buffer->copy == nullptr) return nullptr;
  return buffer->copy.get() + (address - buffer->address());
}

bool Core::settle(std::span<const Region> regions) {
  if (!within_bounds(regions)) return false;
  if (issuing_ == nullptr) {
    schedule_.drain();
  } else {
    // What this instruction's pipe got before it, and with that what those waited for: what else
    // writes its operands it does not wait for either.
    schedule_.wait(Pipe::kS, schedule_.mark(pipe_of(*issuing_)));
  }
  return true;
}

void Core::pipe_barrier(uint32_t pipe) {
  const bool known = pipe > uint32_t(Pipe::kS) && pipe < uint32_t(Pipe::kNone);
  if (!known) {
    const std::string name = pipe == uint32_t(Pipe::kS) ? "PIPE_S" : fmt::format("pipe {}", pipe);
    report(Code::kRange, fmt::format("PipeBarrier: {} is not legal", name),
           "PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX or PIPE_ALL");
    return;
  }
  for (Tool* tool : tools_) tool->on_barrier(*this, Pipe(pipe));
  schedule_.barrier(Pipe(pipe));
}

void Core::drain_pipes() { pipe_barrier(uint32_t(Pipe::kAll)); }

Fault Core::make_fault(Code code, std::string message, std::string legal) const {
  Fault fault;
  fault.code = code;
  const bool is_part =
      operator_ != nullptr && (issuing_ == nullptr || issuing_->instruction != operator_);
  fault.message = is_part ? fmt::format("in {}: {}", operator_->api, message) : std::move(message);
  fault.legal = std::move(legal);
  fault.block = block_index_;
  fault.core = soc_.arch->core_name;
  fault.sub_block = seat_.grid.number_of(seat_.core);
  if (issuing_ != nullptr) {
    const Instruction& instruction = *issuing_->instruction;
    fault.instruction = instruction.mnemonic;
    const Pipe pipe = instruction.pipe(*issuing_, soc_);
    if (pipe != Pipe::kNone) fault.pipe = name_of(pipe);
    fault.serial = serial_;
  }
  if (caller_ == nullptr) {
    fault.frames = call_stack();
    if (posted_from_ != nullptr) fault.frames.assign(posted_from_->begin(), posted_from_->end());
    if (held_ != nullptr) fault.frames.assign(held_->origin.begin(), held_->origin.end());
  } else {
    fault.frames = {reinterpret_cast<uint64_t>(caller_)};  // as its origin: call_place()
    fault.file = caller_->file;
    fault.line = caller_->line;
  }
  return fault;
}

std::string_view Core::who() const {
  if (caller_ != nullptr) return caller_->api;
  if (issuing_ == nullptr) return "scalar code";
  return acts_as_.empty() ? issuing_->instruction->api : acts_as_;
}

void Core::note(Code code, std::string message, std::string legal, const Origin* origin) {
  Fault fault = make_fault(code, std::move(message), std::move(legal));
  if (origin != nullptr && caller_ == nullptr) fault.frames.assign(origin->begin(), origin->end());
  if (!fault.entry().warning) ++faults_;
  if (code == Code::kFlagNotSet || code == Code::kDeadlock || code == Code::kBarrierAlone) {
    for (Tool* tool : tools_) tool->on_stuck(*this, fault.also);
  }
  tell(fault);
}

// Of a script's statement the origin is the address of its words.
Fault::Place Core::place_of(std::string what, const Origin& origin) const {
  if (caller_ == nullptr || origin[0] == 0) {
    return {std::move(what), {origin.begin(), origin.end()}, "", 0};
  }
  const auto* caller = reinterpret_cast<const Caller*>(origin[0]);
  return {std::move(what), {origin[0]}, std::string(caller->file), caller->line};
}

Fault Core::pair_here(Code code, std::string message, std::string legal, std::string other,
                      const Origin& there) const {
  Fault fault = make_fault(code, std::move(message), std::move(legal));
  if (!other.empty()) fault.other = place_of(std::move(other), there);
  return fault;
}

void Core::note_pair(Code code, std::string message, std::string legal, std::string other,
                     const Origin& there, std::vector<Fault::Place> also) {
  Fault fault = pair_here(code, std::move(message), std::move(legal), std::move(other), there);
  fault.also = std::move(also);
  tell(fault);
}

void Core::tell(const Fault& fault) {
  if (!await_turn()) {
    stop_requested_ = true;
    return;
  }
  const bool go_on = sink_(fault);
  const FaultClass kind = fault.entry().kind;
  if (!go_on || (kind != FaultClass::kKernel && kind != FaultClass::kUnverified)) {
    stop_requested_ = true;
  }
}

void Core::report(Code code, std::string message, std::string legal) {
  note(code, std::move(message), std::move(legal));
  if (stop_requested_) stop();
}

void Core::stop() {
  issuing_ = nullptr;
  if (held_ == nullptr) schedule_.drain();
  tell_left_out();
  if (stop_hook_) stop_hook_();
  throw StopKernel();
}

}  // namespace vinci
