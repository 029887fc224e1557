// Flags between pipes inside an operator.
#pragma once

#include "core/core.h"
#include "core/flags.h"

namespace vinci {

// Event identifiers for a pair of pipes, taken for one call. With two, tiles alternate.
class EventFlags {
 public:
  EventFlags(Core& core, HardEvent event, uint32_t count)
      : core_(core), event_(uint32_t(event)), count_(count) {
    for (uint32_t i = 0; i < count_; ++i) ids_[i] = core_.flags().alloc(event_);
  }
  void set(uint32_t step) { core_.flags().set(event_, ids_[step % count_]); }
  void wait(uint32_t step) { core_.flags().wait(event_, ids_[step % count_]); }
  void set_and_wait(uint32_t step) {
    set(step);
    wait(step);
  }
  void release() {
    for (uint32_t i = 0; i < count_; ++i) core_.flags().release(event_, ids_[i]);
  }

 private:
  Core& core_;
  uint32_t event_;
  uint32_t count_;
  int32_t ids_[2] = {0, 0};
};

}  // namespace vinci
