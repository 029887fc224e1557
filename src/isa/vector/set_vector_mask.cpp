// set_vector_mask: the content of MASK, for vector calls with isSetMask = false.
//
// Sources and decisions: docs/spec/set_vector_mask.md.
#include <fmt/format.h>

#include "isa/family/lanes.h"
#include "core/setter.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {
    {kArch1000 | kArch1001 | kArch2002 | kArch2002Vector | kArch2201 | kArch3002,
     setter::kNoElements}};

// An empty mask is legal here: what a call makes of it, its chip decides.
void check(const SetVectorMaskRecord& record, Check& check) {
  const Lanes& lanes = record.lanes;
  if (lanes.form != Lanes::Form::kCount) {
    vector::check_mask(lanes, vector::lanes_per_repeat(bits_of(record.dtype)), false, true, check);
    return;
  }
  check.range("the number of elements", int64_t(lanes.mask[0]), 0, UINT32_MAX);
  if (lanes.mask[1] != 0) {
    check.fail(Code::kMask, fmt::format("maskHigh is {:#x} with MaskMode::COUNTER", lanes.mask[1]),
               "0");
  }
}

// The mode of the core does not matter: it says how later calls read the bits.
void write(const SetVectorMaskRecord& record, Registers& registers) {
  uint64_t* bits = registers.mask.bits;
  MaskRegister mask{{record.lanes.mask[0], 0}};
  if (record.lanes.form != Lanes::Form::kCount) mask = vector::mask_during(record.lanes, {});
  bits[0] = mask.bits[0];
  bits[1] = mask.bits[1];
}

}  // namespace

extern constinit const Instruction set_vector_mask =
    setter::setter_instruction<SetVectorMaskRecord, write, check>("set_vector_mask",
                                                                  "SetVectorMask", kSupport);

}  // namespace vinci::isa
