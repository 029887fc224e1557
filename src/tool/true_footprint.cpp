#include "tool/true_footprint.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace vinci {
namespace {

constexpr uint64_t kAround = 4096;  // bytes of GM on both sides
constexpr uint8_t kReads = 1, kWrites = 2;

}  // namespace

void TrueFootprint::add_window(Space space, uint64_t address, uint8_t* bytes, size_t size) {
  windows_.push_back({space, address, bytes, size, {bytes, bytes + size}, {}, {}, {}});
  windows_.back().declared.assign(size, 0);
}

void TrueFootprint::look(CoreView& core, const Step& step) {
  windows_.clear();
  for (int i = 1; i < kAllSpaces; ++i) {
    const auto space = Space(i);
    const std::span<uint8_t> bytes = core.bytes_of(space);
    if (!bytes.empty()) add_window(space, 0, bytes.data(), bytes.size());
  }
  // Windows of GM must not overlap: one for each buffer.
  for (const Region& region : step.regions) {
    if (region.space != Space::kGm) continue;
    const Interval buffer = core.gm_buffer(region.first());
    if (buffer == Interval()) continue;
    uint64_t first = UINT64_MAX, end = 0;
    for (const Region& other : step.regions) {
      if (other.space != Space::kGm || core.gm_buffer(other.first()) != buffer) continue;
      first = std::min(first, other.first());
      end = std::max(end, other.end());
    }
    first = std::max(first - std::min(first, kAround), buffer.first);
    end = std::min(end + kAround, buffer.end);
    const bool known = std::ranges::any_of(windows_, [&](const Window& window) {
      return window.space == Space::kGm && window.address == first;
    });
    if (!known) add_window(Space::kGm, first, reinterpret_cast<uint8_t*>(first), end - first);
  }
  for (const Region& region : step.regions) declare(region);
}

void TrueFootprint::declare(const Region& region) {
  const uint8_t mark = region.access == Access::kRead ? kReads : kWrites;
  for (Window& window : windows_) {
    if (window.space != region.space) continue;
    const bool inside =
        region.first() >= window.address && region.end() <= window.address + window.size;
    if (!inside) continue;
    region.for_each_block([&](Interval block) {
      for (uint64_t i = block.first; i < block.end; ++i)
        window.declared[i - window.address] |= mark;
    });
  }
}

void TrueFootprint::before_run(CoreView& core, const Step& step) {
  look(core, step);
  step.run(core.memory());
  for (Window& window : windows_) {
    window.result.assign(window.bytes, window.bytes + window.size);
    window.changed = window.before;
    for (size_t i = 0; i < window.size; ++i) {
      if ((window.declared[i] & kReads) == 0) window.changed[i] ^= 0x5A;
    }
    std::ranges::copy(window.changed, window.bytes);
  }
  step.run(core.memory());
  for (const Window& window : windows_) judge(core, window);
  if (step.moves()) judge_move(core, step);
  for (const Window& window : windows_) std::ranges::copy(window.before, window.bytes);
}

// With other bits in every byte, half of each word of 4 bits: a move takes them along.
void TrueFootprint::judge_move(CoreView& core, const Step& step) {
  constexpr uint8_t kOther = 0x55;
  for (Window& window : windows_) {
    for (size_t i = 0; i < window.size; ++i) window.bytes[i] = window.before[i] ^ kOther;
  }
  step.run(core.memory());
  for (const Window& window : windows_) {
    for (size_t i = 0; i < window.size; ++i) {
      if (window.bytes[i] == (window.result[i] ^ kOther)) continue;
      core.note(Code::kInternal,
                fmt::format("{}: it is no move: byte {} of {} depends on what it moves", core.who(),
                            window.address + i, name_of(window.space)),
                "");
      return;
    }
  }
}

void TrueFootprint::judge(CoreView& core, const Window& window) const {
  for (size_t i = 0; i < window.size; ++i) {
    const bool writes = (window.declared[i] & kWrites) != 0;
    const char* problem = nullptr;
    if (writes && window.bytes[i] != window.result[i]) {
      problem = "depends on bytes that are not declared as read, or is not written";
    } else if (!writes &&
               (window.result[i] != window.before[i] || window.bytes[i] != window.changed[i])) {
      problem = "is written and not declared";
    }
    if (problem == nullptr) continue;
    core.note(Code::kInternal,
              fmt::format("{}: its footprint is not true: byte {} of {} {}", core.who(),
                          window.address + i, name_of(window.space), problem),
              "");
    return;
  }
}

}  // namespace vinci
