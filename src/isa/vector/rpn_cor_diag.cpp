// rpn_cor_diag: which of 16 region proposals are suppressed, by earlier ones as RPN_COR_IR says or
// by one another. TIK alone has it.
//
// Sources and decisions: docs/spec/rpn_cor_diag.md.
#include <fmt/format.h>

#include "isa/family/suppression.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

void check(const SuppressRecord& record, Check& check) {
  check_operand("dst", record.vector, check);
  check_operand("src", record.matrix, check);
  const uint64_t to = record.vector.address, from = record.matrix.address;
  if (check.ok() && overlap(to, to + kSixteenBytes, from, from + kSixteenBytes)) {
    check.fail(Code::kOverlap, "dst and src overlap", "no overlap");
  }
}

void footprint(const SuppressRecord& record, Footprint& footprint) {
  footprint.add_bytes(record.matrix, "src", Access::kRead, 0, kSixteenBytes);
  footprint.add_bytes(record.vector, "dst", Access::kWrite, 0, kSixteenBytes);
  add_suppressed(footprint, Access::kRead);
}

void run(const SuppressRecord& record, const State&, Memory& memory) {
  uint16_t rows[kProposalsInRepeat], vector[kProposalsInRepeat];
  std::memcpy(rows, memory.data(record.matrix), sizeof(rows));
  uint32_t suppressed = memory.cells().suppressed;
  for (unsigned i = 0; i < kProposalsInRepeat; ++i) {
    vector[i] = suppressed >> i & 1;
    if (vector[i] != 0) continue;
    const uint32_t later = ~uint32_t{0} << i << 1;
    suppressed |= rows[i] & later;
  }
  std::memcpy(memory.data(record.vector), vector, sizeof(vector));
}

constexpr Functions<SuppressRecord> kFunctions{.signature = suppress_signature,
                                               .pipe = Pipe::kV,
                                               .check = check,
                                               .footprint = footprint,
                                               .run = run};

}  // namespace

extern constinit const Instruction rpn_cor_diag =
    make_instruction<kFunctions>("rpn_cor_diag", "rpn_cor_diag", "rpn_cor_diag", kSuppressSupport);

}  // namespace vinci::isa
