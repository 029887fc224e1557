// mul_add_dst: dst[i] = dst[i] + src0[i] * src1[i], rounded twice: the product, then the sum.
//
// halves go into half or float. Sources and decisions: docs/spec/mul_add_dst.md.
#include "isa/family/multiply_add.h"

namespace vinci::isa {
namespace {

using enum DType;
using namespace vinci::vector;

constexpr Signature k3002AscendC[] = {kHalf,   kFloat, {kFloat, kHalf}, kInt16,
                                      kUint16, kInt32, kUint32};
constexpr Support kSupport[] = {
    {kArch2002 | kArch2002Vector | kArch2201, kMixed},
    {kArch3002, k3002AscendC, true, kAscendC},
    {kOlder, kMixed, true, kTik},
    {kArch3002, kFloats, true, kTik},
};

}  // namespace

extern constinit const Instruction mul_add_dst =
    multiply_add_instruction<Roles{.factor = 1, .addend = 2}, kSupport>("mul_add_dst", "MulAddDst");

}  // namespace vinci::isa
