// Blocks whose addresses data give: a footprint of them.
#pragma once

#include <span>

#include "core/footprint.h"

namespace vinci::vector {

// Takes the addresses of equal blocks one by one, and adds those at equal distances as one region.
class Scattered {
 public:
  // `block`: operand, name, access and bytes of each.
  Scattered(Footprint& footprint, const Region& block) : footprint_(footprint), region_(block) {
    region_.blocks = 0;
  }
  ~Scattered() { footprint_.add(region_); }
  Scattered(const Scattered&) = delete;
  Scattered& operator=(const Scattered&) = delete;

  void add(uint64_t address) {
    const auto step = int64_t(address - last_);
    if (region_.blocks == 1) region_.block_stride = step;
    if (region_.blocks != 0 && step != region_.block_stride) {
      footprint_.add(region_);
      region_.blocks = 0;
    }
    if (region_.blocks++ == 0) region_.address = address;
    last_ = address;
  }

 private:
  Footprint& footprint_;
  Region region_;
  uint64_t last_ = 0;
};

// The datablocks of `src` at so many bytes from its start, read. false: the first offset that is no
// whole datablock of UB is told.
bool add_blocks_at(Footprint& footprint, const Operand& src, const char* src_name,
                   const char* offsets_name, std::span<const uint32_t> offsets);

}  // namespace vinci::vector
