// What a kernel's Hccl object asks of the core: include/ascendc/hccl.h has its methods as the
// documents spell them. A launch has one device, and so a communicator one rank. Not for kernels.
#pragma once

#include <cstdint>

#include "vinci/record.h"

namespace vinci {

// A task of the server: `repeat` rounds, each of which takes `count` elements further on.
struct CollectiveCall {
  enum class Kind : uint8_t {
    kAllReduce,
    kAllGather,
    kReduceScatter,
    kAlltoAll,
    kAlltoAllV,
    kBatchWrite,
    kGroupSync,  // later tasks wait for `count`, a task of the group `type`
  };
  Kind kind = Kind::kAllReduce;
  bool commit = false;
  uint8_t repeat = 1;
  int32_t type = 0, receive_type = 0;  // HcclDataType
  int32_t reduce = 0;                  // HcclReduceOp
  uint64_t send = 0, receive = 0;      // addresses
  uint64_t count = 0, receive_count = 0;
  uint64_t send_offset = 0, receive_offset = 0;  // elements
  uint16_t queue = 0;
};

class Communicator {
 public:
  // Which core gives the server its tasks: of a kind, CoreType's number, and its GetBlockIdx.
  Communicator(uint8_t sender, int64_t block, bool is_aicpu)
      : sender_(sender), is_aicpu_(is_aicpu), block_(block) {}

  // `wants_tiling`: InitV2, to which a tiling belongs.
  VINCI_OWN_LINE void init(const void* context, const void* tiling, bool wants_tiling);
  // Results are those of the methods: 0, or -1 for a failure.
  VINCI_OWN_LINE int32_t set_tiling(const void* tiling);
  VINCI_OWN_LINE int32_t set_tiling_at(uint64_t offset);
  VINCI_OWN_LINE int8_t prepare(const CollectiveCall& call);
  VINCI_OWN_LINE void commit(int8_t task);
  VINCI_OWN_LINE int32_t wait(int8_t task);
  VINCI_OWN_LINE int32_t query(int8_t task);
  VINCI_OWN_LINE int32_t iterate(int8_t task, bool sync, uint16_t* slices, uint16_t count);
  VINCI_OWN_LINE void queue_barrier(uint16_t queue, bool all);
  VINCI_OWN_LINE uint16_t queues();
  VINCI_OWN_LINE void finalize(bool sync);
  VINCI_OWN_LINE uint32_t rank();
  VINCI_OWN_LINE uint32_t ranks();
  VINCI_OWN_LINE void* window(uint32_t rank, bool out);
  // Of chips that vinci does not have.
  VINCI_OWN_LINE static void refuse(const char* method);

 private:
  struct Use;
  Use use(const char* method);
  bool may_prepare(const Use& used, const CollectiveCall& call) const;
  bool copies(const CollectiveCall& call) const;
  int32_t take_tiling(const void* tiling);

  uint8_t sender_;
  bool is_aicpu_;
  bool by_offset_ = false;  // InitV2
  bool any_tiling_ = false;
  uint8_t group_ = 0;
  uint16_t queues_ = 1;
  int64_t block_;
  uint32_t serial_ = 0;                            // 0: no Init yet
  uint32_t tilings_ = 0, without_local_copy_ = 0;  // by HcclCMDType
  const void* tiling_ = nullptr;                   // Mc2InitTiling
};

VINCI_OWN_LINE void* hccl_context(uint32_t group);
void set_hccl_context(uint32_t group, void* context);

}  // namespace vinci
