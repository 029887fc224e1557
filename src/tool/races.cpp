// Compares each instruction with those before it that need not have ended.
#include "tool/races.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <fmt/format.h>

#include "core/footprint.h"

namespace vinci {
namespace {

// A set of bytes that grows block by block.
class Cover {
 public:
  bool holds(const Region& region) const {
    bool all = true;
    region.for_each_block([&](Interval block) { all = all && holds(block); });
    return all;
  }
  void add(const Region& region) {
    region.for_each_block([&](Interval block) { add(block); });
  }

 private:
  bool holds(Interval block) const {
    auto after = ends_.upper_bound(block.first);
    return after != ends_.begin() && std::prev(after)->second >= block.end;
  }
  void add(Interval block) {
    auto at = ends_.upper_bound(block.first);
    if (at != ends_.begin() && std::prev(at)->second >= block.first) {
      --at;
      block.first = at->first;
    }
    while (at != ends_.end() && at->first <= block.end) {
      block.end = std::max(block.end, at->second);
      at = ends_.erase(at);
    }
    ends_.emplace_hint(at, block.first, block.end);
  }

  std::map<uint64_t, uint64_t> ends_;  // of disjoint intervals, by their starts
};

std::string remedy(const CoreView& core, Pipe from, Pipe to) {
  // Between tensors the vendor's compiler sets it, if it orders scalar code.
  if (from == Pipe::kV && to == Pipe::kV) {
    return fmt::format(
        "PipeBarrier<PIPE_V>() between them, which nobody sets {}",
        core.orders_scalar(Pipe::kV) ? "for calls that take addresses" : "without auto-sync");
  }
  if (from == to) return fmt::format("PipeBarrier<PIPE_{}>() between them", name_of(to));
  if (const uint32_t event = event_between(from, to); event != kHardEvents) {
    return fmt::format(
        "SetFlag<HardEvent::{0}> after that and WaitFlag<HardEvent::{0}> before this",
        kEvents[event].name);
  }
  return "PipeBarrier<PIPE_ALL>() between them";
}

// Whether their order does not show, or they take care of it themselves. Neither waits then for all
// that came before the other.
bool may_overlap(const StepOrder& one, const StepOrder& other, Space space) {
  return (one.in_operator && other.in_operator) ||
         (space == Space::kGm && one.combines && other.combines) ||
         (space == Space::kL0C && one.unit_flag && other.unit_flag);
}

// Between scalar code and a pipe. Of what a server is told to do in GM the compiler knows nothing.
bool compiler_orders(const CoreView& core, const StepOrder& before, const StepOrder& step) {
  if (before.pipe == Pipe::kS && step.pipe == Pipe::kS) return true;
  if (before.pipe == Pipe::kS) return core.orders_scalar(step.pipe);
  return step.pipe == Pipe::kS && step.in_order && core.orders_scalar(before.pipe);
}

// GetValue and SetValue are no instructions: what the scalar unit does in GM as one, a server does.
StepOrder order_of(CoreView& core, const Record& record, std::span<const Region> regions) {
  StepOrder order = core.order_of(record, regions);
  const auto in_gm = [](const Region& region) { return region.space == Space::kGm; };
  if (order.pipe == Pipe::kS && std::ranges::any_of(regions, in_gm)) order.in_order = false;
  return order;
}

bool same_bytes(const Region& one, const Region& other) {
  return one.address == other.address && one.block_bytes == other.block_bytes &&
         one.blocks == other.blocks && one.block_stride == other.block_stride &&
         one.repeats == other.repeats && one.repeat_stride == other.repeat_stride;
}

std::span<const uint8_t> bytes_at(CoreView& core, Space space, Interval where) {
  const uint64_t bytes = where.end - where.first;
  if (space != Space::kGm) return core.bytes_of(space).subspan(where.first, bytes);
  return {reinterpret_cast<const uint8_t*>(where.first), bytes};
}

}  // namespace

void Races::on_block_begin(CoreView& core) {
  clocks_.begin();
  unit_flags_.begin();
  scalar_cache_.begin(core);
  unread_writes_.begin();
  held_writes_.begin();
  std::ranges::fill(states_, PipeState{});
  flags_.clear();
  raised_.clear();
  cross_ = {};
  enqueued_.clear();
  freed_.clear();
  addresses_.clear();
  reference_ = {};
  forget();
}

// No flag of FreeTensor stays set.
void Races::on_reset(CoreView& core) {
  settle(core);
  for (const auto& [buffer, freed] : freed_) wait_for(freed.filled_by, freed);
  enqueued_.clear();
  freed_.clear();
  addresses_.clear();
}

// What all of it touched has ended.
void Races::forget() {
  leave_steps();
  for (auto& by_pipe : uses_) {
    for (Uses& uses : by_pipe) uses = {};
  }
  std::ranges::fill(used_by_, 0);
  steps_.clear();
  most_steps_ = kFewSteps;
}

// The numbers of steps are about to change.
void Races::leave_steps() {
  for (PipeState& state : states_) {
    if (state.step == kNoStep) continue;
    state.origin = steps_[state.step].origin;
    state.step = kNoStep;
  }
}

void Races::on_barrier(CoreView& core, Pipe pipe) {
  settle(core);
  if (pipe != Pipe::kAll) return clocks_.barrier(pipe);
  clocks_.barrier_of_all();
  forget();
}

void Races::on_flag(CoreView& core, uint32_t event, int32_t id, bool set) {
  settle(core);
  Clock& flag = flags_[{event, id}];
  if (set) {
    flag = clocks_.after(kEvents[event].from);
    raised_.insert({event, id});
  } else {
    if (raised_.erase({event, id}) == 0) {
      PipeState& state = states_[size_t(kEvents[event].to)];
      state.waits = fmt::format("flag {} of {}", id, kEvents[event].name);
      state.since = core.origin();
    }
    clocks_.learn(kEvents[event].to, flag);
  }
}

void Races::on_stuck(CoreView&, std::vector<Fault::Place>& pipes) {
  leave_steps();
  for (int i = 0; i < kPipes; ++i) {
    const PipeState& state = states_[i];
    const auto place = [](std::string what, const Origin& origin) {
      return Fault::Place{std::move(what), {origin.begin(), origin.end()}, "", 0};
    };
    const std::string name(name_of(Pipe(i)));
    if (!state.waits.empty()) {
      pipes.push_back(place(fmt::format("{} waits for {}", name, state.waits), state.since));
    }
    if (state.who.empty()) continue;
    const char* when = state.waits.empty() ? "waits for no flag, and was given" : "was given";
    pipes.push_back(place(fmt::format("{} {} {} last, its instruction {}", name, when, state.who,
                                      clocks_.given(Pipe(i))),
                          state.origin));
  }
}

void Races::on_cross_set(CoreView& core, Pipe pipe) {
  settle(core);
  cross_.learn(clocks_.after(pipe));
}

// Some core that heard of this one's flags set the one that it waited for.
void Races::on_cross_wait(CoreView& core) {
  settle(core);
  clocks_.learn(Pipe::kS, cross_);
}

// Queues order pipes, but nothing within one.
void Races::wait_for(Pipe pipe, const Passed& passed) {
  if (passed.pipe != pipe) clocks_.learn(pipe, passed.clock);
}

void Races::on_queue(CoreView& core, const QueueEvent& event) {
  settle(core);
  auto& enqueued = enqueued_[event.queue];
  switch (event.step) {
    case QueueStep::kAlloc: {
      const auto freed = freed_.find({event.queue, event.address});
      if (freed != freed_.end()) wait_for(event.filled_by, freed->second);
      addresses_[event.allocation] = event.address;
      break;
    }
    case QueueStep::kEnQue:
      enqueued.push_back({event.filled_by, clocks_.after(event.filled_by)});
      break;
    case QueueStep::kDeQue:
      if (enqueued.empty()) break;
      wait_for(event.emptied_by, enqueued.front());
      enqueued.pop_front();
      break;
    case QueueStep::kFree: {
      const auto found = addresses_.find(event.allocation);
      if (found == addresses_.end()) break;
      freed_[{event.queue, found->second}] = {{event.emptied_by, clocks_.after(event.emptied_by)},
                                              event.filled_by};
      addresses_.erase(found);
      break;
    }
  }
}

void Races::on_issue(CoreView& core, const Record& record, std::span<const Region> regions) {
  settle(core);
  unit_flags_.look(core, record, regions);
  scalar_cache_.look(core, regions);
  unread_writes_.look(core, regions);
  if (regions.empty()) return;
  look(core, order_of(core, record, regions), core.who(), regions);
  if (!core.runs_at_once()) held_writes_.issued(regions);
}

void Races::on_scalar_access(CoreView& core, const Region& region) {
  settle(core);
  look_scalar(core, region, nullptr);
}

void Races::on_scalar_reference(CoreView& core, const Region& region) {
  settle(core);
  const std::span<const uint8_t> bytes =
      bytes_at(core, region.space, {region.first(), region.end()});
  reference_ = {region, core.origin(), {bytes.begin(), bytes.end()}};
}

void Races::settle_reference(CoreView& core) {
  auto [region, origin, before] = std::exchange(reference_, {});
  const std::span<const uint8_t> bytes =
      bytes_at(core, region.space, {region.first(), region.end()});
  region.access = std::ranges::equal(bytes, before) ? Access::kRead : Access::kWrite;
  look_scalar(core, region, &origin);
}

void Races::look_scalar(CoreView& core, const Region& region, const Origin* origin) {
  scalar_cache_.access(core, region, origin);
  unread_writes_.look(core, {&region, 1});
  StepOrder order;
  order.pipe = Pipe::kS;
  look(core, order, region.access == Access::kRead ? "GetValue" : "SetValue", {&region, 1}, origin);
}

void Races::on_cache(CoreView& core) {
  settle(core);
  scalar_cache_.clean();
}

// Who takes a pointer may read there; what it does with it is not seen.
void Races::on_address(CoreView& core, const Region& region) {
  settle(core);
  Region read = region;
  read.access = Access::kRead;
  unread_writes_.look(core, {&read, 1});
}

void Races::look(CoreView& core, const StepOrder& order, std::string_view who,
                 std::span<const Region> regions, const Origin* origin) {
  const Pipe pipe = order.pipe;
  doubts_.clear();
  if (steps_.size() >= most_steps_) drop_steps();
  Issued& step = steps_.emplace_back();
  step.order = order;
  step.number = clocks_.give(pipe);
  step.known = clocks_.of(pipe);
  step.origin = origin != nullptr ? *origin : core.origin();
  step.is_over = origin != nullptr;
  step.who = who;
  states_[size_t(pipe)].who = who;
  states_[size_t(pipe)].step = uint32_t(steps_.size() - 1);
  const auto matters = [](const Region& region) {
    return region.space != Space::kCells && region.space != Space::kNone && !region.empty();
  };
  bool waits = false;
  for (const Region& region : regions) {
    if (matters(region)) waits |= compare(core, step, region);
  }
  if (waits) clocks_.learn(pipe, step.known);
  for (const Region& region : regions) {
    if (matters(region)) keep(region, step);
  }
}

bool Races::compare(CoreView& core, Issued& step, const Region& region) {
  const uint64_t first = region.first(), end = region.end();
  bool waits = false;
  for (uint32_t left = used_by_[size_t(region.space)]; left != 0; left &= left - 1) {
    const auto pipe = Pipe(std::countr_zero(left));
    const Uses& uses = uses_[size_t(region.space)][size_t(pipe)];
    const bool ends_in_order = pipe == step.order.pipe && step.order.in_order;
    if (ends_in_order && uses.all_in_order) continue;
    if (uses.all_read && region.access == Access::kRead) continue;
    for (size_t at = uses.by_number.size(); at-- > 0;) {
      const Use& use = uses.list[uses.by_number[at]];
      if (use.number <= step.known[pipe]) break;
      if (use.end <= first || end <= use.first) continue;
      if (!use.writes && region.access == Access::kRead) continue;
      if (ends_in_order && use.order.in_order) continue;
      if (!use.region.intersects(region)) continue;
      const Issued& before = steps_[use.step];
      if (may_overlap(before.order, step.order, region.space)) continue;
      if (!compiler_orders(core, before.order, step.order)) judge(core, step, region, use);
      if (may_stay_unread(before, use, step, region)) continue;  // nobody is told to wait as yet
      // What the vendor's compiler makes wait knows what it waits for; else one fault is enough.
      step.known.learn(before.known);
      step.known[pipe] = std::max(step.known[pipe], use.number);
      waits = true;
    }
  }
  return waits;
}

// Two writes of one pipe; GM is read after the kernel.
bool Races::may_stay_unread(const Issued& before, const Use& use, const Issued& step,
                            const Region& region) {
  return use.writes && region.access == Access::kWrite && region.space != Space::kGm &&
         before.order.pipe == step.order.pipe;
}

void Races::judge(CoreView& core, const Issued& step, const Region& region, const Use& use) {
  const Issued& before = steps_[use.step];
  const bool both_write = use.writes && region.access == Access::kWrite;
  const bool at_once = core.runs_at_once();
  if (!both_write || step.order.pipe == Pipe::kS || (!at_once && region.space != Space::kGm)) {
    return conclude(core, before, step, region, use);
  }
  if (at_once) return doubts_.push_back({before, step, use, region, {}});
  held_writes_.keep(use.region, region, fault_of(core, before, step, region, use));
}

void Races::before_run(CoreView& core, const Step& step) {
  if (!core.runs_at_once()) held_writes_.before_run(step);
  for (Doubt& doubt : doubts_) {
    const std::span<const uint8_t> bytes = bytes_at(core, doubt.region.space, doubt.span());
    doubt.bytes.assign(bytes.begin(), bytes.end());
  }
}

void Races::after_run(CoreView& core, const Step&) {
  if (!core.runs_at_once()) held_writes_.after_run(core);
  for (const Doubt& doubt : std::exchange(doubts_, {})) {
    const std::span<const uint8_t> bytes = bytes_at(core, doubt.region.space, doubt.span());
    if (std::ranges::equal(bytes, doubt.bytes)) continue;
    conclude(core, doubt.before, doubt.step, doubt.region, doubt.use);
  }
}

void Races::conclude(CoreView& core, const Issued& before, const Issued& step, const Region& region,
                     const Use& use) {
  Fault fault = fault_of(core, before, step, region, use);
  if (!may_stay_unread(before, use, step, region)) return core.tell(fault);
  ByteSet both = region;
  ByteSet other = region;
  other.remove(use.region);
  both.remove(other);
  unread_writes_.keep(region.space, std::move(both), std::move(fault));
}

Fault Races::fault_of(CoreView& core, const Issued& before, const Issued& step,
                      const Region& region, const Use& use) {
  const Pipe from = before.order.pipe, to = step.order.pipe;
  const Interval both{std::max(use.first, region.first()), std::min(use.end, region.end())};
  // Published programs leave the barrier of FIX out, and are said to pass on the device.
  const bool early_scales = region.space == Space::kFb && from == Pipe::kFix && to == Pipe::kFix;
  const Code code = early_scales ? Code::kEarlyScales : Code::kRace;
  Fault fault = core.pair_here(
      code,
      fmt::format("{}: {} {} {} on {}, which {} on {} may still {}", step.who, region.name,
                  verb_of(region.access), core.text_of(region.space, both), name_of(to), before.who,
                  name_of(from), use.writes ? "write" : "read"),
      remedy(core, from, to), fmt::format("{} on {}", before.who, name_of(from)), before.origin);
  if (step.is_over) fault.frames.assign(step.origin.begin(), step.origin.end());
  return fault;
}

void Races::keep(const Region& region, const Issued& step) {
  Uses& uses = uses_[size_t(region.space)][size_t(step.order.pipe)];
  if (is_again(uses, region, step)) return;
  used_by_[size_t(region.space)] |= uint32_t(1) << size_t(step.order.pipe);
  if (uses.list.size() >= uses.limit) drop_covered(uses);
  Use use{region.first(),
          region.end(),
          region,
          step.number,
          uint32_t(steps_.size() - 1),
          region.access == Access::kWrite,
          step.order,
          clocks_.moment()};
  use.region.operand = {};
  uses.by_number.push_back(uint32_t(uses.list.size()));
  uses.list.push_back(use);
  uses.all_in_order = uses.all_in_order && use.order.in_order;
  uses.all_read = uses.all_read && !use.writes;
}

// Whether scalar code touches bytes behind those that it touched last, or among them, and nobody
// can tell the two apart.
bool Races::goes_on(const Use& use, const Region& region) const {
  return use.moment == clocks_.moment() && region.blocks == 1 && region.repeats == 1 &&
         use.first <= region.address && region.address <= use.end;
}

// Whether a use not long ago was the same, or ended where this one begins; then it becomes it.
bool Races::is_again(Uses& uses, const Region& region, const Issued& step) const {
  constexpr ptrdiff_t kLook = 8;
  const auto end = uses.by_number.end();
  const bool writes = region.access == Access::kWrite, scalar = step.order.pipe == Pipe::kS;
  auto found = end - std::min<ptrdiff_t>(kLook, end - uses.by_number.begin());
  for (; found != end; ++found) {
    const Use& use = uses.list[*found];
    const bool same = same_bytes(use.region, region) ||
                      (scalar && goes_on(use, region) && steps_[use.step].origin == step.origin);
    if (same && use.writes == writes && use.order == step.order) break;
  }
  if (found == end) return false;
  Use& use = uses.list[*found];
  if (region.end() > use.end) {
    use.end = region.end();
    use.region.block_bytes = use.end - use.first;
  }
  use.number = step.number;
  use.step = uint32_t(steps_.size() - 1);
  std::rotate(found, found + 1, end);
  return true;
}

// Who waits for a use, waits for those before it, too: of what is touched again in the same way,
// the last time is enough.
void Races::drop_covered(Uses& uses) const {
  struct Group {
    StepOrder order;
    Cover read, written;
  };
  std::vector<Group> groups;
  std::vector<Use> kept;
  for (size_t at = uses.by_number.size(); at-- > 0;) {
    Use& use = uses.list[uses.by_number[at]];
    auto group = std::ranges::find(groups, use.order, &Group::order);
    if (group == groups.end()) group = groups.insert(groups.end(), Group{use.order, {}, {}});
    if (group->written.holds(use.region)) continue;
    if (!use.writes && group->read.holds(use.region)) continue;
    (use.writes ? group->written : group->read).add(use.region);
    kept.push_back(std::move(use));
  }
  std::ranges::reverse(kept);
  uses.list = std::move(kept);
  uses.by_number.resize(uses.list.size());
  std::iota(uses.by_number.begin(), uses.by_number.end(), 0);
  uses.limit = std::max(Uses::kFew, 2 * uses.list.size());
}

void Races::drop_steps() {
  leave_steps();
  std::vector<uint32_t> places(steps_.size(), 0);
  std::vector<Issued> kept = std::move(dropped_);
  kept.clear();
  for (auto& by_pipe : uses_) {
    for (Uses& uses : by_pipe) {
      for (Use& use : uses.list) {
        if (places[use.step] == 0) {
          kept.push_back(steps_[use.step]);
          places[use.step] = uint32_t(kept.size());
        }
        use.step = places[use.step] - 1;
      }
    }
  }
  dropped_ = std::exchange(steps_, std::move(kept));
  most_steps_ = std::max(kFewSteps, 2 * steps_.size());
}

}  // namespace vinci
