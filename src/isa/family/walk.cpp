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
  Walk(const View& view, const LanePlan& plan, Core& core, ComputeLanes compute,
       const void* context)
      : view_(view), plan_(plan), compute_(compute), context_(context) {
    dst_ = core.data(*view.dst.operand);
    for (unsigned i = 0; i < view.sources; ++i) src_[i] = core.data(*view.src[i].operand);
  }

  void run() {
    if (plan_.repeats() == 0 || whole()) return;
    for (uint64_t repeat = 0; repeat < plan_.repeats(); ++repeat) step(repeat);
  }

 private:
  // All repeats at once, if they follow each other without gaps.
  bool whole() {
    const uint64_t lanes = plan_.counted() ? plan_.count() : plan_.repeats() * view_.lanes;
    if (!plan_.counted() && plan_.prefix(0) != view_.lanes) return false;
    const auto dense = [&](const Layout& layout) {
      return without_gaps(layout) &&
             (plan_.repeats() == 1 ||
              layout.stride.repeat == contiguous(layout, view_.lanes).repeat);
    };
    if (!dense(view_.dst.layout)) return false;
    for (unsigned i = 0; i < view_.sources; ++i) {
      const Layout& layout = view_.src[i].layout;
      if (!dense(layout) ||
          !same_or_apart(dst_, view_.dst.layout.bytes(lanes), src_[i], layout.bytes(lanes))) {
        return false;
      }
    }
    compute_(context_, {{src_[0], src_[1]}, dst_, lanes});
    return true;
  }

  void step(uint64_t repeat) {
    const unsigned end = plan_.end_lane(repeat);
    uint8_t* dst = dst_ + repeat * view_.dst.layout.stride.repeat * kBlockBytes;
    bool in_place = without_gaps(view_.dst.layout) && plan_.prefix(repeat) != 0;
    LaneArrays arrays{{nullptr, nullptr}, dst, end};
    for (unsigned i = 0; i < view_.sources; ++i) {
      arrays.src[i] = read(i, repeat, end);
      in_place = in_place && same_or_apart(dst, view_.dst.layout.bytes(end), arrays.src[i],
                                           view_.src[i].layout.bytes(end));
    }
    if (!in_place) arrays.dst = result_;
    compute_(context_, arrays);
    if (!in_place) {
      plan_.for_each_run(repeat, [&](LaneRun run) { write(dst, run); });
    }
  }

  // Lanes 0..end-1 of a source, where they lie or brought together.
  const uint8_t* read(unsigned i, uint64_t repeat, unsigned end) {
    const Layout& layout = view_.src[i].layout;
    const uint8_t* start = src_[i] + repeat * layout.stride.repeat * kBlockBytes;
    if (without_gaps(layout)) return start;
    const uint64_t block_bytes = layout.bytes(layout.per_block);
    const unsigned blocks = layout.blocks(end);
    for (unsigned block = 0; block < blocks; ++block) {
      const uint8_t* from =
          start + uint64_t(block) * layout.stride.block * kBlockBytes + layout.offset;
      uint8_t* to = gathered_[i] + block * block_bytes;
      if (block + 1 < blocks && block_bytes == kBlockBytes) {
        std::memcpy(to, from, kBlockBytes);
      } else {
        std::memcpy(to, from,
                    layout.bytes(std::min(layout.per_block, end - block * layout.per_block)));
      }
    }
    return gathered_[i];
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
  const ComputeLanes compute_;
  const void* const context_;
  uint8_t* dst_;
  const uint8_t* src_[2] = {nullptr, nullptr};
  alignas(64) uint8_t gathered_[2][kRepeatBytes];
  alignas(64) uint8_t result_[kRepeatBytes];
};

}  // namespace

void walk(const View& view, const LanePlan& plan, Core& core, ComputeLanes compute,
          const void* context) {
  Walk(view, plan, core, compute, context).run();
}

}  // namespace vinci::vector
