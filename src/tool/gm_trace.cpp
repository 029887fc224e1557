#include "tool/gm_trace.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/instruction.h"

namespace vinci {
namespace {

// An own copy of what an instruction writes is made as long as it spans no more.
constexpr uint64_t kMostRoom = 64 << 20;

// Other cores may be writing there.
std::vector<uint8_t> bytes_in(Interval where) {
  std::vector<uint8_t> bytes;
  for (uint64_t at = where.first; at < where.end; ++at) {
    bytes.push_back(__atomic_load_n(reinterpret_cast<const uint8_t*>(at), __ATOMIC_RELAXED));
  }
  return bytes;
}

bool is_gm(const Region& region) { return region.space == Space::kGm && !region.empty(); }

bool combines(const Step& step) {
  const Instruction& instruction = *step.record.instruction;
  return instruction.ordered != nullptr &&
         instruction.ordered(step.record, {step.soc, step.registers});
}

}  // namespace

void GmTracer::on_block_begin(CoreView& core) {
  active_ = core.core_count() > 1;
  trace_ = {};
  trace_.core = core.core_index();
  segment_ = 0;
  sites_.clear();
  most_ = kFew;
  store_ = {};
  std::ranges::fill(copies_, Copied());
}

void GmTracer::on_block_end(CoreView&) {
  if (!active_) return;
  settle();
  active_ = false;
  sink_(std::move(trace_));
}

uint32_t GmTracer::site_of(CoreView& core, std::string_view who, const char* operand) {
  const Origin origin = core.origin();
  const auto [at, is_new] = sites_.try_emplace({origin, operand}, uint32_t(trace_.sites.size()));
  if (is_new) {
    trace_.sites.push_back(
        {origin, operand, std::string(who), core.fault_here(Code::kBlockRace), kNone});
  }
  return at->second;
}

void GmTracer::after_run(CoreView& core, const Step& step) {
  if (!active_) return;
  settle();
  if (std::ranges::none_of(step.regions, is_gm)) return;
  const bool sums = combines(step);
  const ptrdiff_t to_copy = sums ? 0 : copy_of_written(core, step);
  size_t first = kNone, last = 0;
  uint64_t read = 0;
  for (const Region& region : step.regions) {
    const bool writes = region.access == Access::kWrite;
    // Sums read what they write.
    if (!is_gm(region) || (sums && !writes)) continue;
    const uint64_t size = region.end() - region.first();
    uint8_t how = sums ? GmTrace::kCombines : 0;
    if (writes) how |= GmTrace::kWrites;
    if (writes && !sums) how |= GmTrace::kKept;
    if (writes && size <= kWordBytes) how |= GmTrace::kWord;
    const uint32_t site = site_of(core, core.who(), region.name);
    if (trace_.touches.size() >= most_) drop_repeated();
    region.for_each_block([&](Interval block) {
      const auto* bytes = reinterpret_cast<const uint8_t*>(block.first + uint64_t(to_copy));
      const size_t at = touch(site, block, how, bytes);
      if (writes) return;
      first = std::min(first, at);
      last = std::max(last, at);
      read += block.end - block.first;
    });
  }
  if (first != kNone && read <= kMostLooked) remember_copy(step, first, last);
}

ptrdiff_t GmTracer::copy_of_written(CoreView& core, const Step& step) {
  uint64_t first = ~uint64_t{0}, end = 0;
  bool only_writes = true;
  for (const Region& region : step.regions) {
    if (region.access == Access::kWrite) {
      only_writes = only_writes && region.space == Space::kGm;
      first = std::min(first, region.first());
      end = std::max(end, region.end());
    } else {
      only_writes = only_writes && region.space != Space::kGm;
    }
  }
  if (!only_writes || first >= end || end - first > kMostRoom) return 0;
  constexpr uint64_t kAligned = 64;
  if (room_bytes_ < end - first + 2 * kAligned) {
    room_bytes_ = 2 * (end - first + kAligned);
    room_.reset(new uint8_t[room_bytes_]);
  }
  const auto start = reinterpret_cast<uint64_t>(room_.get()) / kAligned * kAligned + kAligned;
  Storage storage;
  for (int i = 0; i < kAllSpaces; ++i) storage.first[i] = core.bytes_of(Space(i)).data();
  storage.gm_shift = ptrdiff_t(start - first / kAligned * kAligned);
  Memory memory(step.soc, storage);
  step.run(memory);
  return storage.gm_shift;
}

size_t GmTracer::touch(uint32_t site, Interval where, uint8_t how, const uint8_t* bytes) {
  const size_t last = trace_.sites[site].last;
  if (last == kNone) return add(site, where, how, bytes);
  GmTrace::Touch& touch = trace_.touches[last];
  const uint8_t other = (touch.how ^ how) & uint8_t(~GmTrace::kLooked);
  if (touch.segment != segment_ || other != 0) return add(site, where, how, bytes);
  if (touch.is(GmTrace::kKept)) {
    if (touch.where() == where) {
      trace_.written.replace(touch.piece, bytes);
    } else if (where.first == touch.piece.end && trace_.written.is_last(touch.piece)) {
      trace_.written.extend(touch.piece, bytes, where.end - where.first);
    } else {
      return add(site, where, how, bytes);
    }
  } else {
    if (where.first < touch.piece.first || where.first > touch.piece.end) {
      return add(site, where, how, bytes);
    }
    touch.piece.end = std::max(touch.piece.end, where.end);
  }
  touch.how |= how;
  return last;
}

size_t GmTracer::add(uint32_t site, Interval where, uint8_t how, const uint8_t* bytes) {
  Written::Piece piece{where.first, where.end, 0};
  if ((how & GmTrace::kKept) != 0) piece = trace_.written.keep(where, bytes);
  trace_.touches.push_back({piece, segment_, site, how});
  return trace_.sites[site].last = trace_.touches.size() - 1;
}

void GmTracer::remember_copy(const Step& step, size_t first, size_t last) {
  for (const Region& region : step.regions) {
    if (region.access != Access::kWrite || region.space == Space::kGm || region.empty()) continue;
    copies_[next_copy_++ % kCopies] = {region.space, {region.first(), region.end()}, first, last};
  }
}

// Scalar code looks at what a copy brought: it may wait for the word of another core.
void GmTracer::look_at(const Region& region) {
  for (const Copied& copy : copies_) {
    if (copy.space != region.space || region.end() <= copy.where.first ||
        copy.where.end <= region.first()) {
      continue;
    }
    for (size_t i = copy.first; i <= copy.last; ++i) {
      GmTrace::Touch& touch = trace_.touches[i];
      if (!touch.is(GmTrace::kWrites)) touch.how |= GmTrace::kLooked;
    }
  }
}

void GmTracer::on_scalar_access(CoreView& core, const Region& region) {
  if (!active_) return;
  settle();
  if (region.space != Space::kGm) return look_at(region);
  const Interval where{region.first(), region.end()};
  if (trace_.touches.size() >= most_) drop_repeated();
  (region.access == Access::kRead ? trace_.reads_scalars : trace_.writes_scalars) = true;
  if (region.access == Access::kRead) {
    touch(site_of(core, "GetValue", ""), where, GmTrace::kLooked, nullptr);
    return;
  }
  store_ = {where, bytes_in(where), site_of(core, "SetValue", "")};
}

// What a scalar access wrote is seen when the core comes to the door again.
void GmTracer::settle() {
  if (store_.where == Interval()) return;
  const Interval where = std::exchange(store_.where, {});
  const std::vector<uint8_t> bytes = bytes_in(where);
  uint8_t how = GmTrace::kWrites | GmTrace::kKept | GmTrace::kWord;
  if (bytes == store_.before) how |= GmTrace::kSame | GmTrace::kLooked;
  touch(store_.site, where, how, bytes.data());
}

void GmTracer::on_tell(CoreView&, uint32_t number) {
  if (!active_) return;
  settle();
  trace_.told.resize(number, segment_);
  ++segment_;
}

void GmTracer::on_hear(CoreView&, std::span<const Told> told) {
  if (!active_) return;
  settle();
  ++segment_;
  trace_.heard.push_back({segment_, {told.begin(), told.end()}});
}

void GmTracer::on_cache(CoreView&) {
  if (!active_) return;
  settle();
  trace_.last_clean = segment_++;
  if (trace_.first_clean < 0) trace_.first_clean = segment_;
}

// Of touches of the same bytes by one call in one segment the last is enough.
void GmTracer::drop_repeated() {
  std::map<std::tuple<uint32_t, uint32_t, uint64_t, uint64_t, uint8_t>, size_t> known;
  std::vector<GmTrace::Touch> kept;
  Written written;
  for (size_t i = trace_.touches.size(); i-- > 0;) {
    const GmTrace::Touch& touch = trace_.touches[i];
    const auto& [first, end, start] = touch.piece;
    if (known.try_emplace({touch.segment, touch.site, first, end, touch.how}, i).second) {
      kept.push_back(touch);
    }
  }
  std::ranges::reverse(kept);
  for (GmTrace::Touch& touch : kept) {
    if (touch.is(GmTrace::kKept)) touch.piece = written.take(touch.piece, trace_.written);
    trace_.sites[touch.site].last = size_t(&touch - kept.data());
  }
  trace_.touches = std::move(kept);
  trace_.written = std::move(written);
  std::ranges::fill(copies_, Copied());
  most_ = std::max(kFew, 2 * trace_.touches.size());
}

}  // namespace vinci
