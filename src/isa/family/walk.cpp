// The walk over repeats. What lies without gaps is computed where it lies; the rest passes through
// arrays of one repeat.
#include "isa/family/walk.h"

#include <cstring>

namespace vinci::vector {
namespace {

bool without_gaps(const Layout& layout) { return layout.full() && layout.stride.block == 1; }

// Two ranges of bytes are one and the same or have nothing in common.
bool same_or_apart(const uint8_t* a, uint64_t a_bytes, const uint8_t* b, uint64_t b_bytes) {
  return (a == b && a_bytes == b_bytes) || a + a_bytes <= b || b + b_bytes <= a;
}

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
  // Whether `bytes_of` many bytes of each operand from its start on can be computed where they lie.
  template <class F>
  bool in_place(F bytes_of) const {
    if (!without_gaps(view_.dst.layout)) return false;
    for (unsigned i = 0; i < view_.sources; ++i) {
      if (!without_gaps(view_.src[i].layout) ||
          !same_or_apart(dst_, bytes_of(view_.dst.layout), src_[i],
                         bytes_of(view_.src[i].layout))) {
        return false;
      }
    }
    return true;
  }

  // All repeats at once, if they follow each other without gaps.
  bool whole() {
    if (!plan_.counted() && plan_.prefix(0) != view_.lanes) return false;
    const uint64_t lanes = plan_.counted() ? plan_.count() : plan_.repeats() * view_.lanes;
    const auto follows = [&](const Layout& layout) {
      return layout.stride.repeat == contiguous(layout, view_.lanes).repeat;
    };
    bool dense = follows(view_.dst.layout);
    for (unsigned i = 0; i < view_.sources; ++i) dense = dense && follows(view_.src[i].layout);
    if (plan_.repeats() != 1 && !dense) return false;
    if (!in_place([&](const Layout& layout) { return layout.bytes(lanes); })) return false;
    compute_(context_, {{{src_[0], src_[1], src_[2]}, dst_, lanes}, 1, {}, 0});
    return true;
  }

  // The repeats that are alike in one call, if each can be computed where it lies. How many.
  uint64_t rows() {
    const uint64_t repeats = plan_.counted() ? plan_.count() / view_.lanes : plan_.repeats();
    const unsigned lanes = plan_.prefix(0);
    if (repeats < 2 || lanes == 0) return 0;
    const auto step_of = [](const Layout& layout) {
      return uint64_t(layout.stride.repeat) * kBlockBytes;
    };
    const uint64_t dst_step = step_of(view_.dst.layout);
    uint64_t src_step[kMostSources] = {};
    bool in_step = true;
    for (unsigned i = 0; i < view_.sources; ++i) {
      src_step[i] = step_of(view_.src[i].layout);
      in_step = in_step && src_step[i] == dst_step;
    }
    // In step, all repeats are as the first; else the operands must be apart altogether.
    const uint64_t before = in_step ? 0 : repeats - 1;
    const bool alike = in_place(
        [&](const Layout& layout) { return before * step_of(layout) + layout.bytes(lanes); });
    if (!alike) return 0;
    compute_(context_, {{{src_[0], src_[1], src_[2]}, dst_, lanes},
                        repeats,
                        {src_step[0], src_step[1], src_step[2]},
                        dst_step});
    return repeats;
  }

  // One repeat, through arrays if need be.
  void step(uint64_t repeat) {
    const unsigned end = plan_.end_lane(repeat);
    uint8_t* dst = dst_ + repeat * view_.dst.layout.stride.repeat * kBlockBytes;
    LaneArrays arrays{{}, dst, end};
    bool direct = without_gaps(view_.dst.layout) && plan_.prefix(repeat) != 0;
    for (unsigned i = 0; i < view_.sources; ++i) {
      arrays.src[i] = lanes_of(view_.src[i].layout, src_[i], repeat, end, gathered_[i]);
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
  alignas(64) uint8_t gathered_[kMostSources][kRepeatBytes];
  alignas(64) uint8_t result_[kRepeatBytes];
};

}  // namespace

const uint8_t* lanes_of(const Layout& layout, const uint8_t* start, uint64_t repeat, unsigned end,
                        uint8_t* room) {
  start += repeat * layout.stride.repeat * kBlockBytes;
  if (without_gaps(layout)) return start;
  const uint64_t block_bytes = layout.bytes(layout.per_block);
  const unsigned blocks = layout.blocks(end);
  for (unsigned block = 0; block < blocks; ++block) {
    const uint8_t* from =
        start + uint64_t(block) * layout.stride.block * kBlockBytes + layout.offset;
    uint8_t* to = room + block * block_bytes;
    if (block + 1 < blocks && block_bytes == kBlockBytes) {
      std::memcpy(to, from, kBlockBytes);
    } else {
      std::memcpy(to, from,
                  layout.bytes(std::min(layout.per_block, end - block * layout.per_block)));
    }
  }
  return room;
}

void walk(const View& view, const LanePlan& plan, Memory& memory, ComputeRows compute,
          const void* context) {
  Walk(view, plan, memory, compute, context).run();
}

}  // namespace vinci::vector
