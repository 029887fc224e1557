// data_copy_pad: bursts of any number of bytes between GM and UB.
//
// In UB each burst starts at a datablock and is, on the way in, framed: elements before it and
// after it as asked for, then up to the next datablock. Sources and decisions:
// docs/spec/data_copy_pad.md.
#include <cstring>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/move/atomic.h"
#include "core/copy_padding.h"
#include "numeric/dtype.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

using enum DType;

constexpr uint64_t kBlockBytes = 32;

constexpr Signature kTypes[] = {kInt8,  kUint8,  kInt16, kUint16, kHalf,   kBfloat16,
                                kInt32, kUint32, kFloat, kInt64,  kUint64, kInt4};
constexpr Support kSupport[] = {{kArch2201 | kArch3002, kTypes}};

Signature signature(const DataCopyPadRecord& record) { return record.dst.dtype; }

Pipe pipe(const DataCopyPadRecord& record, const Soc& soc) {
  return soc.route(soc.space_of(record.src.position), soc.space_of(record.dst.position));
}

bool is_nop(const DataCopyPadRecord& record) { return record.blocks == 0 || record.length == 0; }
// An int4b_t is an object of a byte.
uint64_t width_of(const DataCopyPadRecord& record) { return bytes_of(record.dst.dtype, 1); }
bool is_inward(const DataCopyPadRecord& record, const Soc& soc) {
  return soc.space_of(record.src.position) == Space::kGm;
}

// Of a burst in UB: where its data starts, where they end, and where the datablock ends.
struct Frame {
  uint64_t start, end, bytes;
};
Frame frame_of(const DataCopyPadRecord& record) {
  const uint64_t start = record.left * width_of(record);
  const uint64_t used = start + record.length + record.right * width_of(record);
  return {start, start + record.length, (used + kBlockBytes - 1) / kBlockBytes * kBlockBytes};
}

// From burst to burst.
uint64_t gm_pitch(const DataCopyPadRecord& record, uint32_t gap) {
  return uint64_t(record.length) + gap;
}
uint64_t ub_pitch(const DataCopyPadRecord& record, uint32_t gap) {
  return frame_of(record).bytes + uint64_t(gap) * kBlockBytes;
}

void check_padding(const DataCopyPadRecord& record, bool inward, Check& check) {
  const auto most = inward ? int64_t(kBlockBytes / width_of(record)) : 0;
  check.range("leftPadding", record.left, 0, most);
  check.range("rightPadding", record.right, 0, most);
  if (record.has_value && (width_of(record) == 8 || record.dst.dtype == kInt4)) {
    check.range("paddingValue", int64_t(record.value), 0, 0);
  }
}

void check(const DataCopyPadRecord& record, Check& check) {
  const bool inward = is_inward(record, check.soc());
  check.in_space("dst", record.dst, inward ? Space::kUb : Space::kGm);
  if (!inward) check.in_space("src", record.src, Space::kUb);
  if (record.src.dtype != record.dst.dtype) {
    check.fail(Code::kCombination,
               fmt::format("src holds {} and dst {}", name_of(record.src.dtype),
                           name_of(record.dst.dtype)),
               "the same type: this route converts nothing");
  }
  if (!check.ok()) return;
  check.aligned("src", record.src);
  check.aligned("dst", record.dst);
  check.range("blockCount", record.blocks, 0, 4095);
  check.range("blockLen", record.length, 0, 2097151);
  check_padding(record, inward, check);
  if (check.ok() && atomic::combines(record.dst, check.soc(), check.registers())) {
    atomic::check(record.dst, check);
    const auto width = int64_t(width_of(record));
    check.multiple("blockLen, while copies into GM combine,", record.length, width);
    check.multiple("dstStride, while copies into GM combine,", record.dst_gap, width);
  }
}

void footprint(const DataCopyPadRecord& record, Footprint& footprint) {
  if (is_nop(record)) return;
  const bool inward = is_inward(record, footprint.soc());
  const uint64_t written = inward ? frame_of(record).bytes : record.length;
  const uint64_t src_pitch =
      inward ? gm_pitch(record, record.src_gap) : ub_pitch(record, record.src_gap);
  const uint64_t dst_pitch =
      inward ? ub_pitch(record, record.dst_gap) : gm_pitch(record, record.dst_gap);
  footprint.add_blocks(record.src, "src", Access::kRead, 0, record.length, record.blocks,
                       int64_t(src_pitch));
  footprint.add_blocks(record.dst, "dst", Access::kWrite, 0, written, record.blocks,
                       int64_t(dst_pitch));
  atomic::add_reads(record.dst, footprint);
}

// Bytes first..last of a burst in UB; `element` has one element's bytes, repeated.
void fill(uint8_t* burst, uint64_t first, uint64_t last, uint64_t element, uint64_t width) {
  for (uint64_t i = first; i < last; ++i) burst[i] = uint8_t(element >> (8 * (i % width)));
}

// What a call leaves in the register.
void write_padding(const DataCopyPadRecord& record, Registers& registers) {
  if (record.has_value) copy_padding::write(registers, record.dst.dtype, record.value);
}

void copy_in(const DataCopyPadRecord& record, const State& state, Memory& memory) {
  Registers registers = state.registers;
  write_padding(record, registers);
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  const uint64_t width = width_of(record);
  const Frame frame = frame_of(record);
  const bool framed = record.left != 0 || record.right != 0;
  for (uint64_t block = 0; block < record.blocks; ++block) {
    std::memcpy(dst + frame.start, src, record.length);
    uint64_t element = registers.copy_padding;
    if (!framed) {
      element = 0;
      std::memcpy(&element, src, std::min<uint64_t>(width, record.length));
    }
    fill(dst, 0, frame.start, element, width);
    fill(dst, frame.end, frame.bytes, element, width);
    src += gm_pitch(record, record.src_gap);
    dst += ub_pitch(record, record.dst_gap);
  }
}

void copy_out(const DataCopyPadRecord& record, const State& state, Memory& memory) {
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  const atomic::Store store(record.dst, state);
  for (uint64_t block = 0; block < record.blocks; ++block) {
    store(dst, src, record.length);
    src += ub_pitch(record, record.src_gap);
    dst += gm_pitch(record, record.dst_gap);
  }
}

void run(const DataCopyPadRecord& record, const State& state, Memory& memory) {
  if (is_nop(record)) return;
  is_inward(record, state.soc) ? copy_in(record, state, memory) : copy_out(record, state, memory);
}

void advance(const DataCopyPadRecord& record, const Soc&, Registers& registers) {
  write_padding(record, registers);
}

constexpr Functions<DataCopyPadRecord> kFunctions{.signature = signature,
                                                  .pipe = pipe,
                                                  .check = check,
                                                  .footprint = footprint,
                                                  .run = run,
                                                  .advance = advance,
                                                  .ordered = atomic::ordered<DataCopyPadRecord>};

}  // namespace

extern constinit const Instruction data_copy_pad =
    make_instruction<kFunctions>("data_copy_pad", "DataCopyPad", "DataCopyPad", kSupport);

}  // namespace vinci::isa
