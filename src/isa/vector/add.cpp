// add: dst[i] = src0[i] + src1[i].
//
// Floats round to nearest even; half saturates where the chip does; integers wrap modulo 2^width.
// Sources and decisions: docs/spec/add.md.
#include "isa/family/vector_binary.h"

namespace vinci::isa {
namespace {

struct Sum {
  template <class T>
  static T apply(T a, T b) {
    return T(a + b);
  }
};

constexpr Signature kClassic[] = {DType::kHalf, DType::kFloat, DType::kInt32};
constexpr Signature kWith16Bit[] = {DType::kHalf, DType::kFloat, DType::kInt16, DType::kInt32};
constexpr Support kSupport[] = {
    {kArch1000 | kArch1001, kClassic},
    {kArch2002 | kArch2002Vector | kArch2201 | kArch3002, kWith16Bit},
};

}  // namespace

extern constinit const Instruction add = vector::binary_instruction<Sum>("add", "Add", kSupport);

}  // namespace vinci::isa
