// shift_left: dst[i] = src[i] << scalar, zeros from the right; signed numbers keep their sign.
//
// Sources and decisions: docs/spec/shift_left.md.
#include "isa/family/shift.h"

namespace vinci::isa {
namespace {

struct Left {
  // The amount is at most the number of bits, so 64 bits hold what leaves a number.
  template <class T>
  static T apply(T x, T amount) {
    using Bits = std::make_unsigned_t<T>;
    constexpr Bits kSign = Bits(std::is_signed_v<T> ? std::numeric_limits<T>::min() : 0);
    const Bits moved = Bits(uint64_t(Bits(x)) << amount);
    return T((Bits(x) & kSign) | (moved & Bits(~kSign)));
  }
};

}  // namespace

extern constinit const Instruction shift_left =
    vector::scalar_instruction<Left, vector::kShiftSupport, vector::check_shift>("shift_left",
                                                                                 "ShiftLeft");

}  // namespace vinci::isa
