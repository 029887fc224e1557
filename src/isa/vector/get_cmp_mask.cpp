// get_cmp_mask: the bits of CMPMASK to UB.
//
// Sources and decisions: docs/spec/get_cmp_mask.md.
#include <cstring>

#include <fmt/format.h>

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
constexpr uint64_t kAscendCBytes = 128;  // that dst must have

Signature signature(const CompareMaskRecord&) { return {}; }
Pipe pipe(const CompareMaskRecord&, const Soc&) { return Pipe::kV; }

void check(const CompareMaskRecord& record, Check& check) {
  check.in_space("dst", record.tensor, Space::kUb);
  if (check.ok()) check.aligned("dst", record.tensor, kBytes);
}

void footprint(const CompareMaskRecord& record, Core& core, Footprint& footprint) {
  footprint.add_bytes(record.tensor, "dst", Access::kWrite, 0, kBytes);
  if (core.front_end() != kAscendC || record.tensor.bytes >= kAscendCBytes) return;
  core.report(Code::kOutOfTensor, fmt::format("GetCmpMask: dst has {} bytes", record.tensor.bytes),
              fmt::format("{} or more", kAscendCBytes));
}

void execute(const CompareMaskRecord& record, Core& core) {
  std::memcpy(core.data(record.tensor), core.registers().compare_mask.bits, kBytes);
}

}  // namespace

extern constinit const Instruction get_cmp_mask =
    make_instruction<CompareMaskRecord, signature, pipe, check, footprint, execute>(
        "get_cmp_mask", "GetCmpMask", "GetCmpMask", kSupport);

}  // namespace vinci::isa
