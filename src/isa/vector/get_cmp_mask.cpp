// get_cmp_mask: the bits of CMPMASK to UB.
//
// Sources and decisions: docs/spec/get_cmp_mask.md.
#include <cstring>

#include "core/instruction.h"
#include "core/setter.h"
#include "vinci/record/vector.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {
    {kArch2002 | kArch2201, setter::kNoElements},
    {kArch1000 | kArch1001 | kArch2002Vector | kArch3002, setter::kNoElements, true, kTik},
};
constexpr uint64_t kBytes = sizeof(Cells::compare_mask);

Signature signature(const CompareMaskRecord&) { return {}; }

void check(const CompareMaskRecord& record, Check& check) {
  check.in_space("dst", record.tensor, Space::kUb);
  if (check.ok()) check.aligned("dst", record.tensor, kBytes);
}

void footprint(const CompareMaskRecord& record, Footprint& footprint) {
  footprint.add_hidden(Space::kCells, "CMPMASK", Access::kRead, offsetof(Cells, compare_mask),
                       kBytes);
  footprint.add_bytes(record.tensor, "dst", Access::kWrite, 0, kBytes);
}

void run(const CompareMaskRecord& record, const State&, Memory& memory) {
  std::memcpy(memory.data(record.tensor), memory.cells().compare_mask, kBytes);
}

constexpr Functions<CompareMaskRecord> kFunctions{
    .signature = signature, .pipe = Pipe::kV, .check = check, .footprint = footprint, .run = run};

}  // namespace

extern constinit const Instruction get_cmp_mask =
    make_instruction<kFunctions>("get_cmp_mask", "GetCmpMask", "GetCmpMask", kSupport);

}  // namespace vinci::isa
