// Instructions that fill eight whole datablocks of dst in each repeat, without a mask.
#pragma once

#include <algorithm>

#include "isa/family/lanes.h"

namespace vinci::vector {

inline constexpr unsigned kRepeatBlocks = kRepeatBytes / kBlockBytes;

// A block stride of 0 counts as 1.
constexpr uint64_t block_at(Stride stride, uint64_t repeat, unsigned block) {
  return kBlockBytes *
         (repeat * stride.repeat + uint64_t(block) * std::max<uint16_t>(stride.block, 1));
}

// One past the last byte of dst that is written.
constexpr uint64_t blocks_end(const Operand& dst, Stride stride, uint64_t repeats) {
  return repeats == 0
             ? dst.address
             : dst.address + block_at(stride, repeats - 1, kRepeatBlocks - 1) + kBlockBytes;
}

inline void add_block_repeats(Footprint& footprint, const Operand& dst, Stride stride,
                              uint64_t repeats) {
  footprint.add({dst, "dst", Access::kWrite, true, dst.address, kBlockBytes, kRepeatBlocks,
                 int64_t(block_at(stride, 0, 1)), repeats, int64_t(block_at(stride, 1, 0))});
}

}  // namespace vinci::vector
