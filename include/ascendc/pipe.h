// TPipe: hands out the core's buffers and event identifiers. One per kernel.
#pragma once

#include "ascendc/queue.h"
#include "ascendc/sync.h"

namespace AscendC {

class TPipe {
 public:
  TPipe() { vinci::pipe_begin(); }
  ~TPipe() { Destroy(); }
  TPipe(const TPipe&) = delete;
  TPipe& operator=(const TPipe&) = delete;

  void Init() {
    Destroy();
    vinci::pipe_begin();
    alive_ = true;
  }
  void Destroy() {
    if (alive_) vinci::pipe_end();
    alive_ = false;
  }
  // Gives all buffers and events back; queues must be initialised again.
  void Reset() { vinci::pipe_reset(); }

  // `buffers` buffers of `bytes` each, rounded up to 32 B, for the queue.
  template <TPosition Src, TPosition Dst, int32_t Depth, auto Mask>
  bool InitBuffer(TQueBind<Src, Dst, Depth, Mask>& queue, uint8_t buffers, uint32_t bytes) {
    queue.queue_ = vinci::init_queue(queue.position, {Src, Dst}, uint32_t(Depth), buffers, bytes);
    return true;
  }
  template <TPosition Pos>
  bool InitBuffer(TBuf<Pos>& buffer, uint32_t bytes) {
    buffer.buffer_ = vinci::init_buffer(Pos, bytes);
    return true;
  }

  template <HardEvent event>
  TEventID AllocEventID() {
    return TEventID(vinci::event_alloc(uint32_t(event)));
  }
  template <HardEvent event>
  void ReleaseEventID(TEventID id) {
    vinci::event_release(uint32_t(event), id);
  }
  // An identifier that is free now, without taking it.
  TEventID FetchEventID(HardEvent event) { return TEventID(vinci::event_fetch(uint32_t(event))); }
  template <HardEvent event>
  TEventID FetchEventID() {
    return FetchEventID(event);
  }

 private:
  bool alive_ = true;
};

}  // namespace AscendC
