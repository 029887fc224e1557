// data_copy_l0c: fractals of L0C to UB, converting each element on the way (MATRIX mode).
//
// Sources and decisions: docs/spec/data_copy_l0c.md.
#include <cstring>

#include <fmt/format.h>

#include "core/core.h"
#include "core/instruction.h"
#include "vinci/record/move.h"
#include "numeric/half_array.h"

namespace vinci::isa {
namespace {

constexpr uint64_t kBlockBytes = 32;
constexpr uint64_t kElements = 256;  // of a 16x16 fractal

constexpr Signature kTypes[] = {
    {DType::kHalf, DType::kHalf},   {DType::kFloat, DType::kFloat},
    {DType::kInt32, DType::kInt32}, {DType::kUint32, DType::kUint32},
    {DType::kHalf, DType::kFloat},
};
constexpr Signature kDequantTypes[] = {
    {DType::kHalf, DType::kInt32},
    {DType::kInt16, DType::kInt32},
    {DType::kInt8, DType::kInt32},
    {DType::kUint8, DType::kInt32},
};
constexpr Support kSupport[] = {
    {kArch1001 | kArch2002, kTypes},
    {kArch1001 | kArch2002, kDequantTypes, false},
};

Signature signature(const DataCopyL0CRecord& record) {
  return {record.dst.dtype, record.src.dtype};
}

Pipe pipe(const DataCopyL0CRecord& record, const Soc& soc) {
  return soc.route(soc.space_of(record.src.position), soc.space_of(record.dst.position));
}

uint64_t fractal_bytes(const Operand& operand) { return bytes_of(operand.dtype, kElements); }

// Source blocks are `length` fractals with gaps of whole fractals; destination gaps are datablocks.
struct Pitch {
  uint64_t src, dst;
};
Pitch pitch_of(const DataCopyL0CRecord& record) {
  const Bursts& bursts = record.bursts;
  return {(uint64_t(bursts.length) + bursts.src_gap) * fractal_bytes(record.src),
          bursts.length * fractal_bytes(record.dst) + bursts.dst_gap * kBlockBytes};
}

void check(const DataCopyL0CRecord& record, Check& check) {
  using Mode = EnhancedCopy::BlockMode;
  check.in_space("src", record.src, Space::kL0C);
  check.in_space("dst", record.dst, Space::kUb);
  if (!check.ok()) return;
  check.aligned("src", record.src, fractal_bytes(record.src));
  check.aligned("dst", record.dst);
  check.range("blockCount", record.bursts.blocks, 0, 4095);
  const EnhancedCopy& enhanced = record.enhanced;
  if (enhanced.block_mode == Mode::kVector) {
    check.unimplemented("BLOCK_MODE_VECTOR is not there yet");
  } else if (enhanced.block_mode != Mode::kMatrix) {
    check.fail(Code::kRange,
               fmt::format("blockMode {} is not legal from CO1", int(enhanced.block_mode)),
               "BLOCK_MODE_MATRIX (1) or BLOCK_MODE_VECTOR (2)");
  }
  if (enhanced.dequant != EnhancedCopy::Dequant::kNone) {
    check.unimplemented(fmt::format("deqScale mode {} is not there yet", int(enhanced.dequant)));
  }
  if (enhanced.sid_store_mode != 0) {
    check.unimplemented("sidStoreMode other than 0 is not there yet");
  }
}

void footprint(const DataCopyL0CRecord& record, Core&, Footprint& footprint) {
  const Pitch pitch = pitch_of(record);
  const Bursts& bursts = record.bursts;
  footprint.add_blocks(record.src, "src", Access::kRead, 0,
                       bursts.length * fractal_bytes(record.src), bursts.blocks,
                       int64_t(pitch.src));
  footprint.add_blocks(record.dst, "dst", Access::kWrite, 0,
                       bursts.length * fractal_bytes(record.dst), bursts.blocks,
                       int64_t(pitch.dst));
}

// max(x, 0) that keeps NaN; -0 becomes +0.
float relu(float x) { return x > 0 || x != x ? x : 0.0f; }

// One fractal. uint32 is never negative, so isRelu leaves it alone.
void convert(const DataCopyL0CRecord& record, const uint8_t* src, uint8_t* dst, bool saturate) {
  if (record.src.dtype == DType::kUint32 ||
      (!record.enhanced.relu && record.src.dtype == record.dst.dtype)) {
    std::memcpy(dst, src, fractal_bytes(record.src));
    return;
  }
  if (record.src.dtype == DType::kInt32) {
    int32_t values[kElements];
    std::memcpy(values, src, sizeof(values));
    for (int32_t& value : values) value = std::max(value, 0);
    std::memcpy(dst, values, sizeof(values));
    return;
  }
  float values[kElements];
  if (record.src.dtype == DType::kHalf) {
    floats_of_halves(reinterpret_cast<const uint16_t*>(src), values, kElements);
  } else {
    std::memcpy(values, src, sizeof(values));
  }
  if (record.enhanced.relu) {
    for (float& value : values) value = relu(value);
  }
  if (record.dst.dtype == DType::kFloat) {
    std::memcpy(dst, values, sizeof(values));
  } else {
    const bool narrows = record.src.dtype == DType::kFloat;
    halves_of_floats(values, reinterpret_cast<uint16_t*>(dst), kElements, saturate && narrows);
  }
}

void execute(const DataCopyL0CRecord& record, Core& core) {
  const Pitch pitch = pitch_of(record);
  const bool saturate = core.soc().has(Feature::kFloatSaturates);
  for (uint64_t block = 0; block < record.bursts.blocks; ++block) {
    const uint8_t* src = core.data(record.src) + block * pitch.src;
    uint8_t* dst = core.data(record.dst) + block * pitch.dst;
    for (uint64_t i = 0; i < record.bursts.length; ++i) {
      convert(record, src + i * fractal_bytes(record.src), dst + i * fractal_bytes(record.dst),
              saturate);
    }
  }
}

}  // namespace

extern constinit const Instruction data_copy_l0c =
    make_instruction<DataCopyL0CRecord, signature, pipe, check, footprint, execute>(
        "data_copy_l0c", "DataCopy (CO1 to CO2)", "DataCopy", kSupport);

}  // namespace vinci::isa
