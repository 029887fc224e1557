// data_copy: bursts of datablocks between GM, L1 and UB, bytes unchanged, or combined with GM.
//
// Sources and decisions: docs/spec/data_copy.md.
#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/move/atomic.h"
#include "numeric/dtype.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

constexpr uint64_t kBlockBytes = 32;

constexpr Signature kTypes[] = {DType::kInt8,  DType::kUint8, DType::kInt16,  DType::kUint16,
                                DType::kHalf,  DType::kInt32, DType::kUint32, DType::kFloat,
                                DType::kInt64, DType::kUint64};
constexpr Signature kWithBfloat16[] = {
    DType::kInt8,  DType::kUint8,  DType::kInt16, DType::kUint16, DType::kHalf,   DType::kBfloat16,
    DType::kInt32, DType::kUint32, DType::kFloat, DType::kInt64,  DType::kUint64, DType::kInt4};
constexpr Support kSupport[] = {
    {kArch1000 | kArch1001 | kArch2002 | kArch2002Vector, kTypes},
    {kArch2201 | kArch3002, kWithBfloat16},
};

Signature signature(const DataCopyRecord& record) { return record.dst.dtype; }

Pipe pipe(const DataCopyRecord& record, const Soc& soc) {
  return soc.route(soc.space_of(record.src.position), soc.space_of(record.dst.position));
}

// What a count counts are C++ objects, and an int4b_t is one of a byte.
uint64_t object_bytes(const DataCopyRecord& record) { return bytes_of(record.dst.dtype, 1); }
uint64_t count_bytes(const DataCopyRecord& record) { return record.count * object_bytes(record); }

// So is what SetGlobalBuffer counts for such a copy.
Operand end_of(const DataCopyRecord& record, Operand end) {
  const bool halves = record.by_count && end.dtype == DType::kInt4 && end.position == Position::GM;
  if (halves && end.bytes != kUnknownExtent) end.bytes *= 2;
  return end;
}

// A count is one burst of the datablocks it fills.
struct Extent {
  uint64_t blocks, bytes, src_pitch, dst_pitch;
};
Extent extent_of(const DataCopyRecord& record) {
  if (record.by_count) {
    const uint64_t bytes = count_bytes(record) / kBlockBytes * kBlockBytes;
    return {1, bytes, bytes, bytes};
  }
  const Bursts& bursts = record.bursts;
  return {bursts.blocks, bursts.length * kBlockBytes,
          (uint64_t(bursts.length) + bursts.src_gap) * kBlockBytes,
          (uint64_t(bursts.length) + bursts.dst_gap) * kBlockBytes};
}

void check_whole_blocks(const DataCopyRecord& record, Check& check) {
  const uint64_t copied = extent_of(record).bytes;
  if (copied == count_bytes(record)) return;
  check.warn(Code::kPartialDatablock,
             fmt::format("{} elements of {} bytes are {} bytes, {}", record.count,
                         object_bytes(record), count_bytes(record),
                         copied == 0 ? "less than a datablock: nothing is copied"
                                     : fmt::format("of which only {} are copied", copied)),
             fmt::format("a multiple of {} bytes", kBlockBytes));
}

void check(const DataCopyRecord& record, Check& check) {
  const Soc& soc = check.soc();
  check.route(record.src, record.dst);
  for (const Space end : {soc.space_of(record.src.position), soc.space_of(record.dst.position)}) {
    if (check.ok() && (end == Space::kL0A || end == Space::kL0B)) {
      check.fail(Code::kPosition, fmt::format("DataCopy does not reach {}", name_of(end)),
                 "LoadData, which does");
    } else if (check.ok() && end != Space::kGm && end != Space::kUb && end != Space::kL1) {
      check.unimplemented(
          fmt::format("the plain form to or from {} is not there yet", name_of(end)), "GM, UB, L1");
    }
  }
  if (record.src.dtype != record.dst.dtype) {
    check.fail(Code::kCombination,
               fmt::format("src holds {} and dst {}", name_of(record.src.dtype),
                           name_of(record.dst.dtype)),
               "the same type: this route converts nothing");
  }
  if (!check.ok()) return;
  check.aligned("src", record.src);
  check.aligned("dst", record.dst);
  check.range("blockCount", record.bursts.blocks, 0, 4095);
  if (check.ok()) atomic::check(record.dst, check);
  if (check.ok() && record.by_count) check_whole_blocks(record, check);
}

void footprint(const DataCopyRecord& record, Footprint& footprint) {
  const Extent extent = extent_of(record);
  footprint.add_blocks(end_of(record, record.src), "src", Access::kRead, 0, extent.bytes,
                       extent.blocks, int64_t(extent.src_pitch));
  footprint.add_blocks(end_of(record, record.dst), "dst", Access::kWrite, 0, extent.bytes,
                       extent.blocks, int64_t(extent.dst_pitch));
  atomic::add_reads(record.dst, footprint);
}

void run(const DataCopyRecord& record, const State& state, Memory& memory) {
  const Extent extent = extent_of(record);
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  const atomic::Store store(record.dst, state);
  for (uint64_t block = 0; block < extent.blocks; ++block) {
    store(dst + block * extent.dst_pitch, src + block * extent.src_pitch, extent.bytes);
  }
}

constexpr Functions<DataCopyRecord> kFunctions{.signature = signature,
                                               .pipe = pipe,
                                               .check = check,
                                               .footprint = footprint,
                                               .run = run,
                                               .ordered = atomic::ordered<DataCopyRecord>,
                                               .moves = true};

}  // namespace

extern constinit const Instruction data_copy =
    make_instruction<kFunctions>("data_copy", "DataCopy", "DataCopy", kSupport);

}  // namespace vinci::isa
