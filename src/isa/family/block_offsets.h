// Offsets that point to datablocks.
#pragma once

#include <algorithm>

#include <fmt/format.h>

#include "isa/family/lanes.h"
#include "isa/family/scattered.h"

namespace vinci::vector {

// `count` datablocks at byte offsets[i] of src; messages call operand and offsets by their names.
struct BlockOffsets {
  const Operand& src;
  const char* name;
  const char* offset_name;
  const uint32_t* offsets;
  uint64_t count;
};

// Whether the first one that is not legal has been reported.
inline bool report_block_offset(Footprint& footprint, const BlockOffsets& blocks) {
  const uint64_t room = footprint.soc().size_of(Space::kUb) - blocks.src.address;
  for (uint64_t i = 0; i < blocks.count; ++i) {
    const uint32_t offset = blocks.offsets[i];
    if (offset % kBlockBytes == 0 && uint64_t(offset) + kBlockBytes <= room) continue;
    footprint.fail(Code::kGatherOffset,
                   fmt::format("{}[{}] is {}, and {} starts at byte {} of UB", blocks.offset_name,
                               i, offset, blocks.name, blocks.src.address),
                   fmt::format("a multiple of {} up to {}", kBlockBytes, room - kBlockBytes));
    return true;
  }
  return false;
}

// From the first to the last byte of them.
inline Region span_of(const BlockOffsets& blocks) {
  const auto [least, most] = std::minmax_element(blocks.offsets, blocks.offsets + blocks.count);
  return {blocks.src,
          blocks.name,
          Access::kRead,
          false,
          blocks.src.address + *least,
          uint64_t(*most) - *least + kBlockBytes,
          1,
          0,
          1,
          0};
}

// They are read.
inline void add_read(Footprint& footprint, const BlockOffsets& blocks) {
  Region reads = span_of(blocks);
  if (!footprint.scatters({&reads, 1})) return;
  reads.block_bytes = kBlockBytes;
  Scattered each(footprint, reads);
  for (uint64_t i = 0; i < blocks.count; ++i) each.add(blocks.src.address + blocks.offsets[i]);
}

}  // namespace vinci::vector
