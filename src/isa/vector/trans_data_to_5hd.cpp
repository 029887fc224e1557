// trans_data_to_5hd: 16 datablocks from anywhere become 16 datablocks anywhere, transposed.
//
//   16 bits   dst[e][k] = src[k][e]                                        e, k in 0..15
//   32 bits   dst[2 m][k] = src[k][m], dst[2 m + 1][k] = src[k + 8][m]      m, k in 0..7
//   8 bits    dst[e][k + 16 dstHigh] = src[k][e + 16 srcHigh]              e, k in 0..15
//
// Repeats add their strides to all addresses, and a single one adds them too. Sources and
// decisions: docs/spec/trans_data_to_5hd.md.
#include <cstring>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/family/lanes.h"
#include "isa/family/types.h"
#include "kernel/transpose.h"
#include "numeric/dtype.h"

namespace vinci::isa {
namespace {

using vector::kBlockBytes;

constexpr unsigned kBlocks = 16;

using enum DType;
constexpr Signature kNarrow[] = {kInt8, kUint8, kInt16, kUint16, kHalf};
constexpr Signature kAll[] = {kInt8, kUint8, kInt16, kUint16, kHalf, kInt32, kUint32, kFloat};
constexpr Signature k3002AscendC[] = {kInt8, kUint8, kInt16, kHalf, kInt32, kFloat};
constexpr Signature k3002Tik[] = {kInt8, kUint8, kInt16, kUint16, kInt32, kUint32};
constexpr Support kSupport[] = {
    {kArch1000 | kArch1001, kNarrow, true, kAscendC},
    {kArch1000 | kArch1001, kAll, true, kTik},
    {kArch2002 | kArch2002Vector | kArch2201, kAll},
    {kArch3002, k3002AscendC, true, kAscendC},
    {kArch3002, k3002Tik, true, kTik},
};

constexpr const char* kDstNames[kBlocks] = {
    "dstList[0]",  "dstList[1]",  "dstList[2]",  "dstList[3]", "dstList[4]",  "dstList[5]",
    "dstList[6]",  "dstList[7]",  "dstList[8]",  "dstList[9]", "dstList[10]", "dstList[11]",
    "dstList[12]", "dstList[13]", "dstList[14]", "dstList[15]"};
constexpr const char* kSrcNames[kBlocks] = {
    "srcList[0]",  "srcList[1]",  "srcList[2]",  "srcList[3]", "srcList[4]",  "srcList[5]",
    "srcList[6]",  "srcList[7]",  "srcList[8]",  "srcList[9]", "srcList[10]", "srcList[11]",
    "srcList[12]", "srcList[13]", "srcList[14]", "srcList[15]"};

Signature signature(const TransposeBlocksRecord& record) { return record.dst[0].dtype; }

bool is_8_bits(const TransposeBlocksRecord& record) { return bits_of(record.dst[0].dtype) == 8; }

// From an operand's start to its first datablock, or to the half of it that 8-bit elements choose.
uint64_t first_of(const TransposeBlocksRecord& record, uint16_t stride, bool high) {
  return (record.repeats == 1 ? uint64_t(stride) * kBlockBytes : 0) +
         (high && is_8_bits(record) ? kBlockBytes / 2 : 0);
}

// Whether a repeat writes a datablock of a later one's source; with next_alone, of the next one's.
bool feeds_later(const TransposeBlocksRecord& record, const Operand& dst, const Operand& src,
                 bool next_alone) {
  const auto block_of = [](const Operand& operand) {
    return int64_t(operand.address / kBlockBytes);
  };
  int64_t ahead = block_of(dst) - block_of(src);
  const int64_t last = record.repeats - 1, step = record.src_stride;
  if (ahead + last * record.dst_stride < 0 || ahead > last * step) return false;
  for (int64_t repeat = 0; repeat < last; ++repeat, ahead += record.dst_stride) {
    const int64_t furthest = next_alone ? repeat + 1 : last;
    if (step == 0 ? ahead == 0
                  : ahead % step == 0 && ahead / step > repeat && ahead / step <= furthest) {
      return true;
    }
  }
  return false;
}

void check_overlap(const TransposeBlocksRecord& record, Check& check) {
  if (record.repeats < 2 || (is_8_bits(record) && record.dst_high != record.src_high)) return;
  for (unsigned i = 0; i < kBlocks; ++i) {
    for (unsigned j = 0; j < kBlocks; ++j) {
      if (!feeds_later(record, record.dst[i], record.src[j], check.in_tik())) continue;
      check.fail(
          Code::kOverlap,
          fmt::format("{} of a repeat overwrites {} of a later one", kDstNames[i], kSrcNames[j]),
          vector::kNoLaterSource);
      return;
    }
  }
}

void check(const TransposeBlocksRecord& record, Check& check) {
  const DType dtype = record.dst[0].dtype;
  const auto check_list = [&](const Operand* list, const char* const* names) {
    for (unsigned i = 0; i < kBlocks && check.ok(); ++i) {
      vector::check_operand(names[i], list[i], check);
      if (list[i].dtype != dtype) {
        check.fail(Code::kCombination,
                   fmt::format("{} holds {} and {} {}", names[i], name_of(list[i].dtype),
                               kDstNames[0], name_of(dtype)),
                   "the same type in all");
      }
    }
  };
  check_list(record.dst, kDstNames);
  check_list(record.src, kSrcNames);
  check.range("repeatTimes", record.repeats, 0, 255);
  if (check.ok()) check_overlap(record, check);
}

void footprint(const TransposeBlocksRecord& record, Footprint& footprint) {
  const auto add_list = [&](const Operand* list, const char* const* names, Access access,
                            uint16_t stride, bool high) {
    const uint64_t start = first_of(record, stride, high);
    const uint64_t bytes = is_8_bits(record) ? kBlockBytes / 2 : kBlockBytes;
    for (unsigned i = 0; i < kBlocks; ++i) {
      footprint.add_blocks(list[i], names[i], access, start, bytes, record.repeats,
                           int64_t(stride) * kBlockBytes);
    }
  };
  add_list(record.src, kSrcNames, Access::kRead, record.src_stride, record.src_high);
  add_list(record.dst, kDstNames, Access::kWrite, record.dst_stride, record.dst_high);
}

using Rows = uint8_t[kBlocks][kBlockBytes];

// What the 16 datablocks become. Of 8-bit elements only the first half of each row counts, in both.
// U is as wide as an element.
template <class U>
void transpose_rows(const Rows& src, Rows& dst) {
  if constexpr (sizeof(U) == 2) {
    fractal::transpose_square<uint16_t>(src[0], dst[0]);
  } else if constexpr (sizeof(U) == 1) {
    for (unsigned e = 0; e < kBlocks; ++e) {
      for (unsigned k = 0; k < kBlocks; ++k) dst[e][k] = src[k][e];
    }
  } else {
    static_assert(sizeof(U) == 4);
    Rows squares;
    fractal::transpose_square<uint32_t>(src[0], squares[0]);
    fractal::transpose_square<uint32_t>(src[8], squares[8]);
    for (unsigned m = 0; m < kBlocks / 2; ++m) {
      std::memcpy(dst[2 * m], squares[m], kBlockBytes);
      std::memcpy(dst[2 * m + 1], squares[m + 8], kBlockBytes);
    }
  }
}

template <class U>
void transpose_all(const TransposeBlocksRecord& record, Memory& memory) {
  constexpr uint64_t kBytes = sizeof(U) == 1 ? kBlockBytes / 2 : kBlockBytes;
  uint64_t from = first_of(record, record.src_stride, record.src_high);
  uint64_t to = first_of(record, record.dst_stride, record.dst_high);
  for (unsigned repeat = 0; repeat < record.repeats; ++repeat) {
    alignas(64) Rows src, dst;
    for (unsigned i = 0; i < kBlocks; ++i) {
      std::memcpy(src[i], memory.data(record.src[i]) + from, kBytes);
    }
    transpose_rows<U>(src, dst);
    for (unsigned i = 0; i < kBlocks; ++i) {
      std::memcpy(memory.data(record.dst[i]) + to, dst[i], kBytes);
    }
    from += uint64_t(record.src_stride) * kBlockBytes;
    to += uint64_t(record.dst_stride) * kBlockBytes;
  }
}

void run(const TransposeBlocksRecord& record, const State&, Memory& memory) {
  vector::with_width<kSupport>(record.dst[0].dtype,
                               [&]<class U>() { transpose_all<U>(record, memory); });
}

constexpr Functions<TransposeBlocksRecord> kFunctions{.signature = signature,
                                                      .pipe = Pipe::kV,
                                                      .check = check,
                                                      .footprint = footprint,
                                                      .run = run,
                                                      .moves = true};

}  // namespace

extern constinit const Instruction trans_data_to_5hd =
    make_instruction<kFunctions>("trans_data_to_5hd", "TransDataTo5HD", "TransDataTo5HD", kSupport);

}  // namespace vinci::isa
