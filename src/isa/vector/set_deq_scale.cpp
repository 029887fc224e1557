// set_deq_scale: the scale of later conversions from int32 to half and from int16 to 8 bits.
//
// Sources and decisions: docs/spec/set_deq_scale.md.
#include <cstring>

#include <fmt/format.h>

#include "core/instruction.h"
#include "core/setter.h"
#include "numeric/requantize.h"
#include "vinci/record/vector.h"

namespace vinci::isa {
namespace {

using Form = SetDeqScaleRecord::Form;

constexpr Support kSupport[] = {
    {kArch1000 | kArch1001 | kArch2002 | kArch2201, setter::kNoElements},
    {kArch2002Vector | kArch3002, setter::kNoElements, true, kTik},
};
constexpr uint64_t kTableBytes = 16 * sizeof(uint64_t);

Signature signature(const SetDeqScaleRecord&) { return {}; }

void check(const SetDeqScaleRecord& record, Check& check) {
  const int scales = record.form == Form::kTable ? 16 : record.form == Form::kWord ? 1 : 0;
  for (int i = 0; i < scales; ++i) {
    check.range(scales == 1 ? "offset" : fmt::format("vdeqOffset[{}]", i), record.scales[i].offset,
                -256, 255);
  }
  if (record.form != Form::kTable && record.form != Form::kRawTable) return;
  check.in_space("vdeqTensor", record.table, Space::kUb);
  if (check.ok()) check.aligned("vdeqTensor", record.table);
}

void footprint(const SetDeqScaleRecord& record, Footprint& footprint) {
  if (record.form != Form::kTable) return;
  footprint.add_bytes(record.table, "vdeqTensor", Access::kWrite, 0, kTableBytes);
}

uint64_t word_of(const DeqScale& scale) {
  return ScaleWord::encode(scale.scale, scale.offset, scale.is_signed);
}

void run(const SetDeqScaleRecord& record, const State&, Memory& memory) {
  if (record.form != Form::kTable) return;
  for (int i = 0; i < 16; ++i) {
    const uint64_t word = word_of(record.scales[i]);
    std::memcpy(memory.data(record.table) + i * sizeof(word), &word, sizeof(word));
  }
}

void advance(const SetDeqScaleRecord& record, const Soc&, Registers& registers) {
  DeqScaleRegister& deq_scale = registers.deq_scale;
  deq_scale = {};
  deq_scale.is_half = record.form == Form::kHalf;
  switch (record.form) {
    case Form::kHalf: deq_scale.word = record.half_bits; break;
    case Form::kWord: deq_scale.word = word_of(record.scales[0]); break;
    case Form::kRawWord: deq_scale.word = record.word; break;
    case Form::kRawTable:
    case Form::kTable: deq_scale.table = record.table; break;
  }
}

constexpr Functions<SetDeqScaleRecord> kFunctions{.signature = signature,
                                                  .pipe = Pipe::kS,
                                                  .check = check,
                                                  .footprint = footprint,
                                                  .run = run,
                                                  .advance = advance};

}  // namespace

extern constinit const Instruction set_deq_scale =
    make_instruction<kFunctions>("set_deq_scale", "SetDeqScale", "SetDeqScale", kSupport);

}  // namespace vinci::isa
