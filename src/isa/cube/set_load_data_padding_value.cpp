// set_load_data_padding_value: the pad value for later 3D loads.
//
// Sources and decisions: docs/spec/set_load_data_padding_value.md.
#include "isa/cube/feature_map.h"
#include "core/setter.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr Signature kTypes[] = {DType::kUint8, DType::kInt8, DType::kUint16, DType::kInt16,
                                DType::kHalf};
constexpr Signature kWith32Bit[] = {DType::kInt4,  DType::kUint8, DType::kInt8,     DType::kUint16,
                                    DType::kInt16, DType::kHalf,  DType::kBfloat16, DType::kUint32,
                                    DType::kInt32, DType::kFloat};
constexpr Support kSupport[] = {{kArch1001 | kArch2002, kTypes},
                                {kArch2201 | kArch3002, kWith32Bit}};

void write(const SetPaddingRecord& record, Registers& registers) {
  registers.padding = feature_map::padding_word(record.value, bits_of(record.dtype));
}

}  // namespace

extern constinit const Instruction set_load_data_padding_value =
    setter::setter_instruction<SetPaddingRecord, write, setter::no_rules<SetPaddingRecord>,
                               setter::dtype_signature<SetPaddingRecord>>(
        "set_load_data_padding_value", "SetLoadDataPaddingValue", kSupport);

}  // namespace vinci::isa
