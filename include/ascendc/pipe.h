// TPipe: hands out the core's buffers and event identifiers. One per kernel.
#pragma once

#include "ascendc/buffer_pool.h"
#include "ascendc/queue.h"
#include "ascendc/std.h"
#include "ascendc/sync.h"

namespace AscendC {

class TPipe {
 public:
  TPipe() { vinci::pipe_begin(this); }
  ~TPipe() { end(true); }
  TPipe(const TPipe&) = delete;
  TPipe& operator=(const TPipe&) = delete;

  void Init() {
    Destroy();
    vinci::pipe_begin(this);
    alive_ = true;
  }
  // Waits for all pipes.
  void Destroy() {
    if (alive_) PipeBarrier<PIPE_ALL>();
    end(true);
  }
  // Waits for nothing: the kernel does.
  void DestroyWithoutPipeAll() { end(false); }
  // Gives all buffers and events back; queues must be initialised again.
  void Reset() { vinci::pipe_reset(); }

  // `buffers` buffers of `bytes` each, rounded up to 32 B, for the queue.
  template <TPosition Src, TPosition Dst, int32_t Depth, auto Mask>
  bool InitBuffer(TQueBind<Src, Dst, Depth, Mask>& queue, uint8_t buffers, uint32_t bytes) {
    queue.pipe_ = vinci::init_once(queue.pipe_);
    queue.queue_ = vinci::init_queue(queue.position, {Src, Dst}, uint32_t(Depth), buffers, bytes);
    return true;
  }
  // The same where the kernel says where each buffer starts and its bytes.
  template <class Queue, class Start, class Bytes, class... Places>
  bool InitBuffer(Queue& queue, const Std::tuple<Start, Bytes>& first, const Places&... others) {
    queue.InitStartBufHandle(nullptr, 1 + sizeof...(others), uint32_t(Std::get<1>(first)));
    uint32_t index = 0;
    const auto place = [&](const auto& at) {
      queue.InitBufHandle(this, index++, nullptr, uint32_t(Std::get<0>(at)),
                          uint32_t(Std::get<1>(at)));
    };
    place(first);
    (place(others), ...);
    return true;
  }
  template <TPosition Pos>
  bool InitBuffer(TBuf<Pos>& buffer, uint32_t bytes) {
    buffer.pipe_ = vinci::init_once(buffer.pipe_);
    buffer.place(vinci::init_buffer(Pos, bytes));
    return true;
  }
  // A TBuf has one buffer: the first of them.
  template <TPosition Pos>
  bool InitBuffer(TBuf<Pos>& buffer, uint8_t buffers, uint32_t bytes) {
    InitBuffer(buffer, bytes);
    for (uint8_t i = 1; i < buffers; ++i) vinci::init_buffer(Pos, bytes);
    return true;
  }

  // `bytes` for a TBufPool, which hands them out; or what `shared` has, once more.
  template <class Pool>
  bool InitBufPool(Pool& pool, uint32_t bytes) {
    const vinci::LocalBuffer buffer = vinci::init_buffer(Pool::kPosition, bytes);
    pool.place(uint32_t(buffer.address), uint32_t(buffer.bytes));
    return true;
  }
  template <class Pool, class Shared>
  bool InitBufPool(Pool& pool, uint32_t bytes, Shared& shared) {
    pool.share(bytes, shared);
    return true;
  }

  // A place for what UB has no room for: bytes of GM, or of L1 where vectors can be copied there.
  template <class T>
  void InitSpmBuffer(const GlobalTensor<T>& workspace, const int32_t bufferSize) {
    spill_ = workspace.operand();
    spill_.bytes = uint64_t(bufferSize);
  }
  void InitSpmBuffer(const int32_t bufferSize) {
    const vinci::LocalBuffer buffer = vinci::init_buffer(TPosition::A1, uint32_t(bufferSize));
    spill_ = {buffer.address, buffer.bytes, buffer.allocation, TPosition::A1};
  }
  // Elements, or bursts, to and from that place, `offset` bytes behind its start. They wait for
  // what was before, and what follows waits for them.
  template <class T, class Amount>
  void WriteSpmBuffer(const LocalTensor<T>& writeBuffer, const Amount& amount,
                      int32_t writeOffset = 0) {
    spill<T>(writeOffset, [&](const auto& place) { DataCopy(place, writeBuffer, amount); });
  }
  template <class T, class Amount>
  void ReadSpmBuffer(const LocalTensor<T>& readBuffer, const Amount& amount,
                     int32_t readOffset = 0) {
    spill<T>(readOffset, [&](const auto& place) { DataCopy(readBuffer, place, amount); });
  }

  template <HardEvent event>
  TEventID AllocEventID() {
    return TEventID(vinci::event_alloc(uint32_t(event)));
  }
  template <HardEvent event>
  void ReleaseEventID(TEventID id) {
    vinci::event_release(uint32_t(event), id);
  }
  // Where GetPhyAddr() of the first tensor of a position points.
  uint8_t* GetBaseAddr(int8_t logicPos) {
    const vinci::Operand first{0, 0, 0, TPosition(logicPos), vinci::DType::kUint8};
    return static_cast<uint8_t*>(vinci::local_address(first));
  }

  // An identifier that is free now, without taking it.
  TEventID FetchEventID(HardEvent event) { return TEventID(vinci::event_fetch(uint32_t(event))); }
  template <HardEvent event>
  TEventID FetchEventID() {
    return FetchEventID(event);
  }

 private:
  void end(bool pipes_end) {
    if (alive_) vinci::pipe_end(pipes_end);
    alive_ = false;
  }

  template <class T, class Copy>
  void spill(int32_t offset, const Copy& copy) {
    PipeBarrier<PIPE_ALL>();
    if (spill_.position == TPosition::GM) {
      GlobalTensor<T> place;
      place.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(spill_.address), spill_.bytes / sizeof(T));
      copy(place[uint64_t(offset) / sizeof(T)]);
    } else {
      vinci::Operand place = spill_;
      place.dtype = vinci::dtype_of<T>;
      copy(LocalTensor<T>(place)[uint32_t(offset / sizeof(T))]);
    }
    PipeBarrier<PIPE_ALL>();
  }

  bool alive_ = true;
  vinci::Operand spill_{0, 0, 0, TPosition::GM, vinci::DType::kNone};
};

// All that InitBuffer has not handed out of the memory behind pos.
template <class T, TPosition pos>
bool PopStackBuffer(LocalTensor<T>& popLocal) {
  const vinci::LocalBuffer rest = vinci::unused_memory(pos);
  popLocal = LocalTensor<T>(vinci::Operand{rest.address, rest.bytes, 0, pos, vinci::dtype_of<T>});
  return rest.bytes != 0;
}

}  // namespace AscendC

// The kernel's TPipe.
inline AscendC::TPipe* GetTPipePtr() { return static_cast<AscendC::TPipe*>(vinci::pipe_object()); }

namespace AscendC {
using ::GetTPipePtr;
}  // namespace AscendC
