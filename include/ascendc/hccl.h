// Communication between devices. A launch of vinci has one: a communicator has one rank.
#pragma once

#include "ascendc/hccl_types.h"
#include "ascendc/keyword.h"
#include "vinci/communicator.h"

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

using HcclHandle = int8_t;
constexpr HcclHandle INVALID_HANDLE_ID = -1;
constexpr int32_t HCCL_SUCCESS = 0;
constexpr int32_t HCCL_FAILED = -1;

// Arrays of counts and offsets have an element for each rank.
template <HcclServerType serverType = HcclServerType::HCCL_SERVER_TYPE_AICPU,
          const auto& config = DEFAULT_CFG>
class Hccl {
 public:
  void Init(GM_ADDR context, __gm__ void* initTiling = nullptr) {
    server_.init(context, initTiling, false);
  }
  void InitV2(GM_ADDR context, const void* initTiling) { server_.init(context, initTiling, true); }
  int32_t SetCcTiling(__gm__ void* ccOpTilingData) { return server_.set_tiling(ccOpTilingData); }
  int32_t SetCcTilingV2(uint64_t offset) { return server_.set_tiling_at(offset); }

  template <bool commit = false>
  HcclHandle AllReduce(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t count, HcclDataType dataType,
                       HcclReduceOp op, uint8_t repeat = 1) {
    return prepare<commit>(Kind::kAllReduce, sendBuf, recvBuf, count, dataType, op, repeat);
  }
  template <bool commit = false>
  HcclHandle AllGather(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t sendCount, HcclDataType dataType,
                       uint64_t /*strideCount*/, uint8_t repeat = 1) {
    return prepare<commit>(Kind::kAllGather, sendBuf, recvBuf, sendCount, dataType, {}, repeat);
  }
  template <bool commit = false>
  HcclHandle ReduceScatter(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t recvCount,
                           HcclDataType dataType, HcclReduceOp op, uint64_t /*strideCount*/,
                           uint8_t repeat = 1) {
    return prepare<commit>(Kind::kReduceScatter, sendBuf, recvBuf, recvCount, dataType, op, repeat);
  }
  template <bool commit = false>
  HcclHandle AlltoAll(GM_ADDR sendBuf, GM_ADDR recvBuf, uint64_t dataCount, HcclDataType dataType,
                      uint64_t /*strideCount*/ = 0, uint8_t repeat = 1) {
    return prepare<commit>(Kind::kAlltoAll, sendBuf, recvBuf, dataCount, dataType, {}, repeat);
  }
  template <bool commit = false>
  HcclHandle AlltoAllV(GM_ADDR sendBuf, const void* sendCounts, const void* sdispls,
                       HcclDataType sendType, GM_ADDR recvBuf, const void* recvCounts,
                       const void* rdispls, HcclDataType recvType, uint8_t repeat = 1) {
    vinci::CollectiveCall call =
        call_of(Kind::kAlltoAllV, sendBuf, recvBuf, first(sendCounts), sendType, {}, repeat);
    call.commit = commit;
    call.receive_type = recvType;
    call.receive_count = first(recvCounts);
    call.send_offset = first(sdispls);
    call.receive_offset = first(rdispls);
    return server_.prepare(call);
  }
  template <bool commit = false>
  HcclHandle BatchWrite(GM_ADDR batchWriteInfo, uint32_t itemNum, uint16_t queueID = 0U) {
    vinci::CollectiveCall call =
        call_of(Kind::kBatchWrite, batchWriteInfo, nullptr, itemNum, HCCL_DATA_TYPE_INT8, {}, 1);
    call.commit = commit;
    call.queue = queueID;
    return server_.prepare(call);
  }
  template <bool commit = false>
  HcclHandle AlltoAllvWrite(GM_ADDR, GM_ADDR, GM_ADDR, uint64_t, uint64_t) {
    vinci::Communicator::refuse("AlltoAllvWrite");
    return INVALID_HANDLE_ID;
  }

  void Commit(HcclHandle handleId) { server_.commit(handleId); }
  int32_t Wait(HcclHandle handleId) { return server_.wait(handleId); }
  int32_t Query(HcclHandle handleId) { return server_.query(handleId); }
  template <bool sync = true>
  int32_t Iterate(HcclHandle handleId, uint16_t* seqSlices, uint16_t seqSliceLen) {
    return server_.iterate(handleId, sync, seqSlices, seqSliceLen);
  }
  void InterHcclGroupSync(int8_t srcGroupID, HcclHandle srcHandleID) {
    vinci::CollectiveCall call;
    call.kind = Kind::kGroupSync;
    call.type = srcGroupID;
    call.count = uint64_t(int64_t(srcHandleID));
    server_.prepare(call);
  }
  template <ScopeType type = ScopeType::ALL>
  void QueueBarrier(uint16_t queueID) {
    server_.queue_barrier(queueID, type == ScopeType::ALL);
  }
  template <bool sync = true>
  void Finalize() {
    server_.finalize(sync);
  }

  GM_ADDR GetWindowsInAddr(uint32_t rankId) {
    return static_cast<GM_ADDR>(server_.window(rankId, false));
  }
  GM_ADDR GetWindowsOutAddr(uint32_t rankId) {
    return static_cast<GM_ADDR>(server_.window(rankId, true));
  }
  uint32_t GetRankId() { return server_.rank(); }
  uint32_t GetRankDim() { return server_.ranks(); }
  uint16_t GetQueueNum() { return server_.queues(); }

 private:
  using Kind = vinci::CollectiveCall::Kind;

  static uint64_t first(const void* numbers) { return *static_cast<const uint64_t*>(numbers); }
  static vinci::CollectiveCall call_of(Kind kind, GM_ADDR send, GM_ADDR receive, uint64_t count,
                                       HcclDataType type, HcclReduceOp op, uint8_t repeat) {
    vinci::CollectiveCall call;
    call.kind = kind;
    call.repeat = repeat;
    call.type = call.receive_type = type;
    call.reduce = op;
    call.send = reinterpret_cast<uint64_t>(send);
    call.receive = reinterpret_cast<uint64_t>(receive);
    call.count = call.receive_count = count;
    return call;
  }
  template <bool commit>
  HcclHandle prepare(Kind kind, GM_ADDR send, GM_ADDR receive, uint64_t count, HcclDataType type,
                     HcclReduceOp op, uint8_t repeat) {
    vinci::CollectiveCall call = call_of(kind, send, receive, count, type, op, repeat);
    call.commit = commit;
    return server_.prepare(call);
  }

  vinci::Communicator server_{uint8_t(config.type), config.blockId,
                              serverType == HcclServerType::HCCL_SERVER_TYPE_AICPU};
};

inline constexpr uint32_t HCCL_GROUP_ID_0 = 0;

// Of two communicators, those that HcclGroup names.
template <uint32_t index>
GM_ADDR GetHcclContext() {
  static_assert(index < 2, "there are two communicators, 0 and 1");
  return static_cast<GM_ADDR>(vinci::hccl_context(index));
}
template <uint32_t index>
void SetHcclContext(GM_ADDR context) {
  static_assert(index < 2, "there are two communicators, 0 and 1");
  vinci::set_hccl_context(index, context);
}

}  // namespace AscendC
