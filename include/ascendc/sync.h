// Flags and barriers between the pipes of one core, and between cores.
#pragma once

#include <cstdint>

#include "vinci/door.h"
#include "vinci/event.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
extern const Instruction cross_core_set_flag, cross_core_wait_flag, pipe_barrier, set_flag,
    sync_all, wait_flag;
}  // namespace vinci::isa

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
  vinci::issue(vinci::FlagRecord{{&vinci::isa::set_flag}, uint32_t(event), id});
}
template <HardEvent event>
inline void WaitFlag(int32_t id) {
  vinci::issue(vinci::FlagRecord{{&vinci::isa::wait_flag}, uint32_t(event), id});
}
template <pipe_t pipe>
inline void PipeBarrier() {
  vinci::issue(vinci::PipeBarrierRecord{{&vinci::isa::pipe_barrier}, uint32_t(pipe)});
}

namespace in_api {

// The number of the HardEvent from one pipe to another; kHardEvents: there is none.
constexpr uint32_t event_between(pipe_t from, pipe_t to) {
  return vinci::event_between(vinci::Pipe(from), vinci::Pipe(to));
}

}  // namespace in_api

// Flags from one pipe to another, where the pipes are named.
template <pipe_t src, pipe_t dst>
class TQueSync {
 public:
  void SetFlag(TEventID id) { AscendC::SetFlag<event()>(id); }
  void WaitFlag(TEventID id) { AscendC::WaitFlag<event()>(id); }

 private:
  static constexpr HardEvent event() {
    constexpr uint32_t found = in_api::event_between(src, dst);
    static_assert(found < vinci::kHardEvents, "TQueSync: there is no event between these pipes");
    return HardEvent(found);
  }
};

// Between cores of a launch, on chips that have AICs and AIVs apart: counters from 0 to 15. Mode 0:
// all cores of a kind, 1: the AIVs of a block, 2: the AIC and the AIVs of a block.
template <uint8_t modeId, pipe_t pipe>
inline void CrossCoreSetFlag(uint16_t flagId) {
  vinci::issue(vinci::CrossCoreSetRecord{
      {&vinci::isa::cross_core_set_flag}, modeId, flagId, uint32_t(pipe)});
}
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
inline void CrossCoreWaitFlag(uint16_t flagId) {
  vinci::issue(vinci::CrossCoreWaitRecord{{&vinci::isa::cross_core_wait_flag}, flagId});
}
// The same, of mode 2.
template <pipe_t pipe>
inline void NotifyEvent(uint16_t flagId) {
  CrossCoreSetFlag<2, pipe>(flagId);
}
template <pipe_t pipe = PIPE_S>
inline void WaitEvent(uint16_t flagId) {
  CrossCoreWaitFlag<2, pipe>(flagId);
}
// Vector cores meet when their triggerPipe has finished what it was given; waitPipe waits.
struct SyncAllConfig {
  pipe_t triggerPipe = PIPE_ALL;
  pipe_t waitPipe = PIPE_ALL;
};
inline constexpr SyncAllConfig DEFAULT_SYNC_ALL_CONFIG{};

// All AIVs of the launch, or all of its cores.
template <bool isAIVOnly = true, const SyncAllConfig& config = DEFAULT_SYNC_ALL_CONFIG>
inline void SyncAll() {
  vinci::issue(vinci::SyncAllRecord{
      {&vinci::isa::sync_all}, isAIVOnly, uint32_t(config.triggerPipe), uint32_t(config.waitPipe)});
}

}  // namespace AscendC
