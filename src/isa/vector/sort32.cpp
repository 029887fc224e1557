// sort32: the 32 scores of each repeat in descending order, each with its index behind it.
//
// Sources and decisions: docs/spec/sort32.md.
#include "isa/family/sort.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

constexpr unsigned kScores = 32;
constexpr unsigned kRecordBytes = 8, kIndexOffset = 4;  // a score, padding, its index

unsigned score_bytes(const Sort32Record& record) { return bits_of(record.score.dtype) / 8; }

Signature signature(const Sort32Record& record) {
  const DType dst = record.dst.dtype, score = record.score.dtype;
  return dst == score && record.index.dtype == DType::kUint32
             ? Signature(dst)
             : Signature(dst, score, record.index.dtype);
}

void check(const Sort32Record& record, Check& check) {
  check_operand("dst", record.dst, check);
  check_operand("src0", record.score, check);
  check_operand("src1", record.index, check);
  check.range("repeatTime", record.repeats, 0, 255);
  const Repeated dst{"dst", &record.dst, kScores * kRecordBytes};
  check_repeats(dst, {"src0", &record.score, kScores * score_bytes(record)}, record.repeats, check);
  check_repeats(dst, {"src1", &record.index, kScores * sizeof(uint32_t)}, record.repeats, check);
}

void footprint(const Sort32Record& record, Footprint& footprint) {
  const uint64_t count = uint64_t(record.repeats) * kScores;
  footprint.add_bytes(record.score, "src0", Access::kRead, 0, count * score_bytes(record));
  footprint.add_bytes(record.index, "src1", Access::kRead, 0, count * sizeof(uint32_t));
  footprint.add_bytes(record.dst, "dst", Access::kWrite, 0, count * kRecordBytes);
}

void run(const Sort32Record& record, const State&, Memory& memory) {
  const unsigned bytes = score_bytes(record);
  const uint8_t* score = memory.data(record.score);
  const uint8_t* index = memory.data(record.index);
  uint8_t* dst = memory.data(record.dst);
  for (int32_t repeat = 0; repeat < record.repeats; ++repeat) {
    uint8_t numbers[kScores];
    uint8_t sorted[kScores * kRecordBytes] = {};
    sort_scores(score, record.score.dtype, bytes, kScores, numbers);
    for (unsigned i = 0; i < kScores; ++i) {
      uint8_t* to = sorted + i * kRecordBytes;
      std::memcpy(to, score + numbers[i] * bytes, bytes);
      std::memcpy(to + kIndexOffset, index + numbers[i] * sizeof(uint32_t), sizeof(uint32_t));
    }
    std::memcpy(dst, sorted, sizeof(sorted));
    score += kScores * bytes;
    index += kScores * sizeof(uint32_t);
    dst += sizeof(sorted);
  }
}

constexpr Functions<Sort32Record> kFunctions{
    .signature = signature, .pipe = Pipe::kV, .check = check, .footprint = footprint, .run = run};

}  // namespace

extern constinit const Instruction sort32 =
    make_instruction<kFunctions>("sort32", "Sort32", "Sort32", kSort32Support);

}  // namespace vinci::isa
