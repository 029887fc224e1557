// cross_core_wait_flag: the core waits until a flag of other cores is set.
//
// Sources and decisions: docs/spec/cross_core_wait_flag.md.
#include "core/core.h"
#include "core/cores/cross_flags.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

void check(const CrossCoreWaitRecord& record, Check& check) {
  check.range("flagId", record.flag, 0, CrossFlags::kFlags - 1);
}

void act(const CrossCoreWaitRecord& record, Core& core) {
  core.wait_cross_flag(int(record.flag % CrossFlags::kFlags));
}

}  // namespace

extern constinit const Instruction cross_core_wait_flag =
    sync::sync_instruction<CrossCoreWaitRecord, act, check>("cross_core_wait_flag",
                                                            "CrossCoreWaitFlag", sync::kSplitChips);

}  // namespace vinci::isa
