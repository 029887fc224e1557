#include "tool/twin_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/memory.h"
#include "core/written_bytes.h"

namespace vinci {
namespace {

// Of GM, between the first and the last byte of one instruction.
constexpr uint64_t kMostGm = uint64_t{64} << 20;

}  // namespace

void TwinMemory::begin(CoreView& core) {
  core_ = &core;
  for (int i = 1; i < kAllSpaces; ++i) {
    const std::span<uint8_t> bytes = core.bytes_of(Space(i));
    Twin& twin = twins_[i];
    if (twin.lines == nullptr || twin.real.size() != bytes.size()) {
      twin.lines = std::make_unique_for_overwrite<Line[]>(bytes.size() / sizeof(Line) + 1);
    }
    twin.real = bytes;
    const State state = Space(i) == Space::kCells ? State::kEqual : State::kUnwritten;
    twin.pages.assign((bytes.size() + kPage - 1) / kPage, state);
  }
}

bool TwinMemory::all_equal(const Twin& twin, uint64_t first, uint64_t end) {
  bool equal = true;
  for (uint64_t page = first / kPage; page <= (end - 1) / kPage; ++page) {
    equal &= is_equal(twin.pages[page]);
  }
  return equal;
}

// Bytes of a page that nobody has written are those of begin(), but where a pointer has been.
void TwinMemory::keep(Twin& twin, uint64_t page) {
  const uint64_t first = page * kPage, end = twin.end_of(page);
  State& state = twin.pages[page];
  switch (state) {
    case State::kEqual:
    case State::kOpen: std::copy_n(&twin.real[first], end - first, twin.bytes() + first); break;
    case State::kUnwritten:
      for (uint64_t i = first; i < end; ++i) {
        twin.bytes()[i] = twin.real[i] == kPoison ? other(i) : twin.real[i];
      }
      state = State::kKept;
      break;
    case State::kOver:
      for (uint64_t i = first; i < end; ++i) twin.bytes()[i] = other(i);
      state = State::kKept;
      break;
    case State::kKept: break;
  }
}

// What a page is, whose bytes are valid.
void TwinMemory::compare(Twin& twin, uint64_t page) {
  if (twin.pages[page] == State::kOpen) return;
  const uint64_t first = page * kPage;
  const bool equal =
      std::memcmp(&twin.real[first], twin.bytes() + first, twin.end_of(page) - first) == 0;
  twin.pages[page] = equal ? State::kEqual : State::kKept;
}

// f(page) for the pages that the region touches; seldom twice for the same.
template <class F>
void TwinMemory::for_each_page(const Region& region, F f) {
  uint64_t last = UINT64_MAX;
  region.for_each_block([&](Interval block) {
    for (uint64_t page = block.first / kPage; page <= (block.end - 1) / kPage; ++page) {
      if (page != last) f(page);
      last = page;
    }
  });
}

bool TwinMemory::differs(const Twin& twin, uint64_t at) {
  switch (twin.pages[at / kPage]) {
    case State::kEqual:
    case State::kOpen: return false;
    case State::kKept: return twin.real[at] != twin.bytes()[at];
    case State::kUnwritten: return twin.real[at] == kPoison;
    case State::kOver: return true;
  }
  return false;
}

// Of eight bytes of a page that keeps some, or whose bytes nobody has written: 0x80 for each that
// differs, else 0.
uint64_t TwinMemory::differing(const Twin& twin, uint64_t at) {
  constexpr uint64_t kEach = 0x0101010101010101;
  if (twin.pages[at / kPage] == State::kOver) return 0x80 * kEach;
  const bool kept = twin.pages[at / kPage] == State::kKept;
  uint64_t real, other = kPoison * kEach;
  std::memcpy(&real, &twin.real[at], sizeof(real));
  if (kept) std::memcpy(&other, twin.bytes() + at, sizeof(other));
  const uint64_t bits = real ^ other;
  const uint64_t unequal = (((bits & 0x7F * kEach) + 0x7F * kEach) | bits) & 0x80 * kEach;
  return kept ? unequal : unequal ^ 0x80 * kEach;
}

// The first byte that differs, or the first that does not; the end if there is none.
uint64_t TwinMemory::find(const Twin& twin, Interval bytes, bool differing) {
  uint64_t at = bytes.first;
  while (at < bytes.end) {
    const uint64_t page = at / kPage, end = std::min(bytes.end, twin.end_of(page));
    if (is_equal(twin.pages[page])) {
      if (!differing) return at;
      at = end;
    }
    for (; at + 8 <= end; at += 8) {
      const uint64_t found = TwinMemory::differing(twin, at) ^ (differing ? 0 : 0x8080808080808080);
      if (found != 0) return at + uint64_t(std::countr_zero(found)) / 8;
    }
    for (; at < end; ++at) {
      if (differs(twin, at) == differing) return at;
    }
  }
  return bytes.end;
}

Interval TwinMemory::first_difference(const Twin& twin, Interval bytes) {
  const uint64_t first = find(twin, bytes, true);
  if (first == bytes.end) return {};
  return {first, find(twin, {first, bytes.end}, false)};
}

double TwinMemory::share_of_differences(const Region& region) const {
  if (region.space == Space::kGm) return 1;
  const Twin& twin = this->twin(region);
  uint64_t all = 0, differing = 0;
  region.for_each_block([&](Interval block) {
    for (uint64_t at = block.first; at < block.end; ++at) differing += differs(twin, at);
    all += block.end - block.first;
  });
  return double(differing) / double(all);
}

bool TwinMemory::differs(const Region& region) const {
  if (region.space == Space::kGm) return first_difference_in_gm(region) != Interval{};
  const Twin& twin = this->twin(region);
  if (twin.real.empty() || region.empty()) return false;
  if (all_equal(twin, region.first(), region.end())) return false;
  bool found = false;
  region.for_each_block([&](Interval block) {
    if (!found) found = find(twin, block, true) != block.end;
  });
  return found;
}

Interval TwinMemory::first_difference(const Region& region) const {
  if (region.space == Space::kGm) return first_difference_in_gm(region);
  const Twin& twin = this->twin(region);
  if (twin.real.empty() || region.empty()) return {};
  if (all_equal(twin, region.first(), region.end())) return {};
  Interval found;
  region.for_each_block([&](Interval block) {
    if (found == Interval{}) found = first_difference(twin, block);
  });
  return found;
}

// What a pointer has written is known by its value.
Interval TwinMemory::first_difference_in_gm(const Region& region) const {
  const WrittenBytes* written = core_->written_bytes(region.first());
  if (written == nullptr) return {};
  const auto differs = [&](uint64_t at) {
    return written->is_unknown(at, *reinterpret_cast<const uint8_t*>(at));
  };
  Interval found;
  region.for_each_block([&](Interval block) {
    if (found != Interval{} || written->holds(block)) return;
    while (block.first < block.end && !differs(block.first)) ++block.first;
    if (block.first == block.end) return;
    found = {block.first, block.first + 1};
    while (found.end < block.end && differs(found.end)) ++found.end;
  });
  return found;
}

void TwinMemory::take_over_gm(const Region& region) {
  WrittenBytes* written = core_->written_bytes(region.first());
  if (written == nullptr) return;
  region.for_each_block([&](Interval block) { written->set(block); });
}

void TwinMemory::settle_gm(const Region& region) {
  WrittenBytes* written = core_->written_bytes(region.first());
  if (written == nullptr) return;
  region.for_each_block([&](Interval block) {
    for (uint64_t first = block.first; first < block.end; ++first) {
      uint64_t end = first;
      while (end < block.end && !gm_differs(end)) ++end;
      if (first != end) written->set({first, end});
      if (end < block.end) written->leave(end, *reinterpret_cast<const uint8_t*>(end));
      first = end;
    }
  });
}

bool TwinMemory::take_over(const Region& region) {
  if (region.space == Space::kGm) {
    take_over_gm(region);
    return false;
  }
  Twin& twin = this->twin(region);
  if (twin.real.empty() || region.empty()) return false;
  if (all_equal(twin, region.first(), region.end())) return false;
  region.for_each_block([&](Interval block) {
    for (uint64_t at = block.first; at < block.end;) {
      const uint64_t page = at / kPage, end = std::min(block.end, twin.end_of(page));
      if (!is_equal(twin.pages[page])) {
        if (end - at == kPage) {
          twin.pages[page] = State::kEqual;
        } else {
          keep(twin, page);
          std::copy_n(&twin.real[at], end - at, twin.bytes() + at);
          compare(twin, page);
        }
      }
      at = end;
    }
  });
  return true;
}

void TwinMemory::open(const Region& region) {
  Twin& twin = this->twin(region);
  if (twin.real.empty()) return;
  for_each_page(region, [&](uint64_t page) { twin.pages[page] = State::kOpen; });
}

void TwinMemory::forget(const Region& region) {
  Twin& twin = this->twin(region);
  if (twin.real.empty()) return;
  for_each_page(region, [&](uint64_t page) {
    State& state = twin.pages[page];
    if (state == State::kOpen) return;
    const uint64_t first = std::max(page * kPage, region.first());
    const uint64_t end = std::min(twin.end_of(page), region.end());
    if (end - first == twin.end_of(page) - page * kPage) {
      state = State::kUnwritten;
      return;
    }
    keep(twin, page);
    for (uint64_t at = first; at < end; ++at) twin.bytes()[at] = other(at);
    state = State::kKept;
  });
}

void TwinMemory::spoil(Space space, const ByteSet& bytes) {
  Twin& twin = twins_[size_t(space)];
  if (twin.real.empty()) return;
  for (const Interval& interval : bytes.intervals()) {
    for (uint64_t at = interval.first; at < interval.end;) {
      const uint64_t page = at / kPage, page_end = twin.end_of(page);
      const uint64_t end = std::min(interval.end, page_end);
      State& state = twin.pages[page];
      if (state != State::kOpen && at == page * kPage && end == page_end) {
        state = State::kOver;
      } else if (state != State::kOpen) {
        keep(twin, page);
        for (uint64_t i = at; i < end; ++i) twin.bytes()[i] = other(i);
        state = State::kKept;
      }
      at = end;
    }
  }
}

Interval TwinMemory::first_stray(Space space) const {
  const Twin& twin = twins_[size_t(space)];
  for (uint64_t page = 0; page < twin.pages.size(); ++page) {
    if (twin.pages[page] != State::kUnwritten) continue;
    const auto* end = &twin.real[0] + twin.end_of(page);
    const auto* first =
        std::find_if(&twin.real[page * kPage], end, [](uint8_t byte) { return byte != kPoison; });
    if (first == end) continue;
    const auto* last = std::find(first, end, kPoison);
    return {uint64_t(first - twin.real.data()), uint64_t(last - twin.real.data())};
  }
  return {};
}

bool TwinMemory::prepare_gm(std::span<const Region> regions) {
  uint64_t first = UINT64_MAX, end = 0;
  for (const Region& region : regions) {
    if (region.space != Space::kGm || region.empty()) continue;
    first = std::min(first, region.first());
    end = std::max(end, region.end());
  }
  if (end == 0) return true;
  if (end - first > kMostGm) return false;
  first -= first % kPage;
  if (window_.size() < end - first) window_.resize(end - first);
  gm_shift_ = window_.data() - reinterpret_cast<uint8_t*>(first);
  for (const Region& region : regions) {
    if (region.space == Space::kGm) copy_to_window(region);
  }
  return true;
}

void TwinMemory::copy_to_window(const Region& region) {
  const WrittenBytes* written = core_->written_bytes(region.first());
  region.for_each_block([&](Interval block) {
    auto* real = reinterpret_cast<uint8_t*>(block.first);
    const uint64_t bytes = block.end - block.first;
    std::copy_n(real, bytes, real + gm_shift_);
    if (written == nullptr || written->holds(block)) return;
    for (uint64_t i = 0; i < bytes; ++i) {
      const uint64_t at = block.first + i;
      if (written->is_unknown(at, real[i])) real[gm_shift_ + int64_t(i)] = other(at);
    }
  });
}

std::optional<Memory> TwinMemory::prepare(const Step& step) {
  if (!prepare_gm(step.regions)) return std::nullopt;
  for (const Region& region : step.regions) {
    Twin& twin = this->twin(region);
    if (region.space == Space::kGm || twin.real.empty()) continue;
    for_each_page(region, [&](uint64_t page) { keep(twin, page); });
  }
  Storage storage;
  for (int i = 1; i < kAllSpaces; ++i) {
    if (!twins_[i].real.empty()) storage.first[i] = twins_[i].bytes();
  }
  storage.gm_shift = gm_shift_;
  return Memory(step.soc, storage);
}

void TwinMemory::settle(std::span<const Region> regions) {
  for (const Region& region : regions) {
    if (region.access == Access::kRead) continue;
    if (region.space == Space::kGm) {
      settle_gm(region);
      continue;
    }
    Twin& twin = this->twin(region);
    for_each_page(region, [&](uint64_t page) { compare(twin, page); });
  }
}

}  // namespace vinci
