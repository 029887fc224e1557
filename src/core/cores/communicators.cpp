#include "core/cores/communicators.h"

#include <algorithm>

#include <fmt/format.h>

#include "ascendc/hccl_types.h"
#include "core/core.h"
#include "vinci/record/communication.h"

namespace vinci {

namespace isa {
extern const Instruction hccl_batch_write, hccl_copy;
}

namespace {

using Kind = CollectiveCall::Kind;

constexpr CollectiveMethod kMethods[] = {
    {"Hccl::AllReduce", AscendC::HCCL_CMD_ALLREDUCE, false},
    {"Hccl::AllGather", AscendC::HCCL_CMD_ALLGATHER, false},
    {"Hccl::ReduceScatter", AscendC::HCCL_CMD_REDUCE_SCATTER, false},
    {"Hccl::AlltoAll", AscendC::HCCL_CMD_ALLTOALL, false},
    {"Hccl::AlltoAllV", AscendC::HCCL_CMD_ALLTOALLV, true},
    {"Hccl::BatchWrite", AscendC::HCCL_CMD_BATCH_WRITE, false},
    {"Hccl::InterHcclGroupSync", 0, true}};

// By HcclDataType; kNone: none that is supported. What the core has no type for counts as one of
// its size.
constexpr DType kElementTypes[] = {
    DType::kInt8,   DType::kInt16, DType::kInt32,  DType::kHalf,   DType::kFloat,  DType::kInt64,
    DType::kUint64, DType::kUint8, DType::kUint16, DType::kUint32, DType::kUint64, DType::kBfloat16,
    DType::kNone,   DType::kNone,  DType::kUint8,  DType::kUint8,  DType::kUint8,  DType::kUint8};

DType element_of(int32_t type) {
  return type >= 0 && type < int32_t(std::size(kElementTypes)) ? kElementTypes[type] : DType::kNone;
}

bool reduces(Kind kind) { return kind == Kind::kAllReduce || kind == Kind::kReduceScatter; }

bool can_be_reduced(DType type) {
  constexpr DType kReduced[] = {DType::kFloat, DType::kHalf,  DType::kInt8,
                                DType::kInt16, DType::kInt32, DType::kBfloat16};
  return std::ranges::find(kReduced, type) != std::end(kReduced);
}

}  // namespace

Communicators::~Communicators() {
  for (const uint8_t* context : contexts_) gm_->release(context);
  for (const auto& of_group : windows_) {
    for (const uint8_t* window : of_group) gm_->release(window);
  }
}

bool Communicators::used() const {
  const std::lock_guard lock(mutex_);
  return !members_.empty();
}

Communicators::Member& Communicators::member(int64_t core, uint32_t group) {
  const std::lock_guard lock(mutex_);
  return members_[{core, group}];
}

uint8_t* Communicators::buffer(uint8_t*& place, uint64_t bytes, const char* name) {
  const std::lock_guard lock(mutex_);
  if (place == nullptr) place = gm_->allocate(bytes, name, 0, true);
  return place;
}

uint8_t* Communicators::context(uint32_t group) {
  return buffer(contexts_[group], 64, "a communicator's context");
}

uint8_t* Communicators::window(uint32_t group, bool out) {
  return buffer(windows_[group][out ? 1 : 0], kWindowBytes, "a communicator's window");
}

uint32_t Communicators::group_of(const void* context) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(contexts_, context);
  return context == nullptr ? kGroups : uint32_t(found - contexts_.begin());
}

const CollectiveMethod& method_of(const CollectiveCall& call) {
  return kMethods[size_t(call.kind)];
}

bool is_legal(const CollectiveCall& call, Core& core) {
  const auto is_wrong = [&](const char* what, int64_t value, const char* legal) {
    core.report(Code::kRange, fmt::format("{}: {} is {}", method_of(call).name, what, value),
                legal);
    return false;
  };
  const DType type = element_of(call.type);
  if (reduces(call.kind) && !can_be_reduced(type)) {
    return is_wrong("dataType", call.type,
                    "HCCL_DATA_TYPE_FP32, FP16, INT8, INT16, INT32 or BFP16: 4, 3, 0, 1, 2, 11");
  }
  if (type == DType::kNone) {
    return is_wrong("dataType", call.type, "an HcclDataType but HCCL_DATA_TYPE_INT128");
  }
  if (reduces(call.kind) && call.reduce != 0 && call.reduce != 2 && call.reduce != 3) {
    return is_wrong("op", call.reduce, "HCCL_REDUCE_SUM, MAX or MIN: 0, 2, 3");
  }
  if (call.type != call.receive_type) {
    return is_wrong("recvType", call.receive_type, "sendType");
  }
  if (call.count != call.receive_count) {
    return is_wrong("recvCounts[0]", int64_t(call.receive_count),
                    "sendCounts[0]: with one rank what is sent is what comes");
  }
  return true;
}

void copy_round(const CollectiveCall& call, uint32_t round, Core& core) {
  if (call.kind == Kind::kBatchWrite) {
    HcclBatchWriteRecord write;
    write.instruction = &isa::hccl_batch_write;
    write.items = {call.send, kUnknownExtent, 0, Position::GM, DType::kUint8};
    write.count = uint32_t(call.count);
    return core.issue(write);
  }
  const DType type = element_of(call.type);
  const auto place = [&](uint64_t start, uint64_t offset) {
    const uint64_t address = start + bytes_of(type, offset + round * call.count);
    return Operand{address, kUnknownExtent, 0, Position::GM, type};
  };
  HcclCopyRecord copy;
  copy.instruction = &isa::hccl_copy;
  copy.src = place(call.send, call.send_offset);
  copy.dst = place(call.receive, call.receive_offset);
  copy.bytes = bytes_of(type, call.count);
  core.issue(copy);
}

}  // namespace vinci
