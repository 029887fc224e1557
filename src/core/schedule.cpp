#include "core/schedule.h"

#include <algorithm>
#include <cstring>

#include "core/core.h"

namespace vinci {
namespace {

// Instructions that a pipe has under way at once.
constexpr int kUnderWay = 32;

// Of a matrix product: how many fractals of L0C it writes.
uint64_t fractals_written(std::span<const Region> regions) {
  constexpr uint64_t kElements = 256;
  uint64_t fractals = 0;
  for (const Region& region : regions) {
    if (region.space != Space::kL0C || region.access != Access::kWrite) continue;
    const uint64_t bytes = region.block_bytes * region.blocks * region.repeats;
    fractals += bytes / std::max<uint64_t>(bytes_of(region.operand.dtype, kElements), 1);
  }
  return fractals;
}

bool has_unit_flag(const Record& record) {
  return record.instruction->unit_flag != nullptr && record.instruction->unit_flag(record);
}

// The vendor's compiler sees tensors, but not who made an address of a number.
bool is_pointer(const Region& region) {
  return region.space != Space::kGm && region.operand.bytes == kUnknownExtent;
}

}  // namespace

Schedule::Schedule(Core& core, const Order& order) : core_(core), order_(order) {
  set_auto_sync(order.auto_sync);
}

void Schedule::set_auto_sync(bool on) {
  auto_sync_ = on;
  before_scalar_ = 0;
  for (int pipe = 0; pipe < kPipes; ++pipe) {
    const bool waits = orders(core_.soc().arch->ordering.scalar[pipe]);
    before_scalar_ = PipeSet(before_scalar_ | unsigned(waits) << pipe);
  }
}

void Schedule::begin_block() {
  for (auto& queue : queues_) queue.clear();
  if (auto_sync_ != order_.auto_sync) set_auto_sync(order_.auto_sync);
  random_.seed(order_.seed + uint64_t(core_.block_index()));
}

bool Schedule::is_in_order(Pipe pipe, std::span<const Region> regions) const {
  if (regions.empty()) return true;  // without checks it is not known what an instruction touches
  const Ordering& ordering = core_.soc().arch->ordering;
  const auto in_cells = [](const Region& region) { return region.space == Space::kCells; };
  if (std::ranges::any_of(regions, in_cells)) return true;
  if (pipe == Pipe::kM && fractals_written(regions) >= ordering.fractals_in_order) return true;
  const OrderedBy by = ordering.within[size_t(pipe)];
  return orders(by) && (by == OrderedBy::kHardware || std::ranges::none_of(regions, is_pointer));
}

bool Schedule::hold(const Record& record, Pipe pipe, std::span<const Region> regions,
                    uint64_t serial) {
  if (pipe == Pipe::kS) {
    scalar_access();
    return false;
  }
  auto held = std::make_unique<Held>();
  const size_t bytes = record.instruction->record_bytes;
  held->record.resize((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  std::memcpy(held->record.data(), &record, bytes);
  held->registers = core_.registers();
  held->regions.assign(regions.begin(), regions.end());
  held->serial = serial;
  held->part_of = core_.part_of();
  held->origin = core_.call_place();
  held->in_order = is_in_order(pipe, regions);
  if (has_unit_flag(record)) {
    // Mmad and Fixpipe wait for the last of the other's that has one.
    for (const Pipe other : {Pipe::kM, Pipe::kFix}) {
      Queue& others = queue(other);
      const auto last = std::find_if(others.rbegin(), others.rend(), [](const Entry& entry) {
        return entry.kind == Entry::Kind::kInstruction && has_unit_flag(entry.held->issued());
      });
      if (other == pipe || last == others.rend()) continue;
      auto mark = std::make_shared<Mark>();
      mark->pipe = other;
      others.insert(last.base(), Entry{Entry::Kind::kMark, nullptr, mark});
      wait(pipe, mark);
    }
  }
  queue(pipe).push_back({Entry::Kind::kInstruction, std::move(held), nullptr});
  latest_[size_t(pipe)] = ++issued_;
  if (order_.kind == Order::Kind::kRandom) run_some();
  return true;
}

Schedule::MarkPointer Schedule::mark(Pipe pipe) {
  if (!holds()) return nullptr;
  auto mark = std::make_shared<Mark>();
  mark->pipe = pipe;
  mark->passed = pipe == Pipe::kS || queue(pipe).empty();
  if (!mark->passed) queue(pipe).push_back({Entry::Kind::kMark, nullptr, mark});
  return mark;
}

void Schedule::wait(Pipe pipe, const MarkPointer& mark) {
  if (mark == nullptr || mark->passed) return;
  if (pipe == Pipe::kS) return pass(mark);
  queue(pipe).push_back({Entry::Kind::kWait, nullptr, mark});
}

void Schedule::barrier(Pipe pipe) {
  if (pipe == Pipe::kAll) return drain();
  if (!queue(pipe).empty()) queue(pipe).push_back({Entry::Kind::kBarrier, nullptr, nullptr});
}

void Schedule::pass(const MarkPointer& mark) {
  while (!mark->passed) run_one(mark->pipe, mark.get());
}

// Takes away what is at the front and holds nothing up.
void Schedule::tidy(Queue& queue) {
  while (!queue.empty()) {
    const Entry& first = queue.front();
    if (first.kind == Entry::Kind::kInstruction) return;
    if (first.kind == Entry::Kind::kWait && !first.mark->passed) return;
    if (first.kind == Entry::Kind::kMark) first.mark->passed = true;
    queue.pop_front();
  }
}

// The place of an instruction that may end before the others; if there is none, of what comes after
// the waits.
size_t Schedule::choose(const Queue& queue, const Mark* end) {
  size_t chosen = 0, at = 0;
  unsigned candidates = 0;
  bool others_in_order = false;
  for (int seen = 0; at < queue.size() && seen < kUnderWay; ++at) {
    const Entry& entry = queue[at];
    if (entry.kind == Entry::Kind::kBarrier) break;
    if (entry.kind == Entry::Kind::kMark && entry.mark.get() == end) break;
    if (entry.kind != Entry::Kind::kInstruction) continue;
    ++seen;
    const bool must_wait = entry.held->in_order && others_in_order;
    others_in_order |= entry.held->in_order;
    if (must_wait) continue;
    ++candidates;
    if (order_.kind == Order::Kind::kLazy || random_() % candidates == 0) chosen = at;
  }
  return candidates == 0 ? at : chosen;
}

void Schedule::run_one(Pipe pipe, const Mark* end) {
  Queue& queue = this->queue(pipe);
  tidy(queue);
  const size_t chosen = choose(queue, end);
  for (size_t i = 0; i < chosen; ++i) {
    const Entry& entry = queue[i];
    // A wait is for what was issued earlier, so this ends. It may change this queue too.
    if (entry.kind == Entry::Kind::kWait && !entry.mark->passed) {
      const MarkPointer mark = entry.mark;
      return pass(mark);
    }
  }
  if (chosen == queue.size()) return;
  const std::unique_ptr<Held> held = std::move(queue[chosen].held);
  queue.erase(queue.begin() + ptrdiff_t(chosen));
  core_.run_held(*held);
  tidy(queue);
}

void Schedule::run_some() {
  constexpr unsigned kMostSteps = 3;
  for (uint64_t steps = random_() % kMostSteps; steps > 0; --steps) {
    const auto pipe = Pipe(random_() % kPipes);
    if (!queue(pipe).empty()) run_one(pipe, nullptr);
  }
}

void Schedule::scalar_access() { drain(before_scalar_); }

void Schedule::drain() { drain(PipeSet(~0u)); }

// What was issued last comes first, and with it only what it waits for: so it shows if it should
// have waited for more.
void Schedule::drain(PipeSet pipes) {
  if (!holds()) return;
  for (;;) {
    int next = -1;
    for (int pipe = 0; pipe < kPipes; ++pipe) {
      if ((pipes >> pipe & 1) == 0 || queues_[pipe].empty()) continue;
      if (next < 0 || latest_[pipe] > latest_[next]) next = pipe;
    }
    if (next < 0) return;
    run_one(Pipe(next), nullptr);
  }
}

}  // namespace vinci
