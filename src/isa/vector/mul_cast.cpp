// mul_cast: dst[i] = src0[i] * src1[i], halves to int8 or uint8, rounded twice: the product to
// half, then to an integer.
//
// Sources and decisions: docs/spec/mul_cast.md.
#include "isa/family/then_convert.h"

namespace vinci::isa {
namespace {

using enum DType;
using namespace vinci::vector;

constexpr Signature kBytes[] = {{kInt8, kHalf}, {kUint8, kHalf}};
constexpr Support kSupport[] = {{kArch2002 | kArch2201 | kArch3002, kBytes}};

}  // namespace

extern constinit const Instruction mul_cast =
    converting_instruction<Product, kSupport>("mul_cast", "MulCast");

}  // namespace vinci::isa
