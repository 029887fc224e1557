// Blocks whose addresses data give: a footprint of them.
#pragma once

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

}  // namespace vinci::vector
