// data_sync_barrier: accesses of GM and UB are over before anything later begins.
//
// Sources and decisions: docs/spec/data_sync_barrier.md.
#include "core/core.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201 | kArch3002, setter::kNoElements, true, kAscendC}};

void check(const DataSyncRecord& record, Check& check) {
  check.range("MemDsbT", record.what, 0, 3);
}

void act(const DataSyncRecord&, Core& core) {
  core.drain_pipes();
  core.forget_step();
}

}  // namespace

extern constinit const Instruction data_sync_barrier =
    sync::sync_instruction<DataSyncRecord, act, check>("data_sync_barrier", "DataSyncBarrier",
                                                       kSupport);

}  // namespace vinci::isa
