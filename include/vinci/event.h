// The pipes of a core, and the events with which one waits for another.
#pragma once

#include <cstdint>
#include <string_view>

namespace vinci {

enum class Pipe : uint8_t { kS, kV, kM, kMte1, kMte2, kMte3, kAll, kFix, kNone };
inline constexpr int kPipes = 9;

std::string_view name_of(Pipe pipe);  // "MTE2"

// What the documents call a HardEvent: `from` sets, `to` waits. Its number is the place in kEvents.
struct Event {
  Pipe from, to;
  std::string_view name;
};

#define VINCI_EVENTS(X)      \
  X(MTE2_MTE1, kMte2, kMte1) \
  X(MTE1_MTE2, kMte1, kMte2) \
  X(MTE1_M, kMte1, kM)       \
  X(M_MTE1, kM, kMte1)       \
  X(MTE2_V, kMte2, kV)       \
  X(V_MTE2, kV, kMte2)       \
  X(MTE3_V, kMte3, kV)       \
  X(V_MTE3, kV, kMte3)       \
  X(M_V, kM, kV)             \
  X(V_M, kV, kM)             \
  X(V_V, kV, kV)             \
  X(MTE3_MTE1, kMte3, kMte1) \
  X(MTE1_MTE3, kMte1, kMte3) \
  X(MTE1_V, kMte1, kV)       \
  X(MTE2_M, kMte2, kM)       \
  X(M_MTE2, kM, kMte2)       \
  X(V_MTE1, kV, kMte1)       \
  X(M_FIX, kM, kFix)         \
  X(FIX_M, kFix, kM)         \
  X(MTE3_MTE2, kMte3, kMte2) \
  X(MTE2_MTE3, kMte2, kMte3) \
  X(S_V, kS, kV)             \
  X(V_S, kV, kS)             \
  X(S_MTE2, kS, kMte2)       \
  X(MTE2_S, kMte2, kS)       \
  X(S_MTE3, kS, kMte3)       \
  X(MTE3_S, kMte3, kS)       \
  X(MTE2_FIX, kMte2, kFix)   \
  X(FIX_MTE2, kFix, kMte2)   \
  X(FIX_S, kFix, kS)         \
  X(M_S, kM, kS)             \
  X(FIX_MTE3, kFix, kMte3)   \
  X(MTE1_FIX, kMte1, kFix)   \
  X(FIX_MTE1, kFix, kMte1)   \
  X(FIX_FIX, kFix, kFix)

// Numbers by name: AscendC::HardEvent is this type.
enum class HardEvent : uint8_t {
#define VINCI_EVENT(name, from, to) name,
  VINCI_EVENTS(VINCI_EVENT)
#undef VINCI_EVENT
      MAX,
};
inline constexpr uint32_t kHardEvents = uint32_t(HardEvent::MAX);

inline constexpr Event kEvents[kHardEvents] = {
#define VINCI_EVENT(name, from, to) {Pipe::from, Pipe::to, #name},
    VINCI_EVENTS(VINCI_EVENT)
#undef VINCI_EVENT
};
#undef VINCI_EVENTS

constexpr const Event& event_of(HardEvent event) { return kEvents[uint32_t(event)]; }

// The number of the event with which `to` waits for `from`; kHardEvents: there is none.
constexpr uint32_t event_between(Pipe from, Pipe to) {
  uint32_t event = 0;
  while (event < kHardEvents && (kEvents[event].from != from || kEvents[event].to != to)) ++event;
  return event;
}

}  // namespace vinci
