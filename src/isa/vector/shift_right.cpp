// shift_right: dst[i] = src[i] >> scalar; signed numbers keep their sign and can be rounded.
//
// Sources and decisions: docs/spec/shift_right.md.
#include "isa/family/shift.h"

namespace vinci::isa {
namespace {

using namespace vinci::vector;

// In 64 bits, because the amount may be the number of bits.
struct Right {
  template <class T>
  static T apply(T x, T amount) {
    return T(int64_t(x) >> amount);
  }
};

// Adds the last bit that was shifted out: one bit more is kept, and its half added.
struct RoundedRight {
  template <class T>
  static T apply(T x, T amount) {
    return T(((2 * int64_t(x) >> amount) + 1) >> 1);
  }
};

void compute(const ShiftRecord& record, const State& state, const LaneRows& rows) {
  if (record.round && is_signed(record)) {
    operate<RoundedRight, Second::kScalar, kShiftSupport>(record, state, rows);
  } else {
    operate<Right, Second::kScalar, kShiftSupport>(record, state, rows);
  }
}

void check(const ShiftRecord& record, Check& check) {
  check_shift(record, check);
  if (check.ok() && record.round && !is_signed(record)) {
    check.warn(Code::kNoEffect, "roundEn has no effect on unsigned numbers", "roundEn = false");
  }
}

}  // namespace

extern constinit const Instruction shift_right =
    elementwise_instruction<ShiftRecord, 1, compute, check>("shift_right", "ShiftRight",
                                                            kShiftSupport);

}  // namespace vinci::isa
