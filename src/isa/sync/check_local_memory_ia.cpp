// check_local_memory_ia: datablocks of UB that are not to be touched from here on. The checks of
// memory (src/tool/watches.h) keep them; the instruction itself does nothing.
//
// Sources and decisions: docs/spec/check_local_memory_ia.md.
#include "core/setter.h"
#include "vinci/record/watch.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {
    {kArch2002 | kArch2201 | kArch3002, setter::kNoElements, true, kAscendC}};

void check(const WatchRecord& record, Check& check) {
  constexpr uint32_t kUnits = 4, kMost = 65535;
  check.range("enableBit", record.unit, 0, kUnits - 1);
  check.range("startAddr", record.start, 0, kMost);
  check.range("endAddr", record.end, 0, kMost);
}

void write(const WatchRecord&, Registers&) {}

}  // namespace

extern constinit const Instruction check_local_memory_ia =
    setter::setter_instruction<WatchRecord, write, check>("check_local_memory_ia",
                                                          "CheckLocalMemoryIA", kSupport);

}  // namespace vinci::isa
