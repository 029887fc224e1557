// set_fmatrix: describes the feature map for later 3D loads.
//
// Sources and decisions: docs/spec/set_fmatrix.md.
#include <cstring>

#include "core/setter.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {
    {kArch1001 | kArch2002 | kArch2201 | kArch3002, setter::kNoElements}};

void check(const SetFmatrixRecord& record, Check& check) {
  check.range("l1H", record.l1_h, 1, 32767);
  check.range("l1W", record.l1_w, 1, 32767);
}

void write(const SetFmatrixRecord& record, Registers& registers) {
  FeatureMap& map = record.right ? registers.fmatrix_right : registers.fmatrix;
  map.h = record.l1_h;
  map.w = record.l1_w;
  std::memcpy(map.pad, record.pad, sizeof(map.pad));
}

}  // namespace

extern constinit const Instruction set_fmatrix =
    setter::setter_instruction<SetFmatrixRecord, write, check>("set_fmatrix", "SetFmatrix",
                                                               kSupport);

}  // namespace vinci::isa
