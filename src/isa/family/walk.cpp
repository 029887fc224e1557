// The walk over repeats. What lies without gaps is computed where it lies; the rest passes through
// arrays of one repeat.
#include "isa/family/walk.h"

#include <cstring>

#include "kernel/fractal.h"

namespace vinci::vector {
namespace {

bool without_gaps(const Layout& layout) { return layout.full() && layout.stride.block == 1; }

uint64_t step_of(const Layout& layout) { return uint64_t(layout.stride.repeat) * kBlockBytes; }

// Two ranges of bytes have nothing in common, or are one and the same.
bool apart(const uint8_t* a, uint64_t a_bytes, const uint8_t* b, uint64_t b_bytes) {
  return a + a_bytes <= b || b + b_bytes <= a;
}
bool same_or_apart(const uint8_t* a, uint64_t a_bytes, const uint8_t* b, uint64_t b_bytes) {
  return (a == b && a_bytes == b_bytes) || apart(a, a_bytes, b, b_bytes);
}

// One datablock for a whole repeat.
void repeat_block(const uint8_t* block, uint8_t* room) {
#pragma GCC unroll 4
  for (unsigned at = 0; at < kRepeatBytes; at += 2 * kBlockBytes) {
    fractal::copy_rows(room + at, kBlockBytes, block, 0);
  }
}

// Rows of which lanes are brought together before they are computed.
constexpr uint64_t kRowsGathered = 8;

class Walk {
 public:
  Walk(const View& view, const LanePlan& plan, Memory& memory, ComputeRows compute,
       const void* context)
      : view_(view), plan_(plan), compute_(compute), context_(context) {
    dst_ = memory.data(*view.dst.operand);
    for (unsigned i = 0; i < view.sources; ++i) src_[i] = memory.data(*view.src[i].operand);
  }

  void run() {
    if (plan_.repeats() == 0 || whole()) return;
    for (uint64_t repeat = rows(); repeat < plan_.repeats(); ++repeat) step(repeat);
  }

 private:
  template <class F>
  bool all_of_sources(F holds) const {
    for (unsigned i = 0; i < view_.sources; ++i) {
      if (!holds(view_.src[i].layout)) return false;
    }
    return true;
  }

  // All repeats at once, if they follow each other without gaps.
  bool whole() {
    if (!plan_.counted() && plan_.prefix(0) != view_.lanes) return false;
    const uint64_t lanes = plan_.counted() ? plan_.count() : plan_.repeats() * view_.lanes;
    const auto dense = [&](const Layout& layout) {
      return without_gaps(layout) &&
             (plan_.repeats() == 1 ||
              layout.stride.repeat == contiguous(layout, view_.lanes).repeat);
    };
    if (!dense(view_.dst.layout) || !all_of_sources(dense)) return false;
    for (unsigned i = 0; i < view_.sources; ++i) {
      if (!same_or_apart(dst_, view_.dst.layout.bytes(lanes), src_[i],
                         view_.src[i].layout.bytes(lanes))) {
        return false;
      }
    }
    compute_(context_, {{{src_[0], src_[1], src_[2]}, dst_, lanes}, 1, {}, 0});
    return true;
  }

  // The repeats that are alike, if dst can be computed where it lies: all in one call, or some at a
  // time where lanes of a source have to be brought together. How many.
  uint64_t rows() {
    const uint64_t repeats = plan_.counted() ? plan_.count() / view_.lanes : plan_.repeats();
    const unsigned lanes = plan_.prefix(0);
    if (repeats < 2 || lanes == 0 || !without_gaps(view_.dst.layout)) return 0;
    const LaneRows all = rows_in_place(repeats, lanes);
    if (!may_lie(all)) return 0;
    if (all_of_sources(without_gaps)) {
      compute_(context_, all);
      return repeats;
    }
    for (uint64_t first = 0; first < repeats; first += kRowsGathered) {
      compute_(context_, gathered(all, first, std::min(kRowsGathered, repeats - first)));
    }
    return repeats;
  }

  LaneRows rows_in_place(uint64_t repeats, unsigned lanes) const {
    LaneRows rows{{{src_[0], src_[1], src_[2]}, dst_, lanes}, repeats, {}, 0};
    rows.dst_step = step_of(view_.dst.layout);
    for (unsigned i = 0; i < view_.sources; ++i) rows.src_step[i] = step_of(view_.src[i].layout);
    return rows;
  }

  // Whether no row of dst is in the way of what another row, or its own, still reads.
  bool may_lie(const LaneRows& rows) const {
    // In step, all repeats are as the first; else the operands must be apart altogether.
    bool in_step = true;
    for (unsigned i = 0; i < view_.sources; ++i) {
      const bool stays = without_gaps(view_.src[i].layout);
      in_step = in_step && (!stays || rows.src_step[i] == rows.dst_step);
    }
    for (unsigned i = 0; i < view_.sources; ++i) {
      const Layout& layout = view_.src[i].layout;
      const bool stays = without_gaps(layout);
      const uint64_t before = stays && in_step ? 0 : rows.rows - 1;
      const uint64_t dst_bytes = before * rows.dst_step + view_.dst.layout.bytes(rows.first.count);
      const uint64_t src_bytes = before * rows.src_step[i] + layout.spanned(rows.first.count);
      const auto may_be = stays ? same_or_apart : apart;
      if (!may_be(dst_, dst_bytes, src_[i], src_bytes)) return false;
    }
    return true;
  }

  // Of `all` those from repeat `first` on, with the lanes of sources that have gaps side by side.
  LaneRows gathered(const LaneRows& all, uint64_t first, uint64_t count) {
    LaneRows rows = all;
    rows.rows = count;
    rows.first.dst += first * all.dst_step;
    for (unsigned i = 0; i < view_.sources; ++i) {
      const Layout& layout = view_.src[i].layout;
      rows.first.src[i] += first * all.src_step[i];
      if (without_gaps(layout)) continue;
      for (uint64_t row = 0; row < count; ++row) {
        lanes_of(layout, src_[i], first + row, all.first.count, gathered_[i][row]);
      }
      rows.first.src[i] = gathered_[i][0];
      rows.src_step[i] = kRepeatBytes;
    }
    return rows;
  }

  // One repeat, through arrays if need be.
  void step(uint64_t repeat) {
    const unsigned end = plan_.end_lane(repeat);
    uint8_t* dst = dst_ + repeat * view_.dst.layout.stride.repeat * kBlockBytes;
    LaneArrays arrays{{}, dst, end};
    bool direct = without_gaps(view_.dst.layout) && plan_.prefix(repeat) != 0;
    for (unsigned i = 0; i < view_.sources; ++i) {
      arrays.src[i] = lanes_of(view_.src[i].layout, src_[i], repeat, end, gathered_[i][0]);
      direct = direct && same_or_apart(dst, view_.dst.layout.bytes(end), arrays.src[i],
                                       view_.src[i].layout.bytes(end));
    }
    if (!direct) arrays.dst = result_;
    compute_(context_, {arrays, 1, {}, 0});
    if (!direct) {
      plan_.for_each_run(repeat, [&](LaneRun run) { write(dst, run); });
    }
  }

  // The lanes of a run, from result_ to their blocks.
  void write(uint8_t* start, LaneRun run) const {
    const Layout& layout = view_.dst.layout;
    while (run.begin < run.end) {
      const unsigned block = run.begin / layout.per_block;
      const unsigned in_block = run.begin % layout.per_block;
      const unsigned piece = std::min(run.end - run.begin, layout.per_block - in_block);
      uint8_t* to = start + uint64_t(block) * layout.stride.block * kBlockBytes + layout.offset +
                    in_block * layout.bits / 8;
      const uint8_t* from = result_ + run.begin * layout.bits / 8;
      if (layout.bytes(piece) == kBlockBytes) {
        std::memcpy(to, from, kBlockBytes);
      } else {
        std::memcpy(to, from, layout.bytes(piece));
      }
      run.begin += piece;
    }
  }

  const View& view_;
  const LanePlan& plan_;
  const ComputeRows compute_;
  const void* const context_;
  uint8_t* dst_;
  const uint8_t* src_[kMostSources] = {};
  alignas(64) uint8_t gathered_[kMostSources][kRowsGathered][kRepeatBytes];
  alignas(64) uint8_t result_[kRepeatBytes];
};

}  // namespace

const uint8_t* lanes_of(const Layout& layout, const uint8_t* start, uint64_t repeat, unsigned end,
                        uint8_t* room) {
  start += repeat * layout.stride.repeat * kBlockBytes;
  if (without_gaps(layout)) return start;
  const unsigned blocks = layout.blocks(end);
  const uint64_t pitch = uint64_t(layout.stride.block) * kBlockBytes;
  // Pairs of datablocks in one store: wide loads wait long for what narrower ones have just
  // written.
  if (layout.full() && pitch == 0) {
    repeat_block(start, room);
    return room;
  }
  if (layout.full()) {
    unsigned block = 0;
    for (; block + 2 <= blocks; block += 2) {
      fractal::copy_rows(room + block * kBlockBytes, kBlockBytes, start + block * pitch, pitch);
    }
    if (block < blocks) fractal::copy_row(room + block * kBlockBytes, start + block * pitch);
    return room;
  }
  const uint64_t block_bytes = layout.bytes(layout.per_block);
  for (unsigned block = 0; block < blocks; ++block) {
    std::memcpy(room + block * block_bytes, start + block * pitch + layout.offset,
                layout.bytes(std::min(layout.per_block, end - block * layout.per_block)));
  }
  return room;
}

void walk(const View& view, const LanePlan& plan, Memory& memory, ComputeRows compute,
          const void* context) {
  Walk(view, plan, memory, compute, context).run();
}

}  // namespace vinci::vector
