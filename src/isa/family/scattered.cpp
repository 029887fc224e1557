// Datablocks that offsets point to.
#include "isa/family/scattered.h"

#include <algorithm>

#include <fmt/format.h>

#include "isa/family/lanes.h"

namespace vinci::vector {

bool add_blocks_at(Footprint& footprint, const Operand& src, const char* src_name,
                   const char* offsets_name, std::span<const uint32_t> offsets) {
  const uint64_t room = footprint.soc().size_of(Space::kUb) - src.address;
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] % kBlockBytes == 0 && uint64_t(offsets[i]) + kBlockBytes <= room) continue;
    footprint.fail(Code::kGatherOffset,
                   fmt::format("{}[{}] is {}, and {} starts at byte {} of UB", offsets_name, i,
                               offsets[i], src_name, src.address),
                   fmt::format("a multiple of {} up to {}", kBlockBytes, room - kBlockBytes));
    return false;
  }
  const auto [least, most] = std::ranges::minmax(offsets);
  Region reads{src, src_name, Access::kRead, false, src.address + least,
               uint64_t(most) - least + kBlockBytes, 1, 0, 1, 0};
  if (footprint.scatters({&reads, 1})) {
    reads.block_bytes = kBlockBytes;
    Scattered blocks(footprint, reads);
    for (const uint32_t offset : offsets) blocks.add(src.address + offset);
  }
  return true;
}

}  // namespace vinci::vector
