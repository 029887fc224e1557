// SetFlag, WaitFlag and event identifiers.
#include "core/flags.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "core/core.h"

namespace vinci {
void FlagTable::begin_block() {
  std::ranges::fill(raised_, 0);
  std::ranges::fill(allocated_, 0);
  std::ranges::fill(named_, 0);
}

void FlagTable::release_all() { std::ranges::fill(allocated_, 0); }

void FlagTable::end_block() {
  for (uint32_t event = 0; event < kHardEvents; ++event) {
    for (int32_t id = 0; id < 8; ++id) {
      if ((raised_[event] >> id & 1) == 0) continue;
      core_.note(Code::kFlagLeftSet,
                 fmt::format("SetFlag: flag {} of {} is still set at the end of the block", id,
                             kEvents[event].name),
                 "one WaitFlag for each SetFlag", &origins_[event][id]);
    }
  }
}

bool FlagTable::legal(const char* api, uint32_t event, int32_t id) {
  if (event >= kHardEvents) {
    core_.report(Code::kEventId, fmt::format("{}: event {} is not legal", api, event),
                 "a HardEvent before HardEvent::MAX");
    return false;
  }
  const int ids = core_.soc().arch->event_ids;
  if (id >= 0 && id < ids) return true;
  core_.report(Code::kEventId,
               fmt::format("{}: event identifier {} is not legal on {}", api, id, core_.soc().name),
               fmt::format("0..{}", ids - 1));
  return false;
}

// Of pipes one of which belongs to the other kind of core: complete at once.
bool FlagTable::is_foreign(uint32_t event) const {
  return core_.is_foreign(kEvents[event].from) || core_.is_foreign(kEvents[event].to);
}

// Identifiers that the kernel has chosen itself may be those that the framework has taken: on split
// chips always the last two, and the lowest for what passes through queues.
void FlagTable::look_at_owner(uint32_t event, int32_t id) {
  constexpr int32_t kReserved = 6;
  if ((named_[event] >> id & 1) != 0) return;
  if (core_.soc().arch->split && id >= kReserved) {
    core_.note(Code::kEventTaken,
               fmt::format("SetFlag: identifier {} of {} is the framework's on {}", id,
                           kEvents[event].name, core_.soc().name),
               fmt::format("0..{}, or what AllocEventID or FetchEventID gives", kReserved - 1));
    return;
  }
  const uint32_t held = core_.buffers().events_held(kEvents[event].from, kEvents[event].to);
  if (uint32_t(id) >= held) return;
  core_.note(Code::kEventTaken,
             fmt::format("SetFlag: flag {} of {}: queues take the lowest identifiers of this event "
                         "for the tensors that they pass on, {} now, and may have this one",
                         id, kEvents[event].name, held),
             "what AllocEventID or FetchEventID gives");
}

void FlagTable::set(uint32_t event, int32_t id) {
  if (!legal("SetFlag", event, id) || is_foreign(event)) return;
  look_at_owner(event, id);
  for (Tool* tool : core_.tools()) tool->on_flag(core_, event, id, true);
  if (raised_[event] >> id & 1) {
    core_.report(Code::kFlagSetTwice,
                 fmt::format("SetFlag: flag {} of {} is already set", id, kEvents[event].name),
                 "a WaitFlag between two SetFlag");
  }
  raised_[event] = uint8_t(raised_[event] | 1u << id);
  origins_[event][id] = core_.call_place();
  marks_[event][id] = core_.schedule().mark(kEvents[event].from);
}

void FlagTable::wait(uint32_t event, int32_t id) {
  if (!legal("WaitFlag", event, id) || is_foreign(event)) return;
  for (Tool* tool : core_.tools()) tool->on_flag(core_, event, id, false);
  if ((raised_[event] >> id & 1) == 0) {
    core_.report(Code::kFlagNotSet,
                 fmt::format("WaitFlag: nobody has set flag {} of {}; the chip would wait for ever",
                             id, kEvents[event].name),
                 "a SetFlag of the same event and identifier before it");
  }
  raised_[event] = uint8_t(raised_[event] & ~(1u << id));
  core_.schedule().wait(kEvents[event].to, marks_[event][id]);
}

int32_t FlagTable::fetch(uint32_t event) {
  if (!legal("AllocEventID", event, 0)) return 0;
  for (int32_t id = 0; id < core_.soc().arch->event_ids; ++id) {
    if ((allocated_[event] >> id & 1) != 0) continue;
    named_[event] = uint8_t(named_[event] | 1u << id);
    return id;
  }
  core_.report(Code::kEventId,
               fmt::format("AllocEventID: all {} identifiers of {} are taken",
                           core_.soc().arch->event_ids, kEvents[event].name),
               "a ReleaseEventID first");
  return 0;
}

int32_t FlagTable::free(uint32_t event) const {
  const int32_t ids = core_.soc().arch->event_ids;
  return ids - std::popcount(uint32_t(allocated_[event]) & ((1u << ids) - 1));
}

int32_t FlagTable::alloc(uint32_t event) {
  const int32_t id = fetch(event);
  if (event >= kHardEvents) return id;
  allocated_[event] = uint8_t(allocated_[event] | 1u << id);
  for (Tool* tool : core_.tools()) tool->on_event_id(core_, event, id, true);
  return id;
}

void FlagTable::release(uint32_t event, int32_t id) {
  if (!legal("ReleaseEventID", event, id)) return;
  if ((allocated_[event] >> id & 1) == 0) {
    core_.report(
        Code::kEventId,
        fmt::format("ReleaseEventID: identifier {} of {} is not taken", id, kEvents[event].name),
        "an identifier from AllocEventID, once");
  }
  allocated_[event] = uint8_t(allocated_[event] & ~(1u << id));
  for (Tool* tool : core_.tools()) tool->on_event_id(core_, event, id, false);
}

}  // namespace vinci
