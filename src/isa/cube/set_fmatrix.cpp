// set_fmatrix: describes the feature map for later 3D loads.
//
// Sources and decisions: docs/spec/set_fmatrix.md.
#include <cstring>

#include "core/core.h"
#include "core/instruction.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr Signature kTypes[] = {Signature()};
constexpr Support kSupport[] = {{kArch1001 | kArch2002 | kArch2201 | kArch3002, kTypes}};

Signature signature(const SetFmatrixRecord&) { return {}; }
Pipe pipe(const SetFmatrixRecord&, const Soc&) { return Pipe::kS; }

void check(const SetFmatrixRecord& record, Check& check) {
  check.range("l1H", record.l1_h, 1, 32767);
  check.range("l1W", record.l1_w, 1, 32767);
}

void footprint(const SetFmatrixRecord&, Core&, Footprint&) {}

void execute(const SetFmatrixRecord& record, Core& core) {
  FeatureMap& map = record.right ? core.registers().fmatrix_right : core.registers().fmatrix;
  map.h = record.l1_h;
  map.w = record.l1_w;
  std::memcpy(map.pad, record.pad, sizeof(map.pad));
}

}  // namespace

extern constinit const Instruction set_fmatrix =
    make_instruction<SetFmatrixRecord, signature, pipe, check, footprint, execute>(
        "set_fmatrix", "SetFmatrix", "SetFmatrix", kSupport);

}  // namespace vinci::isa
