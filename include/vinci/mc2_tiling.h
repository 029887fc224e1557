// What vinci's Mc2CcTilingConfig writes into Mc2InitTiling and Mc2CcTiling, and its Hccl reads.
#pragma once

#include <cstdint>

namespace vinci {

struct Mc2Tiling {
  static constexpr uint32_t kMark = 0x3243434D;  // others come from elsewhere, and say nothing

  uint32_t mark = 0;
  uint32_t operation = 0;  // HcclCMDType
  uint8_t skips_local_copy = 0;
  uint16_t queues = 0;  // of BatchWrite
};

}  // namespace vinci
