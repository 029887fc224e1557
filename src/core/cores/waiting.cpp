// How a core waits for the others of its launch.
#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/core.h"
#include "core/cores/core_name.h"
#include "core/cores/cross_flags.h"
#include "core/cores/posted_work.h"
#include "core/cores/round_writes.h"

namespace vinci {
namespace {

// So many calls in a row that do nothing are a kernel that waits for somebody.
constexpr uint64_t kMostIdleCalls = 1000;
// Bytes of a copy that may be such a read, and of the write that it waits for: docs/spec/order.md.
constexpr uint64_t kMostLookBytes = 4096, kMostWordBytes = 64;

bool may_be_polled(const Region& region, Access access) {
  const uint64_t most = access == Access::kRead ? kMostLookBytes : kMostWordBytes;
  return region.space == Space::kGm && region.access == access &&
         region.block_bytes * region.blocks * region.repeats <= most;
}

const uint8_t* bytes_at(uint64_t address) {
  return reinterpret_cast<const uint8_t*>(uintptr_t(address));
}

// Another core may be writing it: a word is read as one.
template <class Word>
bool read_word(uint8_t* to, const uint8_t* place, uint32_t bytes) {
  if (bytes != sizeof(Word) || reinterpret_cast<uintptr_t>(place) % sizeof(Word) != 0) return false;
  const Word word = __atomic_load_n(reinterpret_cast<const Word*>(place), __ATOMIC_RELAXED);
  std::memcpy(to, &word, sizeof word);
  return true;
}
void read_element(uint8_t* to, const uint8_t* place, uint32_t bytes) {
  if (read_word<uint64_t>(to, place, bytes) || read_word<uint32_t>(to, place, bytes) ||
      read_word<uint16_t>(to, place, bytes) || read_word<uint8_t>(to, place, bytes)) {
    return;
  }
  std::memcpy(to, place, bytes);
}

// "AIV 0 of block 1, AIV 1 of block 1"
std::string names_of(const Grid& grid, const std::vector<int64_t>& cores) {
  constexpr size_t kMost = 4;
  std::string text;
  for (size_t i = 0; i < std::min(cores.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + name_of_core(grid, cores[i]);
  }
  if (cores.size() > kMost) text += fmt::format(" and {} more", cores.size() - kMost);
  return text;
}

// "; 2 of 3 blocks wait, and block 2 has ended", for messages.
std::string who_waits(const Seat& seat, const Soc& soc) {
  if (seat.rounds == nullptr) return "";
  const Rounds::Standing standing = seat.rounds->standing();
  const std::string_view unit = seat.grid.is_whole() ? "block" : "core";
  std::string text = fmt::format("; {} of {} {}s wait", standing.waiting, seat.grid.cores(), unit);
  if (standing.first_ended >= 0) {
    text += fmt::format(", and {} {} has ended", unit, standing.first_ended);
  }
  if (standing.next < seat.grid.cores()) {
    text +=
        fmt::format(", and {} {} cannot begin before another ends, because {} has no more cores",
                    unit, standing.next, soc.name);
  }
  return text;
}

}  // namespace

int64_t Core::kernel_index() const {
  if (seat_.grid.kind_of(seat_.core) != CoreKind::kAiv) return block_index_;
  return block_index_ * seat_.grid.aiv + seat_.grid.sub_block_of(seat_.core);
}

void Core::give_way(const Wait& wait) {
  if (seat_.rounds == nullptr) wait.tell();
  if (seat_.rounds == nullptr || !seat_.rounds->wait(seat_.core, wait)) stop();
}

void Core::wait_for_others(const std::function<bool()>& is_over, Code code,
                           const std::function<std::string()>& message, std::string_view legal) {
  if (is_over()) return;
  const Origin origin = call_origin();
  const auto tell = [&] {
    note(code, message() + who_waits(seat_, soc_), std::string(legal), &origin);
  };
  // References take no memory.
  give_way({std::ref(is_over), std::ref(tell)});
}

Told Core::tell_others() {
  ++times_told_;
  looks_.act();
  for (Tool* tool : tools_) tool->on_tell(*this, times_told_);
  return {seat_.core, times_told_};
}

void Core::hear(std::span<const Told> told) {
  for (Tool* tool : tools_) tool->on_hear(*this, told);
}

void Core::finish_for_others(Pipe pipe) {
  for (Tool* tool : tools_) tool->on_cross_set(*this, pipe);
  schedule_.wait(Pipe::kS, schedule_.mark(pipe));
}

void Core::set_cross_flag(int mode, int flag, Pipe pipe) {
  finish_for_others(pipe);
  CrossFlags* flags = seat_.flags;
  if (flags == nullptr) return;
  // How far a core is ahead of those that it tells is no affair of the kernel's: here each goes on
  // until it must wait.
  const auto full = [=, core = seat_.core] { return flags->full_receiver(core, mode, flag); };
  if (const int64_t receiver = full(); receiver >= 0) {
    wait_for_others([=] { return full() < 0; }, Code::kCrossFlagCount,
                    fmt::format("{}: flag {} of core {} would count more than {}", who(), flag,
                                receiver, CrossFlags::kMostCount),
                    "a CrossCoreWaitFlag for each CrossCoreSetFlag");
  }
  flags->set(tell_others(), mode, flag, call_origin());
}

void Core::wait_cross_flag(int flag) {
  CrossFlags* flags = seat_.flags;
  const auto is_set = [&] { return flags != nullptr && flags->is_set(seat_.core, flag); };
  const auto message = [&]() -> std::string {
    const CrossFlags::Partly partly =
        flags == nullptr ? CrossFlags::Partly() : flags->partly_set(seat_.core, flag);
    if (partly.have.empty()) return fmt::format("{}: nobody sets flag {}", who(), flag);
    return fmt::format("{}: flag {} counts when all have set it: {} has, {} has not", who(), flag,
                       names_of(seat_.grid, partly.have), names_of(seat_.grid, partly.have_not));
  };
  wait_for_others(is_set, Code::kDeadlock, message,
                  "a CrossCoreSetFlag for each CrossCoreWaitFlag");
  hear(*flags->take(seat_.core, flag));
  for (Tool* tool : tools_) tool->on_cross_wait(*this);
}

void Core::meet_cores(bool all_kinds, Pipe until) {
  until == Pipe::kAll ? drain_pipes() : finish_for_others(until);
  CrossFlags* flags = seat_.flags;
  if (flags != nullptr && seat_.grid.cores() != 1) {
    flags->set(tell_others(), all_kinds ? CrossFlags::kAllCores : 0, CrossFlags::kBarrier,
               call_origin());
    const auto all_are_here = [&] { return flags->is_set(seat_.core, CrossFlags::kBarrier); };
    wait_for_others(all_are_here, Code::kBarrierAlone, fmt::format("{}: not all come", who()),
                    "the same number of barriers in every block");
    hear(*flags->take(seat_.core, CrossFlags::kBarrier));
  }
  if (until == Pipe::kAll) return;
  for (Tool* tool : tools_) tool->on_cross_wait(*this);
}

void Core::store_for_others(int32_t* word, int32_t value, bool adds) {
  auto* const copy = reinterpret_cast<int32_t*>(gm_copy(reinterpret_cast<uint64_t>(word)));
  const Told told = seat_.flags != nullptr ? tell_others() : Told{};
  for (int32_t* place : {word, copy}) {
    if (place == nullptr) continue;
    if (seat_.flags != nullptr) {
      seat_.flags->store(told, place, value, adds);
    } else {
      *place = adds ? *place + value : value;
    }
  }
}

void Core::hear_words(std::span<const int32_t* const> words) {
  if (seat_.flags != nullptr) hear(seat_.flags->tellers_of(words));
}

void Core::forget_step() {
  const uint64_t steps = steps_.load(std::memory_order_relaxed) - 1;
  steps_.store(steps, std::memory_order_relaxed);
  if (std::exchange(idle_since_, steps) != steps) idle_calls_ = 0;
  if (++idle_calls_ < kMostIdleCalls || seat_.rounds == nullptr) return;
  idle_calls_ = 0;
  // It may have written through a pointer, too: that all cores do so is no deadlock.
  let_others_go_on(false);
}

void Core::clean_cache() {
  forget_step();
  for (Tool* tool : tools_) tool->on_cache(*this);
}

uint64_t Core::post(const Record& record) {
  buffers_.meet_framework();
  // What the core copied to GM is there, and what it copied from there may be written.
  for (const Pipe pipe : {Pipe::kMte2, Pipe::kMte3}) finish_for_others(pipe);
  PostedWork::Piece piece;
  const uint32_t bytes = record.instruction->record_bytes;
  piece.record.resize((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  std::memcpy(piece.record.data(), &record, bytes);
  piece.from = seat_.core;
  piece.origin = call_place();
  piece.told = tell_others();
  count_step();
  return seat_.posted->post(std::move(piece));
}

void Core::await_post(uint64_t number) {
  if (owed_post_ <= number) owed_post_ = 0;
  PostedWork* posted = seat_.posted;
  const auto is_done = [=, core = seat_.core] { return posted->is_done(core, number); };
  wait_for_others(std::ref(is_done), Code::kDeadlock,
                  "Matmul: the AIC of the block does not do the work",
                  "REGIST_MATMUL_OBJ on the AIC, too");
  const Told told = posted->teller(seat_.core);
  hear({&told, 1});
  for (Tool* tool : tools_) tool->on_cross_wait(*this);
}

void Core::serve_posts() {
  PostedWork* posted = seat_.posted;
  if (posted == nullptr) return;
  const auto has_news = [=, core = seat_.core] { return posted->has_news(core); };
  for (;;) {
    PostedWork::Piece piece;
    if (!posted->take(seat_.core, piece)) {
      wait_for_others(has_news, Code::kDeadlock,
                      "REGIST_MATMUL_OBJ: the AIVs of the block neither call nor end", "");
      if (!posted->take(seat_.core, piece)) return;
    }
    hear({&piece.told, 1});
    for (Tool* tool : tools_) tool->on_cross_wait(*this);
    posted_from_ = &piece.origin;
    issue(piece.work());
    drain_pipes();
    for (Tool* tool : tools_) tool->on_cross_set(*this, Pipe::kFix);
    posted_from_ = nullptr;
    posted->finish(piece, tell_others());
  }
}

Operand Core::own_buffer(uint64_t bytes) {
  const uint8_t* const buffer = seat_.posted->buffer(seat_.core, bytes);
  return {uint64_t(reinterpret_cast<uintptr_t>(buffer)), bytes, 0, Position::GM, DType::kUint8};
}

void Core::wait_for_turn() {
  CrossFlags* flags = seat_.flags;
  if (flags == nullptr) return;
  const int64_t me = kernel_index(), last = vector_cores() - 1;
  const auto is_turn = [=, own = times_let_] {
    return me == 0 ? flags->times_let(last) >= own : flags->times_let(me - 1) > own;
  };
  wait_for_others(
      is_turn, Code::kDeadlock,
      fmt::format("{}: block {} does not let this one go on", who(), me == 0 ? last : me - 1),
      "as many WaitPreBlock and NotifyNextBlock on each core");
  if (const Told told = flags->teller(me == 0 ? last : me - 1); told.core >= 0) hear({&told, 1});
}

void Core::let_next() {
  ++times_let_;
  if (seat_.flags != nullptr) seat_.flags->let_next(kernel_index(), tell_others());
}

Core::LookPlace Core::look_place() const {
  LookPlace place;
  if (issuing_ != nullptr) {
    place.instruction = issuing_->instruction->mnemonic;
    place.pipe = issuing_->instruction->pipe(*issuing_, soc_);
  }
  if (caller_ == nullptr) {
    place.origin = call_origin();
  } else {
    place.file = caller_->file;
    place.line = caller_->line;
  }
  return place;
}

// A core may look at many places in turn, and at which of them it lets the others go on depends on
// the host: it reads on until it sees that another one has written. A deadlock is told at the first
// of all places, without the number of its instruction, which is how often it has read.
void Core::let_others_go_on(bool only_reads) {
  const LookPlace here = look_place();
  if (!only_reads || !looks_at_ || here < *looks_at_) looks_at_ = here;
  const auto tell_user = [&] {
    Fault fault = make_fault(Code::kDeadlock,
                             "reads the same place in GM again and again, and no core is left that "
                             "could write it" +
                                 who_waits(seat_, soc_),
                             "");
    fault.serial = 0;
    fault.instruction = looks_at_->instruction;
    fault.pipe = looks_at_->pipe == Pipe::kNone ? "" : name_of(looks_at_->pipe);
    if (caller_ == nullptr) {
      fault.frames.assign(looks_at_->origin.begin(), looks_at_->origin.end());
    } else {
      fault.file = looks_at_->file;
      fault.line = looks_at_->line;
    }
    ++faults_;
    tell(fault);
  };
  give_way({nullptr, tell_user, only_reads});
}

bool Core::look(const uint8_t* place, uint32_t bytes) {
  uint64_t value = 0;
  read_element(reinterpret_cast<uint8_t*>(&value), place, std::min<uint32_t>(bytes, sizeof value));
  if (!looks_.in_vain(uint64_t(reinterpret_cast<uintptr_t>(place)), value)) return false;
  let_others_go_on(looks_.was_idle());
  return true;
}

// `t(i)` shows what is there when the kernel reads it, which may have been written in this round.
void Core::look_by_reference(const uint8_t* place, uint32_t bytes) {
  if (look(place, bytes) || !seat_.writes->by_others(seat_.core, place, bytes)) return;
  let_others_go_on(false);
}

uint8_t* Core::read_beside_others(uint8_t* place, uint32_t bytes) {
  bool round_has_begun = look(place, bytes);
  if (bytes > sizeof element_) return place;
  read_element(element_, place, bytes);
  if (!round_has_begun && seat_.writes->by_others(seat_.core, place, bytes)) {
    let_others_go_on(false);
    read_element(element_, place, bytes);
    round_has_begun = true;
  }
  if (round_has_begun) seat_.writes->restore(seat_.core, place, bytes, element_);
  return element_;
}

void Core::run_beside_others(const Step& step) {
  if (!is_beside_others()) return step.run(memory_);
  if (level_ == CheckLevel::kOff) return run_blindly(step);
  const auto in_gm = [](Access access) {
    return [access](const Region& r) { return r.space == Space::kGm && r.access == access; };
  };
  const bool writes = std::ranges::any_of(step.regions, in_gm(Access::kWrite));
  if (writes) looks_.act();
  for (const Region& region : step.regions) {
    if (!may_be_polled(region, Access::kWrite)) continue;
    region.for_each_block([&](Interval block) {
      seat_.writes->before_write(seat_.core, bytes_at(block.first), block.end - block.first);
    });
  }
  step.run(memory_);
  const auto read = std::ranges::find_if(step.regions, in_gm(Access::kRead));
  if (writes || read == step.regions.end()) return;
  // What only loads can run again, and shows then what has been written meanwhile: until it has
  // read nothing that is new in its own round.
  const auto has_news = [&] {
    return std::ranges::any_of(step.regions, [&](const Region& r) { return is_news(r); });
  };
  bool waits = looks_.copies_in_vain(read->first());
  while (waits || has_news()) {
    let_others_go_on(waits && looks_.was_idle());
    step.run(memory_);
    waits = false;
  }
}

// Whether another core has written some of what the region reads in this round.
bool Core::is_news(const Region& region) const {
  if (!may_be_polled(region, Access::kRead)) return false;
  bool any = false;
  region.for_each_block([&](Interval block) {
    any |= seat_.writes->by_others(seat_.core, bytes_at(block.first), block.end - block.first);
  });
  return any;
}

// Without checks nobody knows what an instruction reads and writes.
void Core::run_blindly(const Step& step) {
  looks_.act();
  if (pipe_of(step.record) == Pipe::kMte2 && looks_.copies_blindly()) let_others_go_on(false);
  step.run(memory_);
}

}  // namespace vinci
