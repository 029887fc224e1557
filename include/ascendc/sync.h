// Flags and barriers between the pipes of one core.
#pragma once

#include <cstdint>

#include "vinci/door.h"
#include "vinci/event.h"

enum pipe_t : uint8_t {
  PIPE_S,
  PIPE_V,
  PIPE_M,
  PIPE_MTE1,
  PIPE_MTE2,
  PIPE_MTE3,
  PIPE_ALL,
  PIPE_FIX,
};

enum event_t : uint8_t {
  EVENT_ID0,
  EVENT_ID1,
  EVENT_ID2,
  EVENT_ID3,
  EVENT_ID4,
  EVENT_ID5,
  EVENT_ID6,
  EVENT_ID7,
};

namespace AscendC {

using TEventID = int8_t;

// SOURCE_TARGET: the source pipe sets, the target pipe waits.
using vinci::HardEvent;

template <HardEvent event>
inline void SetFlag(int32_t id) {
  vinci::flag_set(uint32_t(event), id);
}
template <HardEvent event>
inline void WaitFlag(int32_t id) {
  vinci::flag_wait(uint32_t(event), id);
}
template <pipe_t pipe>
inline void PipeBarrier() {
  vinci::pipe_barrier(uint32_t(pipe));
}

}  // namespace AscendC
