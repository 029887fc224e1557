// set_cmp_mask: CMPMASK from UB. What Select takes it for depends on its mode: bits, a scalar, or
// the address of bits.
//
// Sources and decisions: docs/spec/set_cmp_mask.md.
#include <cstring>

#include "core/core.h"
#include "core/instruction.h"
#include "isa/family/setter.h"
#include "vinci/record/vector.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {
    {kArch2002 | kArch2201, setter::kNoElements},
    {kArch1000 | kArch1001 | kArch2002Vector | kArch3002, setter::kNoElements, true, kTik},
};
constexpr uint64_t kBytes = sizeof(CompareMaskRegister::bits);

Signature signature(const CompareMaskRecord&) { return {}; }
Pipe pipe(const CompareMaskRecord&, const Soc&) { return Pipe::kV; }

void check(const CompareMaskRecord& record, Check& check) {
  check.in_space("src", record.tensor, Space::kUb);
  if (check.ok()) check.aligned("src", record.tensor, kBytes);
}

void footprint(const CompareMaskRecord& record, Core&, Footprint& footprint) {
  footprint.add_bytes(record.tensor, "src", Access::kRead, 0, kBytes);
}

// What GetPhyAddr gave, of which kernels keep the low 32 bits, or an offset from the start of UB.
Operand pointee_of(uint64_t word, Core& core) {
  const auto start = uint32_t(reinterpret_cast<uintptr_t>(core.local().data(Space::kUb)));
  const uint32_t low = uint32_t(word), offset = low - start;
  const uint64_t address = offset < core.soc().size_of(Space::kUb) ? offset : low;
  return {address, kUnknownExtent, 0, Position::VECCALC, DType::kUint8};
}

void execute(const CompareMaskRecord& record, Core& core) {
  CompareMaskRegister& mask = core.registers().compare_mask;
  std::memcpy(mask.bits, core.data(record.tensor), kBytes);
  mask.pointee = pointee_of(mask.bits[0], core);
}

}  // namespace

extern constinit const Instruction set_cmp_mask =
    make_instruction<CompareMaskRecord, signature, pipe, check, footprint, execute>(
        "set_cmp_mask", "SetCmpMask", "SetCmpMask", kSupport);

}  // namespace vinci::isa
