// v4dtrans: an image's elements channel by channel become place by place, or back.
//
// Sources and decisions: docs/spec/v4dtrans.md.
#include <cstring>

#include <fmt/format.h>

#include "core/instruction.h"
#include "core/memory.h"
#include "isa/family/lanes.h"
#include "isa/family/types.h"

namespace vinci::isa {
namespace {

using enum DType;

constexpr Signature kTypes[] = {kHalf, kFloat, kInt8, kUint8, kInt16, kUint16, kInt32, kUint32};
constexpr Support kSupport[] = {{kArch2002 | kArch2201, kTypes, true, kAscendC},
                                {kArch2002 | kArch2002Vector, kTypes, true, kTik}};
constexpr int64_t kMost = 4095;

Signature signature(const ImageTransposeRecord& record) {
  return types_of(record.dst.dtype, record.src.dtype);
}

uint64_t bytes_of(const ImageTransposeRecord& record) {
  return uint64_t(record.places) * uint64_t(record.channels) * (bits_of(record.src.dtype) / 8);
}

// Of what the call brings, so much is the instruction's: datablocks of so many channels and more.
uint64_t scratch_bytes(const ImageTransposeRecord& record, const Soc& soc) {
  if (record.scratch.dtype == DType::kNone || soc.arch->bit != kArch2201) return 0;
  const uint64_t rows = bits_of(record.src.dtype) == 8 ? 32 : 16;
  const auto channels = uint64_t(record.channels);
  return (record.to_places ? channels + 2 : 2 * channels + 1) * rows * 32;
}

void check_scratch(const ImageTransposeRecord& record, Check& check) {
  const uint64_t bytes = scratch_bytes(record, check.soc()), begin = record.scratch.address;
  if (bytes == 0) return;
  vector::check_operand("sharedTmpBuffer", record.scratch, check);
  if (record.scratch.bytes < bytes) {
    check.fail(Code::kOutOfTensor,
               fmt::format("sharedTmpBuffer has {} bytes", record.scratch.bytes),
               fmt::format("{} bytes or more for {} channels", bytes, record.channels));
    return;
  }
  for (const Operand* part : {&record.dst, &record.src}) {
    if (!vector::overlap(begin, begin + bytes, part->address, part->address + bytes_of(record))) {
      continue;
    }
    check.fail(Code::kOverlap,
               fmt::format("sharedTmpBuffer and {} overlap", part == &record.dst ? "dst" : "src"),
               "memory of its own for sharedTmpBuffer");
    return;
  }
}

void check(const ImageTransposeRecord& record, Check& check) {
  vector::check_operand("dst", record.dst, check);
  vector::check_operand("src", record.src, check);
  check.range("m_len", record.places, 1, kMost);
  check.range("channels", record.channels, 1, kMost);
  if (!check.ok()) return;
  const uint64_t dst = record.dst.address, src = record.src.address, bytes = bytes_of(record);
  if (vector::overlap(dst, dst + bytes, src, src + bytes)) {
    check.fail(Code::kOverlap, "dst and src overlap", "no overlap");
  }
  if (check.ok()) check_scratch(record, check);
}

void footprint(const ImageTransposeRecord& record, Footprint& footprint) {
  footprint.add_bytes(record.src, "src", Access::kRead, 0, bytes_of(record));
  footprint.add_bytes(record.dst, "dst", Access::kWrite, 0, bytes_of(record));
  const uint64_t scratch = scratch_bytes(record, footprint.soc());
  if (scratch != 0) {
    footprint.add_bytes(record.scratch, "sharedTmpBuffer", Access::kWrite, 0, scratch);
  }
}

// dst[j][i] = src[i][j]
template <class T>
void transpose_matrix(const uint8_t* src, uint64_t rows, uint64_t columns, uint8_t* dst) {
  for (uint64_t i = 0; i < rows; ++i) {
    for (uint64_t j = 0; j < columns; ++j) {
      std::memcpy(dst + (j * rows + i) * sizeof(T), src + (i * columns + j) * sizeof(T), sizeof(T));
    }
  }
}

void run(const ImageTransposeRecord& record, const State& state, Memory& memory) {
  const auto places = uint64_t(record.places), channels = uint64_t(record.channels);
  const uint64_t rows = record.to_places ? channels : places;
  const uint64_t columns = record.to_places ? places : channels;
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  vector::with_width<kSupport>(record.src.dtype,
                               [&]<class U>() { transpose_matrix<U>(src, rows, columns, dst); });
  const uint64_t scratch = scratch_bytes(record, state.soc);
  if (scratch != 0) std::memset(memory.data(record.scratch), kPoison, scratch);
}

constexpr Functions<ImageTransposeRecord> kFunctions{
    .signature = signature, .pipe = Pipe::kV, .check = check, .footprint = footprint, .run = run};

}  // namespace

extern constinit const Instruction v4dtrans =
    make_instruction<kFunctions>("v4dtrans", "v4dtrans", "v4dtrans", kSupport);

}  // namespace vinci::isa
