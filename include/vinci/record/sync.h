// Records of what makes pipes and cores wait for each other.
#pragma once

#include "vinci/record.h"

namespace vinci {

// SetFlag and WaitFlag between two pipes of a core; `event` is a HardEvent's number.
struct FlagRecord : Record {
  uint32_t event = 0;
  int32_t id = 0;
};

// Of one pipe, or of all.
struct PipeBarrierRecord : Record {
  uint32_t pipe = 0;
};

// `pipe` finishes what it was given, then the flag is set for the cores that the mode means.
struct CrossCoreSetRecord : Record {
  uint32_t mode = 0, flag = 0, pipe = 0;
};
struct CrossCoreWaitRecord : Record {
  uint32_t flag = 0;
};

// All vector cores of the launch, or all of its cores.
struct SyncAllRecord : Record {
  bool vector_cores_only = true;
};

}  // namespace vinci
