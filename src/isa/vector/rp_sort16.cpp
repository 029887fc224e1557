// rp_sort16: the 16 region proposals of each repeat, sorted by their scores.
//
// Sources and decisions: docs/spec/rp_sort16.md.
#include "isa/family/sort.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

unsigned proposal_bytes(const ProposalRecord& record) {
  return kProposalElements * bits_of(record.dst.dtype) / 8;
}
unsigned repeat_bytes(const ProposalRecord& record) {
  return kProposalsInRepeat * proposal_bytes(record);
}

void check(const ProposalRecord& record, Check& check) {
  check_operand("dst", record.dst, check);
  check_operand("src", record.src, check);
  check.range("repeatTime", record.repeats, 0, 255);
  check_repeats({"dst", &record.dst, repeat_bytes(record)},
                {"src", &record.src, repeat_bytes(record)}, record.repeats, check);
}

void footprint(const ProposalRecord& record, Footprint& footprint) {
  const uint64_t bytes = uint64_t(record.repeats) * repeat_bytes(record);
  footprint.add_bytes(record.src, "src", Access::kRead, 0, bytes);
  footprint.add_bytes(record.dst, "dst", Access::kWrite, 0, bytes);
}

void run(const ProposalRecord& record, const State&, Memory& memory) {
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  const unsigned proposal = proposal_bytes(record);
  const unsigned score = kScoreField * proposal / kProposalElements;
  for (int32_t repeat = 0; repeat < record.repeats; ++repeat) {
    uint8_t numbers[kProposalsInRepeat];
    uint8_t sorted[kProposalsInRepeat * kProposalElements * sizeof(float)];
    sort_scores(src + score, record.src.dtype, proposal, kProposalsInRepeat, numbers);
    for (unsigned i = 0; i < kProposalsInRepeat; ++i) {
      std::memcpy(sorted + i * proposal, src + numbers[i] * proposal, proposal);
    }
    std::memcpy(dst, sorted, repeat_bytes(record));
    src += repeat_bytes(record);
    dst += repeat_bytes(record);
  }
}

constexpr Functions<ProposalRecord> kFunctions{.signature = proposal_signature<ProposalRecord>,
                                               .pipe = Pipe::kV,
                                               .check = check,
                                               .footprint = footprint,
                                               .run = run};

}  // namespace

extern constinit const Instruction rp_sort16 =
    make_instruction<kFunctions>("rp_sort16", "RpSort16", "RpSort16", kProposalSupport);

}  // namespace vinci::isa
