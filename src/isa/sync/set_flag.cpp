// set_flag: raises a flag for another pipe once this one has done what it was given.
//
// Sources and decisions: docs/spec/set_flag.md.
#include "core/core.h"
#include "isa/sync/sync.h"
#include "vinci/record/sync.h"

namespace vinci::isa {
namespace {

void act(const FlagRecord& record, Core& core) { core.flags().set(record.event, record.id); }

Pipe pipe(const FlagRecord& record, const Soc&) {
  return record.event < kHardEvents ? kEvents[record.event].from : Pipe::kNone;
}

}  // namespace

extern constinit const Instruction set_flag =
    sync::sync_instruction<FlagRecord, act, setter::no_rules<FlagRecord>, pipe>("set_flag",
                                                                                "SetFlag");

}  // namespace vinci::isa
