// Communication between devices, by its names alone: launches of vinci have one device. A kernel
// that never calls it runs; each call is a fault, and the kernel ends.
#pragma once

#include "kernel_operator.h"

namespace AscendC {

enum HcclServerType {
  HCCL_SERVER_TYPE_AICPU = 0,
  HCCL_SERVER_TYPE_CCU,
  HCCL_SERVER_TYPE_END,
};
enum class CoreType : uint8_t { DEFAULT, ON_AIV, ON_AIC };
struct HcclServerConfig {
  CoreType type;
  int64_t blockId;
};
inline constexpr HcclServerConfig DEFAULT_CFG = {CoreType::DEFAULT, 0};
enum class ScopeType : uint8_t { ALL, QUEUE, BLOCK, INVALID_TYPE };

enum HcclDataType {
  HCCL_DATA_TYPE_INT8 = 0,
  HCCL_DATA_TYPE_INT16 = 1,
  HCCL_DATA_TYPE_INT32 = 2,
  HCCL_DATA_TYPE_FP16 = 3,
  HCCL_DATA_TYPE_FP32 = 4,
  HCCL_DATA_TYPE_INT64 = 5,
  HCCL_DATA_TYPE_UINT64 = 6,
  HCCL_DATA_TYPE_UINT8 = 7,
  HCCL_DATA_TYPE_UINT16 = 8,
  HCCL_DATA_TYPE_UINT32 = 9,
  HCCL_DATA_TYPE_FP64 = 10,
  HCCL_DATA_TYPE_BFP16 = 11,
  HCCL_DATA_TYPE_INT128 = 12,
  HCCL_DATA_TYPE_HIF8 = 14,
  HCCL_DATA_TYPE_FP8E4M3 = 15,
  HCCL_DATA_TYPE_FP8E5M2 = 16,
  HCCL_DATA_TYPE_FP8E8M0 = 17,
  HCCL_DATA_TYPE_RESERVED,
};
enum HcclReduceOp {
  HCCL_REDUCE_SUM = 0,
  HCCL_REDUCE_PROD = 1,
  HCCL_REDUCE_MAX = 2,
  HCCL_REDUCE_MIN = 3,
  HCCL_REDUCE_RESERVED,
};

using HcclHandle = int8_t;
constexpr HcclHandle INVALID_HANDLE_ID = -1;
constexpr int32_t HCCL_SUCCESS = 0;
constexpr int32_t HCCL_FAILED = -1;

// Parameters are not looked at: no call gets as far.
#define VINCI_NO_DEVICE(name) vinci::lacks(name, "communication between devices", "one device")
#define VINCI_COMMUNICATE(Result, name, result) \
  template <class... Args>                      \
  Result name(Args...) {                        \
    VINCI_NO_DEVICE("Hccl::" #name);            \
    return result;                              \
  }
#define VINCI_PREPARE(name)                     \
  template <bool commit = false, class... Args> \
  HcclHandle name(Args...) {                    \
    VINCI_NO_DEVICE("Hccl::" #name);            \
    return INVALID_HANDLE_ID;                   \
  }

template <HcclServerType serverType = HcclServerType::HCCL_SERVER_TYPE_AICPU,
          const auto& config = DEFAULT_CFG>
class Hccl {
 public:
  VINCI_PREPARE(AllReduce)
  VINCI_PREPARE(AllGather)
  VINCI_PREPARE(ReduceScatter)
  VINCI_PREPARE(AlltoAll)
  VINCI_PREPARE(AlltoAllV)
  VINCI_PREPARE(AlltoAllvWrite)
  VINCI_PREPARE(BatchWrite)
  VINCI_COMMUNICATE(void, Init, )
  VINCI_COMMUNICATE(void, InitV2, )
  VINCI_COMMUNICATE(int32_t, SetCcTiling, HCCL_FAILED)
  VINCI_COMMUNICATE(int32_t, SetCcTilingV2, HCCL_FAILED)
  VINCI_COMMUNICATE(void, Commit, )
  VINCI_COMMUNICATE(int32_t, Wait, HCCL_FAILED)
  VINCI_COMMUNICATE(int32_t, Query, HCCL_FAILED)
  VINCI_COMMUNICATE(void, InterHcclGroupSync, )
  VINCI_COMMUNICATE(GM_ADDR, GetWindowsInAddr, nullptr)
  VINCI_COMMUNICATE(GM_ADDR, GetWindowsOutAddr, nullptr)
  VINCI_COMMUNICATE(uint32_t, GetRankId, 0)
  VINCI_COMMUNICATE(uint32_t, GetRankDim, 0)
  VINCI_COMMUNICATE(uint16_t, GetQueueNum, 0)
  template <ScopeType type = ScopeType::ALL>
  void QueueBarrier(uint16_t) {
    VINCI_NO_DEVICE("Hccl::QueueBarrier");
  }
  template <bool sync = true>
  int32_t Iterate(HcclHandle, uint16_t*, uint16_t) {
    VINCI_NO_DEVICE("Hccl::Iterate");
    return HCCL_FAILED;
  }
  template <bool sync = true>
  void Finalize() {
    VINCI_NO_DEVICE("Hccl::Finalize");
  }
};
#undef VINCI_PREPARE
#undef VINCI_COMMUNICATE

template <uint32_t index>
GM_ADDR GetHcclContext() {
  VINCI_NO_DEVICE("GetHcclContext");
  return nullptr;
}
template <uint32_t index>
void SetHcclContext(GM_ADDR) {
  VINCI_NO_DEVICE("SetHcclContext");
}
#undef VINCI_NO_DEVICE

}  // namespace AscendC
