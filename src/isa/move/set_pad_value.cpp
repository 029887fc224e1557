// set_pad_value: what DataCopyPad writes beside the data where its call does not say it.
//
// Sources and decisions: docs/spec/set_pad_value.md.
#include "core/copy_padding.h"
#include "core/setter.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

using enum DType;
constexpr Signature kTypes[] = {kInt8,  kUint8,  kInt16, kUint16, kHalf,  kBfloat16,
                                kInt32, kUint32, kFloat, kInt64,  kUint64};
constexpr Support kSupport[] = {{kArch2201, kTypes}};

void write(const SetPadValueRecord& record, Registers& registers) {
  copy_padding::write(registers, record.dtype, record.value);
}

}  // namespace

extern constinit const Instruction set_pad_value =
    setter::setter_instruction<SetPadValueRecord, write, setter::no_rules<SetPadValueRecord>,
                               setter::dtype_signature<SetPadValueRecord>>("set_pad_value",
                                                                           "SetPadValue", kSupport);

}  // namespace vinci::isa
