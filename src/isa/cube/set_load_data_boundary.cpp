// set_load_data_boundary: the size of the ring that later 3D loads read in L1.
//
// Sources and decisions: docs/spec/set_load_data_boundary.md.
#include "core/setter.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2002 | kArch2201, setter::kNoElements}};

// Which load follows, and with it the unit, is not known yet: the load checks the rest.
void check(const SetLoadBoundaryRecord& record, Check& check) {
  if (record.boundary != 0) check.range("boundaryValue", record.boundary, 16, UINT32_MAX);
}

void write(const SetLoadBoundaryRecord& record, Registers& registers) {
  registers.load_boundary = record.boundary;
}

}  // namespace

extern constinit const Instruction set_load_data_boundary =
    setter::setter_instruction<SetLoadBoundaryRecord, write, check>(
        "set_load_data_boundary", "SetLoadDataBoundary", kSupport);

}  // namespace vinci::isa
