#include "tool/gm_trace.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/instruction.h"
#include "tool/columns.h"
#include "tool/races.h"
#include "vinci/dtype.h"

namespace vinci {
namespace {

// An own copy of what an instruction writes is made as long as it spans no more.
constexpr uint64_t kMostRoom = 64 << 20;

// Other cores may be writing there.
std::vector<uint8_t> bytes_in(Interval where) {
  const auto* first = reinterpret_cast<const uint8_t*>(where.first);
  if (where.end - where.first > sizeof(uint64_t)) return {first, first + (where.end - where.first)};
  std::vector<uint8_t> bytes;
  for (uint64_t at = where.first; at < where.end; ++at) {
    bytes.push_back(__atomic_load_n(reinterpret_cast<const uint8_t*>(at), __ATOMIC_RELAXED));
  }
  return bytes;
}

bool is_gm(const Region& region) { return region.space == Space::kGm && !region.empty(); }

// A block of what was added, with what was there before.
struct Sum {
  Interval block;
  const uint8_t *before, *after;
  DType dtype;

  uint64_t element() const { return std::max<uint64_t>(bits_of(dtype) / 8, 1); }

  // From the first element for which f(its offset) is true to the last; looks at so many of either
  // end.
  template <class F>
  Interval between(uint64_t most, F f) const {
    const uint64_t count = (block.end - block.first) / element();
    uint64_t first = 0, last = 0;
    while (first < std::min(count, most) && !f(first * element())) ++first;
    if (first == std::min(count, most)) return {};
    while (last < std::min(count, most) && !f((count - 1 - last) * element())) ++last;
    if (last == std::min(count, most)) return {};
    return {block.first + first * element(), block.first + (count - last) * element()};
  }
  Interval changed() const {
    return between(~uint64_t{0}, [&](uint64_t at) {
      return std::memcmp(before + at, after + at, element()) != 0;
    });
  }
  Interval fractions() const {
    constexpr uint64_t kMost = 64;
    return between(is_float(dtype) ? kMost : 0, [&](uint64_t at) {
      const double number = number_at(dtype, after + at, 0);
      return number != std::floor(number);
    });
  }
};

uint64_t bytes_of(const Region& region) {
  return region.block_bytes * region.blocks * region.repeats;
}

// Of a read, without what lies behind its tensor and fills the last datablock: that is told as such
// (V1011), and nobody means to use it.
Interval meant(const Region& region, Interval block) {
  constexpr uint64_t kDatablock = 32;
  const uint64_t end = region.operand.address + region.operand.bytes;
  const bool is_rounded_up = region.access == Access::kRead && block.first < end && end < block.end;
  if (is_rounded_up && block.end - end < kDatablock) block.end = end;
  return block;
}

bool combines(const Step& step) {
  const Instruction& instruction = *step.record.instruction;
  return instruction.ordered != nullptr &&
         instruction.ordered(step.record, {step.soc, step.registers});
}

}  // namespace

void GmTracer::on_block_begin(CoreView& core) {
  core_ = &core;
  active_ = core.core_count() > 1;
  trace_ = {};
  trace_.core = core.core_index();
  sums_.clear();
  segment_ = 0;
  touched_ = added_ = by_flag_ = word_ = false;
  number_ = turn_ = 0;
  told_ = 0;
  late_.clear();
  looked_ = {};
  sites_.clear();
  most_ = kFew;
  scalar_ = {};
  looks_.clear();
  std::ranges::fill(copies_, Copied());
}

void GmTracer::on_block_end(CoreView&) {
  if (!active_) return;
  settle();
  tell_of_touches(true);
  active_ = false;
  sink_(std::move(trace_));
}

uint32_t GmTracer::site_of(CoreView& core, std::string_view who, const char* operand) {
  const Origin origin = core.origin();
  const auto [at, is_new] = sites_.try_emplace({origin, operand}, uint32_t(trace_.sites.size()));
  if (is_new) {
    trace_.sites.push_back({.origin = origin,
                            .operand = operand,
                            .who = std::string(who),
                            .fault = core.fault_here(Code::kBlockRace)});
  }
  return at->second;
}

void GmTracer::before_run(CoreView&, const Step& step) {
  if (!active_ || step.record.instruction->ordered == nullptr || !combines(step)) return;
  sum_before_.clear();
  for (const Region& region : step.regions) {
    if (!is_gm(region) || region.access != Access::kWrite) continue;
    region.for_each_block([&](Interval block) {
      const auto* const bytes = reinterpret_cast<const uint8_t*>(block.first);
      sum_before_.insert(sum_before_.end(), bytes, bytes + (block.end - block.first));
    });
  }
}

// Zeros that are added behind the end of what a core has change nothing.
void GmTracer::add_sums(const Region& region) {
  const uint8_t* before = sum_before_.data();
  region.for_each_block([&](Interval block) {
    const auto* const after = reinterpret_cast<const uint8_t*>(block.first);
    const Sum sum{block, before, after, region.operand.dtype};
    before += block.end - block.first;
    if (sums_.contains({segment_, block.first, block.end})) return;
    const Interval changed = sum.changed();
    if (changed == Interval{}) return;
    sums_.emplace(segment_, block.first, block.end);
    trace_.sums.push_back({changed, segment_, core_->launch_order(), sum.fractions()});
  });
}

// Who has seen what this core added has not seen, with that, at what it looked afterwards.
void GmTracer::begin_look() {
  if (!added_) return;
  word_ = true;
  end_segment();
}

void GmTracer::after_run(CoreView& core, const Step& step) {
  if (!active_) return;
  settle();
  if (std::ranges::none_of(step.regions, is_gm)) return;
  const bool sums = combines(step);
  const Pipe pipe = core.pipe_of(step.record);
  number_ = races_ == nullptr ? 0 : races_->given(pipe);
  const auto may_be_looked_at = [](const Region& region) {
    return is_gm(region) && region.access == Access::kRead && bytes_of(region) <= kMostLooked;
  };
  if (!sums && std::ranges::any_of(step.regions, may_be_looked_at)) begin_look();
  const ptrdiff_t to_copy = sums ? 0 : copy_of_written(core, step);
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
    trace_.sites[site].pipe = pipe;
    if (!writes) sites_read_.push_back(site);
    if (sums) add_sums(region);
    added_ = added_ || sums;
    if (trace_.touches.size() >= most_) drop_repeated();
    region.for_each_block([&](Interval block) {
      const auto* bytes = reinterpret_cast<const uint8_t*>(block.first + uint64_t(to_copy));
      touch(site, meant(region, block), how, bytes);
    });
  }
  remember_copy(step);
  sites_read_.clear();
  number_ = 0;
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

void GmTracer::touch(uint32_t site, Interval where, uint8_t how, const uint8_t* bytes) {
  touched_ = true;
  word_ = word_ || (how & GmTrace::kWord) != 0;
  const size_t last = trace_.sites[site].last;
  if (last == kNone || !goes_on(trace_.touches[last], where, how, bytes)) {
    return add(site, where, how, bytes);
  }
  trace_.touches[last].number = number_;
  trace_.touches[last].turn = ++turn_;
}

// Whether this becomes part of a touch by the same call.
bool GmTracer::goes_on(GmTrace::Touch& touch, Interval where, uint8_t how, const uint8_t* bytes) {
  const uint8_t other = (touch.how ^ how) & uint8_t(~GmTrace::kMany);
  if (touch.segment != segment_ || other != 0) return false;
  if (!touch.is(GmTrace::kKept)) {
    if (where.first < touch.piece.first || where.first > touch.piece.end) return false;
    touch.piece.end = std::max(touch.piece.end, where.end);
    return true;
  }
  Written& written = trace_.sites[touch.site].written;
  if (touch.where() == where) {
    if (written.replace(touch.piece, bytes)) touch.how |= GmTrace::kMany;
    return true;
  }
  if (where.first != touch.piece.end || !written.is_last(touch.piece)) return false;
  written.extend(touch.piece, bytes, where.end - where.first);
  return true;
}

void GmTracer::add(uint32_t site, Interval where, uint8_t how, const uint8_t* bytes) {
  Written::Piece piece{where.first, where.end};
  if ((how & GmTrace::kKept) != 0) {
    piece = trace_.sites[site].written.keep(where, bytes, (how & GmTrace::kWord) != 0);
  }
  trace_.sites[site].last = trace_.touches.size();
  const uint64_t when = (how & GmTrace::kWord) != 0 ? core_->launch_order() : 0;
  trace_.touches.push_back({piece, segment_, site, how, number_, ++turn_, GmTrace::kNotYet, when});
}

void GmTracer::remember_copy(const Step& step) {
  uint64_t read = 0, parts = 0;
  const Region* to = nullptr;
  for (const Region& region : step.regions) {
    if (is_gm(region) && region.access == Access::kRead) {
      read += bytes_of(region);
      parts += region.blocks * region.repeats;
    } else if (region.space != Space::kGm && region.access == Access::kWrite) {
      to = &region;
    }
  }
  if (to == nullptr || read == 0 || read > kMostLooked || parts > kMostParts) return;
  Copied& copy = copies_[next_copy_++ % kCopies];
  copy = {to->space, {to->first(), to->end()}, segment_, {}};
  auto at = sites_read_.begin();
  for (const Region& region : step.regions) {
    if (!is_gm(region) || region.access != Access::kRead) continue;
    const uint32_t site = *at++;
    region.for_each_block([&](Interval block) { copy.parts.push_back({block, site}); });
  }
}

// Scalar code looks at what a copy brought: it may wait for the word of another core.
void GmTracer::look_at(const Region& region) {
  for (Copied& copy : copies_) {
    if (copy.space != region.space || region.end() <= copy.where.first ||
        copy.where.end <= region.first()) {
      continue;
    }
    for (const Part& part : std::exchange(copy.parts, {})) {
      look(copy.segment, part.site, part.gm);
    }
  }
}

// What is there now is what the core has seen, or newer.
void GmTracer::look(uint32_t segment, uint32_t site, Interval where) {
  const std::vector<uint8_t> bytes = bytes_in(where);
  const uint64_t when = core_->launch_order();
  if (segment == segment_) looked_ = where;
  if (GmTrace::Touch* const known = last_look_at(segment, where)) {
    known->when = when;
    return look_again(*known, where, bytes.data());
  }
  GmTrace::Site& from = trace_.sites[site];
  if (from.last_look != kNone) {
    GmTrace::Touch& last = trace_.touches[from.last_look];
    if (last.segment == segment && last.piece.end == where.first && !last.is(GmTrace::kMany) &&
        from.written.is_last(last.piece)) {
      last.turn = ++turn_;
      last.when = when;
      return from.written.extend(last.piece, bytes.data(), where.end - where.first);
    }
  }
  // When the copy itself was over is with its own touch: by now there may be other bytes in GM.
  const uint32_t told = segment == segment_ ? GmTrace::kNotYet : segment;
  add_look({from.written.keep(where, bytes.data(), true), segment, site,
            GmTrace::kLooked | GmTrace::kKept, 0, ++turn_, told, when});
}

// nullptr if there was none at all of its bytes.
GmTrace::Touch* GmTracer::last_look_at(uint32_t segment, Interval where) {
  const auto after = looks_.upper_bound({segment, where.first});
  if (after == looks_.begin()) return nullptr;
  GmTrace::Touch& touch = trace_.touches[std::prev(after)->second];
  return touch.segment == segment && where.end <= touch.piece.end ? &touch : nullptr;
}

// A word that has changed since is a look of its own: what lies around it was seen once.
void GmTracer::look_again(GmTrace::Touch& touch, Interval where, const uint8_t* bytes) {
  Written& written = trace_.sites[touch.site].written;
  if (!written.replace(Written::part(touch.piece, where), bytes)) return;
  GmTrace::Touch& look = cut_out(touch, where);
  look.how |= GmTrace::kMany;
  look.turn = ++turn_;
}

// Makes a part of a look one of its own.
GmTrace::Touch& GmTracer::cut_out(GmTrace::Touch& touch, Interval where) {
  const GmTrace::Touch whole = touch;
  const auto number = size_t(&touch - trace_.touches.data());
  touch.piece = Written::part(whole.piece, where);
  for (const Interval left :
       {Interval{whole.piece.first, where.first}, Interval{where.end, whole.piece.end}}) {
    if (left.first == left.end) continue;
    GmTrace::Touch rest = whole;
    rest.piece = Written::part(whole.piece, left);
    add_look(rest);
  }
  looks_[{whole.segment, where.first}] = number;
  return trace_.touches[number];
}

void GmTracer::add_look(const GmTrace::Touch& touch) {
  trace_.sites[touch.site].last_look = trace_.touches.size();
  looks_[{touch.segment, touch.piece.first}] = trace_.touches.size();
  trace_.touches.push_back(touch);
}

void GmTracer::on_scalar_access(CoreView& core, const Region& region) {
  const bool reads = region.access == Access::kRead;
  begin_scalar(core, region, reads, !reads);
}

void GmTracer::on_scalar_reference(CoreView& core, const Region& region) {
  begin_scalar(core, region, true, true);
}

void GmTracer::begin_scalar(CoreView& core, const Region& region, bool may_read, bool may_write) {
  if (!active_) return;
  settle();
  if (region.space != Space::kGm) return look_at(region);
  if (trace_.touches.size() >= most_) drop_repeated();
  if (may_read) begin_look();
  const Interval where{region.first(), region.end()};
  const bool past_cache = region.operand.dtype == DType::kNone;
  const auto site = [&](bool is_one, std::string_view who) {
    return is_one ? site_of(core, who, "") : kNoSite;
  };
  scalar_ = {where, bytes_in(where), site(may_read, "GetValue"),
             site(may_write, past_cache ? "scalar code" : "SetValue")};
}

// What a scalar access did is known when the core comes to the door again.
void GmTracer::settle() {
  if (scalar_.where == Interval()) return;
  const Interval where = std::exchange(scalar_.where, {});
  const std::vector<uint8_t> bytes = bytes_in(where);
  const bool is_same = bytes == scalar_.before;
  if (scalar_.writes == kNoSite || (scalar_.reads != kNoSite && is_same)) {
    trace_.reads_scalars = true;
    return look(segment_, scalar_.reads, where);
  }
  trace_.writes_scalars = true;
  uint8_t how = GmTrace::kWrites | GmTrace::kKept | GmTrace::kWord;
  if (is_same) how |= GmTrace::kSame;
  touch(scalar_.writes, where, how, bytes.data());
}

void GmTracer::on_tell(CoreView& core, uint32_t number) {
  if (!active_) return;
  settle();
  // A schedule that keeps instructions runs the others when it pleases: what has run has ended.
  const bool of_some = std::exchange(by_flag_, false) && core.runs_at_once();
  word_ = word_ || !of_some;
  if (!word_) tell_of_touches(false);
  trace_.told.resize(number, segment_);
  end_segment();
}

void GmTracer::end_segment() {
  if (std::exchange(word_, false)) tell_of_touches(true);
  added_ = false;
  ++segment_;
}

// Of those that the core's pipes have ended, or of all.
void GmTracer::tell_of_touches(bool all) {
  const auto is_late = [&](size_t at) {
    GmTrace::Touch& touch = trace_.touches[at];
    if (touch.told != GmTrace::kNotYet) return false;
    const Pipe pipe = trace_.sites[touch.site].pipe;
    if (!all && races_ != nullptr && touch.number > races_->ended_for_others(pipe)) return true;
    touch.told = segment_;
    return false;
  };
  std::erase_if(late_, [&](size_t at) { return !is_late(at); });
  for (; told_ < trace_.touches.size(); ++told_) {
    if (is_late(told_)) late_.push_back(told_);
  }
}

void GmTracer::on_hear(CoreView&, std::span<const Told> told) {
  if (!active_) return;
  settle();
  end_segment();
  trace_.heard.push_back({segment_, {told.begin(), told.end()}});
}

void GmTracer::on_cache(CoreView&) {
  if (!active_) return;
  settle();
  // The word that a core looked at last may be one that it waits for: it will look again.
  GmTrace::Touch* const look = last_look_at(segment_, looked_);
  if (look != nullptr && looked_ != Interval()) cut_out(*look, looked_);
  trace_.last_clean = segment_;
  if (trace_.cleans.empty() || trace_.cleans.back() != segment_) trace_.cleans.push_back(segment_);
  if (!trace_.clean_turns.empty() && trace_.clean_turns.back() == turn_) {
    trace_.cleans_in_a_row = true;
  } else {
    trace_.clean_turns.push_back(turn_);
  }
  word_ = true;  // one by a pointer
  if (std::exchange(touched_, false)) end_segment();
  if (trace_.first_clean < 0) trace_.first_clean = segment_;
}

// Of touches of the same bytes by one call in one segment the last is enough.
void GmTracer::drop_repeated() {
  std::map<std::tuple<uint32_t, uint32_t, uint64_t, uint64_t, uint8_t>, size_t> known;
  std::vector<GmTrace::Touch> kept;
  for (size_t i = trace_.touches.size(); i-- > 0;) {
    const GmTrace::Touch& touch = trace_.touches[i];
    const auto [at, is_new] = known.try_emplace(
        {touch.segment, touch.site, touch.piece.first, touch.piece.end, touch.how}, kept.size());
    if (is_new) {
      kept.push_back(touch);
      continue;
    }
    GmTrace::Touch& last = kept[at->second];
    last.when = std::max(last.when, touch.when);
    if (touch.is(GmTrace::kWord)) last.how |= GmTrace::kMany;
  }
  std::ranges::reverse(kept);
  std::vector<Written> written(trace_.sites.size());
  looks_.clear();
  for (GmTrace::Site& site : trace_.sites) site.last = site.last_look = kNone;
  for (size_t i = 0; i < kept.size(); ++i) {
    GmTrace::Touch& touch = kept[i];
    GmTrace::Site& site = trace_.sites[touch.site];
    if (touch.is(GmTrace::kKept)) touch.piece = written[touch.site].take(touch.piece, site.written);
    if (touch.is(GmTrace::kLooked) && !touch.is(GmTrace::kWrites)) {
      looks_[{touch.segment, touch.piece.first}] = i;
      site.last_look = i;
    } else {
      site.last = i;
    }
  }
  trace_.touches = std::move(kept);
  late_.clear();
  told_ = 0;
  for (size_t i = 0; i < written.size(); ++i) trace_.sites[i].written = std::move(written[i]);
  most_ = std::max(kFew, 2 * trace_.touches.size());
}

}  // namespace vinci
