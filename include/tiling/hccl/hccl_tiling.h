// Host side of communication between devices: Mc2CcTilingConfig.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "ascendc/hccl_types.h"
#include "kernel_tiling/mc2_tiling.h"
#include "vinci/mc2_tiling.h"

namespace AscendC {

// Setters and GetTiling return 0, or 1 for what is not legal. What changes nothing with one rank is
// not kept.
class Mc2CcTilingConfig {
 public:
  Mc2CcTilingConfig(const std::string& groupName, uint32_t opType, const std::string& algConfig,
                    uint32_t reduceType = 0, uint8_t dstDataType = 0, uint8_t srcDataType = 0,
                    uint8_t commEngine = 0) {
    SetOpType(opType);
    SetGroupName(groupName);
    SetAlgConfig(algConfig);
    SetReduceType(reduceType, dstDataType, srcDataType);
    SetCommEngine(commEngine);
  }
  virtual ~Mc2CcTilingConfig() = default;

  uint32_t SetOpType(uint32_t opType) {
    tiling_.operation = opType;
    return opType == HCCL_CMD_INVALID || opType >= HCCL_CMD_ALL;
  }
  uint32_t SetGroupName(const std::string& groupName) {
    group_bytes_ = groupName.size();
    return !fits(group_bytes_);
  }
  uint32_t SetAlgConfig(const std::string& algConfig) {
    algorithm_bytes_ = algConfig.size();
    return !fits(algorithm_bytes_);
  }
  uint32_t SetReduceType(uint32_t reduceType, uint8_t /*dstDataType*/ = 0,
                         uint8_t /*srcDataType*/ = 0) {
    return reduceType > HCCL_REDUCE_RESERVED;
  }
  uint32_t SetStepSize(uint8_t /*stepSize*/) { return 0; }
  uint32_t SetSkipLocalRankCopy(uint8_t skipLocalRankCopy) {
    tiling_.skips_local_copy = skipLocalRankCopy;
    return skipLocalRankCopy > 1;
  }
  uint32_t SetSkipBufferWindowCopy(uint8_t skipBufferWindowCopy) {
    return skipBufferWindowCopy > 2;
  }
  uint32_t SetDebugMode(uint8_t /*debugMode*/) { return 0; }
  uint32_t SetCommBlockNum(uint16_t /*num*/) { return 0; }
  uint32_t SetQueueNum(uint16_t num) {
    tiling_.queues = num;
    return 0;
  }
  uint32_t SetCommEngine(uint8_t /*commEngine*/) { return 0; }

  uint32_t GetTiling(::Mc2InitTiling& tiling) { return write(tiling.reserved); }
  uint32_t GetTiling(::Mc2CcTiling& tiling) { return write(tiling.reserved); }

 private:
  static bool fits(size_t bytes) { return bytes <= 128; }
  template <size_t bytes>
  uint32_t write(uint8_t (&to)[bytes]) {
    static_assert(sizeof(tiling_) <= bytes);
    const bool known = tiling_.operation != HCCL_CMD_INVALID && tiling_.operation < HCCL_CMD_ALL;
    if (!known || !fits(group_bytes_) || !fits(algorithm_bytes_)) return 1;
    tiling_.mark = vinci::Mc2Tiling::kMark;
    std::memset(to, 0, bytes);
    std::memcpy(to, &tiling_, sizeof(tiling_));
    return 0;
  }

  vinci::Mc2Tiling tiling_;
  size_t group_bytes_ = 0, algorithm_bytes_ = 0;
};

}  // namespace AscendC

// Host code names them without a namespace, too.
using namespace AscendC::hccl_names;
