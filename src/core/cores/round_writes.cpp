#include "core/cores/round_writes.h"

#include <algorithm>
#include <bit>

namespace vinci {
namespace {

// Bits of the bytes of a line that [first, end) has, and the first of them.
struct LinePart {
  uint64_t line, bits;
  uint64_t start;  // the address of the line
};

template <class F>
void for_each_line(const uint8_t* place, uint64_t bytes, F f) {
  constexpr uint64_t kBytes = 64;
  const auto first = uint64_t(reinterpret_cast<uintptr_t>(place)), end = first + bytes;
  for (uint64_t line = first / kBytes; line * kBytes < end; ++line) {
    const uint64_t start = line * kBytes;
    const uint64_t from = std::max(first, start) - start;
    const uint64_t count = std::min(end - start, kBytes) - from;
    const uint64_t ones = count == kBytes ? ~uint64_t(0) : (uint64_t(1) << count) - 1;
    f(LinePart{line, ones << from, start});
  }
}

template <class F>
void for_each_bit(uint64_t bits, F f) {
  for (; bits != 0; bits &= bits - 1) f(uint64_t(std::countr_zero(bits)));
}

}  // namespace

void RoundWrites::before_write(int64_t core, const uint8_t* place, uint64_t bytes) {
  any_.store(true, std::memory_order_relaxed);
  for_each_line(place, bytes, [&](const LinePart& part) {
    Shard& shard = shard_of(part.line);
    const std::lock_guard lock(shard.mutex);
    if (shard.lines.size() >= kMostLines && !shard.lines.contains(part.line)) return;
    Line& line = shard.lines[part.line];
    const auto* const start = reinterpret_cast<const uint8_t*>(uintptr_t(part.start));
    for_each_bit(part.bits & ~line.written, [&](uint64_t i) { line.before[i] = start[i]; });
    line.written |= part.bits;
    const auto own = std::ranges::find(line.by, core, &Line::By::core);
    if (own == line.by.end()) {
      line.by.push_back({core, part.bits});
    } else {
      own->written |= part.bits;
    }
  });
  // Who sees the bytes that are written now sees this, too.
  std::atomic_thread_fence(std::memory_order_release);
}

// Calls f(address, what it was) for each such byte.
template <class F>
void RoundWrites::for_each_by_others(int64_t core, const uint8_t* place, uint64_t bytes, F f) {
  std::atomic_thread_fence(std::memory_order_acquire);
  if (!any_.load(std::memory_order_relaxed)) return;
  for_each_line(place, bytes, [&](const LinePart& part) {
    Shard& shard = shard_of(part.line);
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.lines.find(part.line);
    if (found == shard.lines.end()) return;
    const Line& line = found->second;
    const auto own = std::ranges::find(line.by, core, &Line::By::core);
    const uint64_t others = line.written & ~(own == line.by.end() ? 0 : own->written);
    for_each_bit(others & part.bits, [&](uint64_t i) { f(part.start + i, line.before[i]); });
  });
}

bool RoundWrites::by_others(int64_t core, const uint8_t* place, uint64_t bytes) {
  bool any = false;
  for_each_by_others(core, place, bytes, [&](uint64_t, uint8_t) { any = true; });
  return any;
}

void RoundWrites::restore(int64_t core, const uint8_t* place, uint64_t bytes, uint8_t* copy) {
  const auto first = uint64_t(reinterpret_cast<uintptr_t>(place));
  for_each_by_others(core, place, bytes,
                     [&](uint64_t address, uint8_t before) { copy[address - first] = before; });
}

void RoundWrites::forget() {
  if (!any_.exchange(false)) return;
  for (Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    shard.lines.clear();
  }
}

}  // namespace vinci
