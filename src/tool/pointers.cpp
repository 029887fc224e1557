#include "tool/pointers.h"

#include <algorithm>
#include <cstring>
#include <mutex>

#include <fmt/format.h>

#include "core/memory.h"

namespace vinci {
namespace {

// Sums of several cores in one place: who copies last has seen them all.
std::mutex copying;

// The first bytes that differ and follow each other, by their addresses.
Interval difference(const uint8_t* real, const uint8_t* copy, Interval bytes) {
  const uint64_t count = bytes.end - bytes.first;
  if (std::memcmp(real, copy, count) == 0) return {};
  uint64_t first = 0;
  while (real[first] == copy[first]) ++first;
  uint64_t end = first + 1;
  while (end < count && real[end] != copy[end]) ++end;
  return {bytes.first + first, bytes.first + end};
}

}  // namespace

void Pointers::on_block_begin(CoreView& core) {
  scalar_write_.reset();
  for (int i = 1; i < kAllSpaces; ++i) {
    const uint64_t size = core.bytes_of(Space(i)).size();
    Copy& copy = copies_[i];
    if (copy.size != size) {
      copy.lines = std::make_unique_for_overwrite<Line[]>(size / sizeof(Line) + 1);
    }
    copy.size = size;
    copy.kept.assign((size + kPage - 1) / kPage, false);
  }
}

void Pointers::keep(Space space, uint64_t page) {
  Copy& copy = copies_[size_t(space)];
  if (copy.kept[page]) return;
  copy.kept[page] = true;
  const uint64_t first = page * kPage;
  std::memset(copy.bytes() + first, kPoison, std::min(kPage, copy.size - first));
}

Interval Pointers::first_difference(CoreView& core, Space space, Interval bytes) {
  const uint8_t* real = core.bytes_of(space).data();
  Copy& copy = copies_[size_t(space)];
  for (uint64_t page = bytes.first / kPage; page <= (bytes.end - 1) / kPage; ++page) {
    keep(space, page);
  }
  return difference(real + bytes.first, copy.bytes() + bytes.first, bytes);
}

Interval Pointers::first_difference(CoreView& core, const Region& region) {
  Interval found;
  const bool in_gm = region.space == Space::kGm;
  uint8_t* const gm = in_gm ? core.gm_copy(region.first()) : nullptr;
  if (in_gm ? gm == nullptr : copies_[size_t(region.space)].size == 0) return {};
  region.for_each_block([&](Interval block) {
    if (found != Interval{}) return;
    const auto* real = reinterpret_cast<const uint8_t*>(block.first);
    found = in_gm ? difference(real, gm + (block.first - region.first()), block)
                  : first_difference(core, region.space, block);
  });
  return found;
}

void Pointers::take_over(CoreView& core, const Region& region) {
  if (region.empty()) return;
  if (region.space == Space::kGm) {
    uint8_t* const copy = core.gm_copy(region.first());
    if (copy == nullptr) return;
    const std::lock_guard lock(copying);
    region.for_each_block([&](Interval block) {
      std::memcpy(copy + (block.first - region.first()),
                  reinterpret_cast<const uint8_t*>(block.first), block.end - block.first);
    });
    return;
  }
  Copy& copy = copies_[size_t(region.space)];
  if (copy.size == 0) return;
  const uint8_t* real = core.bytes_of(region.space).data();
  region.for_each_block([&](Interval block) {
    for (uint64_t page = block.first / kPage; page <= (block.end - 1) / kPage; ++page) {
      keep(region.space, page);
    }
    std::memcpy(copy.bytes() + block.first, real + block.first, block.end - block.first);
  });
}

void Pointers::finish_scalar_write(CoreView& core) {
  if (!scalar_write_.has_value()) return;
  take_over(core, *scalar_write_);
  scalar_write_.reset();
}

void Pointers::on_scalar_access(CoreView& core, const Region& region) {
  finish_scalar_write(core);
  if (region.access == Access::kWrite) scalar_write_ = region;
}

void Pointers::before_run(CoreView& core, const Step& step) {
  finish_scalar_write(core);
  for (const Region& region : step.regions) {
    if (region.access == Access::kWrite || region.empty() || region.space == Space::kCells)
      continue;
    const Interval bytes = first_difference(core, region);
    if (bytes == Interval{}) continue;
    core.note(Code::kByPointer,
              fmt::format("{}: {} reads {}, which a pointer has written", core.who(), region.name,
                          core.text_of(region.space, bytes)),
              "what instructions and SetValue write");
    take_over(core, region);
  }
}

void Pointers::after_run(CoreView& core, const Step& step) {
  for (const Region& region : step.regions) {
    if (region.access == Access::kWrite) take_over(core, region);
  }
}

}  // namespace vinci
