// Records of what makes pipes and cores wait for each other.
#pragma once

#include "vinci/door.h"
#include "vinci/event.h"
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

// AllocTensor, EnQue, DeQue and FreeTensor, which act when they are issued.
struct QueueRecord : Record {
  QueueId queue;
  Operand tensor;                   // EnQue, FreeTensor: what is put in or given back
  const QueueEnds* ends = nullptr;  // EnQue, DeQue: nullptr for the queue's own
  LocalBuffer* given = nullptr;     // AllocTensor, DeQue: where they leave the buffer
};

// `pipe` finishes what it was given, then the flag is set for the cores that the mode means.
struct CrossCoreSetRecord : Record {
  uint32_t mode = 0, flag = 0, pipe = 0;
};
struct CrossCoreWaitRecord : Record {
  uint32_t flag = 0;
};

// All vector cores of the launch, or all of its cores. Vector cores come when `trigger` has
// finished what it was given, and `waiting` waits for the others. Both are numbers of a Pipe.
struct SyncAllRecord : Record {
  bool vector_cores_only = true;
  uint32_t trigger = uint32_t(Pipe::kAll), waiting = uint32_t(Pipe::kAll);
};

// Barriers and events by way of GM, between vector cores: 32 bytes of `gm` for each core or event.
// SyncAll with a workspace; 0 cores: all.
struct SyncWorkspaceRecord : Record {
  Operand gm, ub;
  int32_t cores = 0;
};
// IBSet and IBWait.
struct BlockEventRecord : Record {
  Operand gm, ub;
  int32_t block = 0, event = 0;
  bool vector_cores_only = true;
};
// InitDetermineComputeWorkspace, WaitPreBlock, NotifyNextBlock.
struct BlockOrderRecord : Record {
  Operand gm, ub;
};
// GroupBarrier: `index` is the caller's among those that arrive, or that wait; `round` counts its
// waits from 1.
struct GroupBarrierRecord : Record {
  uint64_t workspace = 0;
  uint32_t arrivers = 0, waiters = 0, index = 0, round = 0;
};

// Of the scalar unit's cache: one line or all; kNoTarget: the form that does not name one.
struct CacheRecord : Record {
  static constexpr uint32_t kNoTarget = ~0u;
  uint32_t lines = 0, target = kNoTarget;
};
// Accesses of GM and UB, of GM, of UB, or of none.
struct DataSyncRecord : Record {
  uint32_t what = 0;
};

}  // namespace vinci
