// compare_scalar: bit i of dst is whether src[i] compares with the scalar as asked.
//
// Sources and decisions: docs/spec/compare_scalar.md.
#include "isa/family/compare.h"

namespace vinci::isa {
namespace {

using enum DType;

constexpr DType kFloats[] = {kHalf, kFloat};
constexpr DType kWithInt32[] = {kHalf, kFloat, kInt32};
constexpr DType kNumbers[] = {kHalf, kFloat, kInt16, kUint16, kInt32, kUint32};
constexpr DType kTikNumbers[] = {kHalf, kFloat, kInt8, kUint8};

constexpr auto kPlain = vector::each_with(vector::kBitIntegers, kFloats);
constexpr auto kNew = vector::each_with(vector::kBitIntegers, kWithInt32);
constexpr auto k3002 = vector::each_with(vector::kBitIntegers, kNumbers);
constexpr auto kTikPlain = vector::each_with(vector::kBitTensors, kFloats);
constexpr auto kTik3002 = vector::each_with(vector::kBitTensors, kTikNumbers);
constexpr Support kSupport[] = {
    {kArch2002, kPlain, true, kAscendC},
    {kArch2201, kNew, true, kAscendC},
    {kArch3002, k3002, true, kAscendC},
    {kArch2002 | kArch2002Vector | kArch2201, kTikPlain, true, kTik},
    {kArch3002, kTik3002, true, kTik},
};

void rules(const CompareRecord& record, Check& check) {
  vector::check_int32(record, !check.soc().has(Feature::kCompareMask), check);
}

}  // namespace

extern constinit const Instruction compare_scalar =
    vector::compare_instruction<rules, kSupport>("compare_scalar", "CompareScalar");

}  // namespace vinci::isa
