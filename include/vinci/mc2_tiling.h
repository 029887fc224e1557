// What vinci's Mc2CcTilingConfig writes into Mc2InitTiling and Mc2CcTiling, and its Hccl reads.
#pragma once

#include <cstdint>

namespace vinci {

struct Mc2Tiling {
  static constexpr uint32_t kMark = 0x3243434D;  // others come from elsewhere, and say nothing

  uint32_t mark = 0;
  uint32_t operation = 0;  // HcclCMDType
  uint8_t reduce = 0;
  uint8_t skips_local_copy = 0;
  uint8_t window = 0;  // of SetSkipBufferWindowCopy
  uint8_t step = 0;
  uint8_t engine = 0;
  uint8_t debug = 0;
  uint16_t cores = 0, queues = 0;  // of BatchWrite
};

// Numbers of HcclCMDType.
namespace mc2 {
enum Operation : uint32_t {
  kAllReduce = 2,
  kAllGather = 6,
  kReduceScatter = 7,
  kAlltoAllV = 8,
  kAlltoAll = 10,
  kBatchWrite = 18,
  kHalfAlltoAllV = 20,
  kLast = 21,
};
}  // namespace mc2

}  // namespace vinci
