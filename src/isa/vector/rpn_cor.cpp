// rpn_cor: which of 16 region proposals earlier ones suppress, added to RPN_COR_IR. TIK alone has
// it.
//
// Sources and decisions: docs/spec/rpn_cor.md.
#include "isa/family/suppression.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

void check(const SuppressRecord& record, Check& check) {
  check_operand("src0", record.matrix, check);
  check_operand("src1", record.vector, check);
  check.range("repeat_times", record.repeats, 0, 255);
}

void footprint(const SuppressRecord& record, Footprint& footprint) {
  if (record.repeats == 0) return;
  const auto add = [&](const Operand& operand, const char* name, uint16_t stride) {
    footprint.add_blocks(operand, name, Access::kRead, 0, kSixteenBytes, uint64_t(record.repeats),
                         int64_t(stride) * kBlockBytes);
  };
  add(record.matrix, "src0", record.matrix_repeat_stride);
  add(record.vector, "src1", record.vector_repeat_stride);
  add_suppressed(footprint, Access::kRead);
  add_suppressed(footprint, Access::kWrite);
}

void run(const SuppressRecord& record, const State&, Memory& memory) {
  for (uint64_t repeat = 0; repeat < uint64_t(record.repeats); ++repeat) {
    uint16_t rows[kProposalsInRepeat], suppressed[kProposalsInRepeat];
    std::memcpy(rows,
                memory.data(record.matrix) + repeat * record.matrix_repeat_stride * kBlockBytes,
                sizeof(rows));
    std::memcpy(suppressed,
                memory.data(record.vector) + repeat * record.vector_repeat_stride * kBlockBytes,
                sizeof(suppressed));
    for (unsigned i = 0; i < kProposalsInRepeat; ++i) {
      if (suppressed[i] == 0) memory.cells().suppressed |= rows[i];
    }
  }
}

constexpr Functions<SuppressRecord> kFunctions{.signature = suppress_signature,
                                               .pipe = Pipe::kV,
                                               .check = check,
                                               .footprint = footprint,
                                               .run = run};

}  // namespace

extern constinit const Instruction rpn_cor =
    make_instruction<kFunctions>("rpn_cor", "rpn_cor", "rpn_cor", kSuppressSupport);

}  // namespace vinci::isa
