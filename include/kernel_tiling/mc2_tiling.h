// Tiling of communication between devices: Mc2CcTilingConfig fills it, Hccl reads it.
#pragma once

#include <cstdint>

namespace AscendC::tiling {

struct Mc2InitTiling {
  uint8_t reserved[64] = {};
};
struct Mc2CcTiling {
  uint8_t reserved[280] = {};
};

}  // namespace AscendC::tiling

using AscendC::tiling::Mc2CcTiling;
using AscendC::tiling::Mc2InitTiling;
