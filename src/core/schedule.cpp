#include "core/schedule.h"

#include <charconv>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>

#include "core/core.h"

namespace vinci {

Schedule::Schedule(Core& core, std::string_view kind) : core_(core) {
  constexpr std::string_view kRandom = "random:";
  if (kind == "lazy") {
    kind_ = Kind::kLazy;
  } else if (kind.starts_with(kRandom)) {
    kind_ = Kind::kRandom;
    const std::string_view seed = kind.substr(kRandom.size());
    const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), seed_);
    if (error == std::errc() && end == seed.data() + seed.size()) return;
    throw std::invalid_argument(fmt::format("schedule {}: the seed is no number", kind));
  } else if (!kind.empty() && kind != "eager") {
    throw std::invalid_argument(
        fmt::format("unknown schedule {}; there are: eager, lazy, random:SEED", kind));
  }
}

void Schedule::begin_block() {
  for (auto& queue : queues_) queue.clear();
  random_.seed(seed_ + uint64_t(core_.block_index()));
}

void Schedule::hold(const Record& record, Pipe pipe, std::span<const Region> regions,
                    uint64_t serial) {
  auto held = std::make_unique<Held>();
  const size_t bytes = record.instruction->record_bytes;
  held->record.resize((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
  std::memcpy(held->record.data(), &record, bytes);
  held->registers = core_.registers();
  held->regions.assign(regions.begin(), regions.end());
  held->serial = serial;
  held->origin = call_origin();
  queue(pipe).push_back({std::move(held), nullptr});
  if (kind_ == Kind::kRandom) run_some();
}

Schedule::MarkPointer Schedule::mark(Pipe pipe) {
  if (!holds()) return nullptr;
  auto mark = std::make_shared<Mark>();
  mark->pipe = pipe;
  mark->passed = pipe == Pipe::kS || queue(pipe).empty();
  if (!mark->passed) queue(pipe).push_back({nullptr, mark});
  return mark;
}

void Schedule::wait(Pipe pipe, const MarkPointer& mark) {
  if (mark == nullptr || mark->passed) return;
  if (pipe == Pipe::kS) return pass(mark);
  queue(pipe).push_back({nullptr, mark, true});
}

void Schedule::pass(const MarkPointer& mark) {
  while (!mark->passed) run_first(mark->pipe);
}

void Schedule::run_first(Pipe pipe) {
  Entry& first = queue(pipe).front();
  // A wait is for what was issued earlier, so this ends.
  if (first.waits) pass(first.mark);
  const Entry entry = std::move(queue(pipe).front());
  queue(pipe).pop_front();
  if (entry.held != nullptr) {
    core_.run_held(*entry.held);
  } else if (!entry.waits) {
    entry.mark->passed = true;
  }
}

void Schedule::run_some() {
  constexpr unsigned kMostSteps = 3;
  for (uint64_t steps = random_() % kMostSteps; steps > 0; --steps) {
    const auto pipe = Pipe(random_() % kPipes);
    if (!queue(pipe).empty()) run_first(pipe);
  }
}

void Schedule::drain() {
  if (!holds()) return;
  for (int pipe = 0; pipe < kPipes; ++pipe) {
    while (!queue(Pipe(pipe)).empty()) run_first(Pipe(pipe));
  }
}

}  // namespace vinci
