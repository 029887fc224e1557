// Groups of AICs that serve queues of messages of AIVs.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ascendc/core_kind.h"
#include "ascendc/cross_core.h"
#include "ascendc/workspace.h"
#include "vinci/record/cube_group.h"

namespace vinci::isa {
extern const Instruction alloc_message, assign_queue, await_message, cube_group, free_message,
    next_message, post_message;
}  // namespace vinci::isa

namespace AscendC {

enum class CubeMsgState : uint8_t { FREE = 0, VALID, QUIT, FAKE };

// The first member, `head`, of a kernel's own message.
struct CubeGroupMsgHead {
  CubeMsgState msgState = CubeMsgState::FREE;
  uint8_t aivID = 0;
};

// By its Type the documents' call-backs choose the function for a number: only equal numbers have
// one.
template <int32_t one, int32_t other>
struct IsEqual {};
template <int32_t number>
struct IsEqual<number, number> {
  using Type = void;
};

// AIVs post messages, each in a queue of its own, and AICs free them. On an AIC the methods for
// AIVs do nothing.
template <class CubeMsgType>
class CubeResGroupHandle {
  static_assert(std::is_trivially_copyable_v<CubeMsgType>, "a message is copied as its bytes are");

 public:
  CubeResGroupHandle() = default;
  CubeResGroupHandle(GM_ADDR workspace, uint8_t blockStart, uint8_t blockSize, uint8_t msgQueueSize,
                     uint8_t evtIDIn) {
    handle_.group = {reinterpret_cast<uint64_t>(workspace), uint32_t(sizeof(CubeMsgType)),
                     blockStart, blockSize, msgQueueSize};
    vinci::issue(vinci::CubeHandleRecord{{&vinci::isa::cube_group}, &handle_, evtIDIn});
  }

  void AssignQueue(uint8_t queueIdIn) {
    vinci::issue(vinci::CubeHandleRecord{{&vinci::isa::assign_queue}, &handle_, queueIdIn});
  }
  template <PipeMode pipeMode = PipeMode::SCALAR_MODE>
  __gm__ CubeMsgType* AllocMessage() {
    static_assert(pipeMode < PipeMode::MAX, "AllocMessage: SCALAR_MODE or MTE3_MODE");
    uint64_t message = 0;
    vinci::AwaitMessageRecord record{{&vinci::isa::alloc_message}, &handle_, int32_t(pipeMode)};
    record.message = &message;
    vinci::issue(record);
    return reinterpret_cast<__gm__ CubeMsgType*>(message);
  }
  // The posts return what Wait takes.
  template <PipeMode pipeMode = PipeMode::SCALAR_MODE>
  uint16_t PostMessage(__gm__ CubeMsgType* msg, CubeMsgType& msgInput) {
    static_assert(pipeMode < PipeMode::MAX, "PostMessage: SCALAR_MODE or MTE3_MODE");
    uint32_t head = 0;
    std::memcpy(&head, static_cast<const void*>(&msgInput), sizeof(head));
    return post("PostMessage", msg, head, int32_t(pipeMode), &msgInput);
  }
  uint16_t PostFakeMsg(__gm__ CubeMsgType* msg) {
    return post("PostFakeMsg", msg, own_head(CubeMsgState::FAKE));
  }
  void SetQuit(__gm__ CubeMsgType* msg) { post("SetQuit", msg, own_head(CubeMsgState::QUIT)); }
  // Whether the message has been freed.
  template <bool sync = true>
  bool Wait(uint16_t offset) {
    bool is_free = true;
    vinci::AwaitMessageRecord record{{&vinci::isa::await_message}, &handle_};
    record.offset = offset;
    record.waits = sync;
    record.is_free = &is_free;
    vinci::issue(record);
    return is_free;
  }

  // For Call, on an AIC.
  uint16_t FreeMessage(__gm__ CubeMsgType* msg) { return free(msg, -1); }
  uint16_t FreeMessage(__gm__ CubeMsgType* msg, CubeMsgState waitState) {
    return free(msg, int32_t(waitState));
  }
  void SetSkipMsg(uint8_t skipCnt) {
    vinci::CubeServer* const server = handle_.server;
    if (server == nullptr || uint32_t(server->called) + skipCnt >= queues().count) {
      return vinci::bad_argument("SetSkipMsg", "skipCnt", skipCnt,
                                 "in Call, as many as there are queues of the AIC behind");
    }
    server->skipped = skipCnt;
  }

 private:
  template <int groupID, class MatmulApiType, template <class, class> class CallBack, class Message>
  friend CubeResGroupHandle<Message> CreateCubeResGroup(KfcWorkspace& desc, uint8_t blockStart,
                                                        uint8_t blockSize, uint8_t msgQueueSize,
                                                        GM_ADDR tiling);

  template <class CallBack, class MatmulApiType>
  void serve(GM_ADDR tiling) {
    if (handle_.aic < 0) return;
    CallBack callback;
    MatmulApiType mm;
    callback.Init(callback, mm, tiling);
    vinci::CubeServer server;
    handle_.server = &server;
    uint64_t message = 0;
    const auto next = [&] {
      vinci::issue(vinci::NextMessageRecord{{&vinci::isa::next_message}, &handle_, &message});
      return message != 0;
    };
    while (next()) callback.Call(mm, reinterpret_cast<__gm__ CubeMsgType*>(message), *this);
    handle_.server = nullptr;
  }

  static uint32_t own_head(CubeMsgState state) {
    return uint32_t(state) | uint32_t(uint8_t(vinci::block_index())) << 8;
  }
  vinci::CubeQueues queues() const { return handle_.group.queues_of(uint32_t(handle_.aic)); }
  uint16_t post(const char* api, __gm__ CubeMsgType* msg, uint32_t head,
                int32_t mode = vinci::CubeHandle::kNone, const void* source = nullptr) {
    uint16_t offset = 0;
    vinci::MessageStateRecord record{{&vinci::isa::post_message},     &handle_, api,
                                     reinterpret_cast<uint64_t>(msg), head,     source};
    record.mode = mode;
    record.offset = &offset;
    vinci::issue(record);
    return offset;
  }
  uint16_t free(__gm__ CubeMsgType* msg, int32_t awaited) {
    uint16_t offset = 0;
    vinci::MessageStateRecord record{
        {&vinci::isa::free_message}, &handle_, "FreeMessage", reinterpret_cast<uint64_t>(msg)};
    record.awaited = awaited;
    record.offset = &offset;
    vinci::issue(record);
    return offset;
  }

  vinci::CubeHandle handle_;
};

// On an AIC of the group it serves its queues until all have quit. groupID tells groups apart for
// the reader alone.
template <int groupID, class MatmulApiType, template <class, class> class CallBack,
          class CubeMsgType>
CubeResGroupHandle<CubeMsgType> CreateCubeResGroup(KfcWorkspace& desc, uint8_t blockStart,
                                                   uint8_t blockSize, uint8_t msgQueueSize,
                                                   [[maybe_unused]] GM_ADDR tiling) {
  constexpr uint8_t kAnyEvent = 0;
  CubeResGroupHandle<CubeMsgType> handle(desc.GetMsgStart(), blockStart, blockSize, msgQueueSize,
                                         kAnyEvent);
  // The next group's messages lie behind.
  desc.UpdateKfcWorkspace(msgQueueSize * vinci::CubeQueues::kDepth * uint32_t(sizeof(CubeMsgType)));
  if constexpr (vinci::kCompiledFor == vinci::CoreKind::kAic) {
    handle.template serve<CallBack<MatmulApiType, CubeMsgType>, MatmulApiType>(tiling);
  }
  return handle;
}

}  // namespace AscendC
