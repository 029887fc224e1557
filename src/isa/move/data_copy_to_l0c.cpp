// data_copy_to_l0c: from UB into fractals of L0C; half becomes float where L0C holds float.
//
// Sources and decisions: docs/spec/data_copy_to_l0c.md.
#include <cstring>

#include "core/instruction.h"
#include "isa/move/l0c_units.h"
#include "kernel/half_array.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

using l0c::kRow;

constexpr Signature kTypes[] = {{DType::kHalf, DType::kHalf},
                                {DType::kFloat, DType::kFloat},
                                {DType::kInt32, DType::kInt32},
                                {DType::kUint32, DType::kUint32},
                                {DType::kFloat, DType::kHalf}};
constexpr Support kSupport[] = {{kArch1001 | kArch2002, kTypes}, {kArch1000, kTypes, true, kTik}};

Signature signature(const DataCopyL0CRecord& record) {
  return {record.dst.dtype, record.src.dtype};
}
Pipe pipe(const DataCopyL0CRecord& record, const Soc& soc) {
  return soc.route(soc.space_of(record.src.position), soc.space_of(record.dst.position));
}

l0c::Ends ends_of(const DataCopyL0CRecord& record) {
  return {record.dst, record.src, record.bursts.dst_gap, record.bursts.src_gap};
}
uint64_t src_row(const DataCopyL0CRecord& record) { return bytes_of(record.src.dtype, kRow); }
l0c::Units units_of(const DataCopyL0CRecord& record) {
  return l0c::units_of(record, ends_of(record), src_row(record));
}

void check(const DataCopyL0CRecord& record, Check& check) {
  l0c::check_units(record, check, ends_of(record));
  if (record.enhanced.dequant != EnhancedCopy::Dequant::kNone || record.enhanced.relu) {
    check.fail(Code::kCombination, "deqScale or isRelu towards CO1",
               "DEQ_NONE and isRelu = false: they are for the way out");
  }
}

void footprint(const DataCopyL0CRecord& record, Footprint& footprint) {
  l0c::add_units(record, ends_of(record), units_of(record), 0, src_row(record), footprint);
}

void run(const DataCopyL0CRecord& record, const State&, Memory& memory) {
  const l0c::Units units = units_of(record);
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  const bool widens = record.src.dtype != record.dst.dtype;
  l0c::for_each_unit(record, units, [&](uint64_t, uint64_t to, uint64_t from) {
    if (widens) {
      floats_of_halves(reinterpret_cast<const uint16_t*>(src + from),
                       reinterpret_cast<float*>(dst + to), units.rows * kRow);
    } else {
      std::memcpy(dst + to, src + from, units.rows * units.ub_row);
    }
  });
}

constexpr Functions<DataCopyL0CRecord> kFunctions{
    .signature = signature, .pipe = pipe, .check = check, .footprint = footprint, .run = run};

}  // namespace

extern constinit const Instruction data_copy_to_l0c =
    make_instruction<kFunctions>("data_copy_to_l0c", "DataCopy (CO2 to CO1)", "DataCopy", kSupport);

}  // namespace vinci::isa
