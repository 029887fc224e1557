// wait_flag: a pipe waits for the flag of another, and takes it down.
//
// Sources and decisions: docs/spec/wait_flag.md.
#include "core/core.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

void act(const FlagRecord& record, Core& core) { core.flags().wait(record.event, record.id); }

Pipe pipe(const FlagRecord& record, const Soc&) {
  return record.event < kHardEvents ? kEvents[record.event].to : Pipe::kNone;
}

}  // namespace

extern constinit const Instruction wait_flag =
    sync::sync_instruction<FlagRecord, act, setter::no_rules<FlagRecord>, pipe>("wait_flag",
                                                                                "WaitFlag");

}  // namespace vinci::isa
