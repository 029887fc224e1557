// The flags and event identifiers between a core's pipes, in program order.
#pragma once

#include <cstdint>

#include "core/call_stack.h"
#include "core/schedule.h"
#include "vinci/event.h"

namespace vinci {

class Core;

// A flag is binary: SetFlag raises it, WaitFlag takes it down. In program order a wait for a flag
// that is down would never end.
class FlagTable {
 public:
  explicit FlagTable(Core& core) : core_(core) {}

  void begin_block();
  void end_block();  // reports flags left up

  void set(uint32_t event, int32_t id);
  void wait(uint32_t event, int32_t id);

  // Identifiers of the event that nobody has taken.
  int32_t free(uint32_t event) const;
  int32_t alloc(uint32_t event);
  int32_t fetch(uint32_t event);
  void release(uint32_t event, int32_t id);
  void release_all();

 private:
  bool is_foreign(uint32_t event) const;
  void look_at_owner(uint32_t event, int32_t id);
  bool legal(const char* api, uint32_t event, int32_t id);

  Core& core_;
  uint8_t raised_[kHardEvents] = {};             // bit i: flag i is up
  Schedule::MarkPointer marks_[kHardEvents][8];  // what a flag that is up stands for
  uint8_t allocated_[kHardEvents] = {};          // bit i: identifier i is taken
  uint8_t named_[kHardEvents] = {};              // bit i: AllocEventID or FetchEventID named i
  Origin origins_[kHardEvents][8];               // of the SetFlag, where a flag is up
};

}  // namespace vinci
