// set_cmp_mask: CMPMASK from UB. What Select takes it for depends on its mode: bits, a scalar, or
// the address of bits.
//
// Sources and decisions: docs/spec/set_cmp_mask.md.
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
  check.in_space("src", record.tensor, Space::kUb);
  if (check.ok()) check.aligned("src", record.tensor, kBytes);
}

void footprint(const CompareMaskRecord& record, Footprint& footprint) {
  footprint.add_bytes(record.tensor, "src", Access::kRead, 0, kBytes);
  footprint.add_hidden(Space::kCells, "CMPMASK", Access::kWrite, offsetof(Cells, compare_mask),
                       kBytes);
}

void run(const CompareMaskRecord& record, const State&, Memory& memory) {
  std::memcpy(memory.cells().compare_mask, memory.data(record.tensor), kBytes);
}

void advance(const CompareMaskRecord&, const Soc&, Registers& registers) {
  registers.compare_mask_is_address = true;
}

constexpr Functions<CompareMaskRecord> kFunctions{.signature = signature,
                                                  .pipe = Pipe::kV,
                                                  .check = check,
                                                  .footprint = footprint,
                                                  .run = run,
                                                  .advance = advance};

}  // namespace

extern constinit const Instruction set_cmp_mask =
    make_instruction<kFunctions>("set_cmp_mask", "SetCmpMask", "SetCmpMask", kSupport);

}  // namespace vinci::isa
