// compare: bit i of dst is whether src0[i] compares with src1[i] as asked.
//
// Sources and decisions: docs/spec/compare.md.
#include "isa/family/compare.h"

namespace vinci::isa {
namespace {

using enum DType;

constexpr DType kHalves[] = {kHalf};
constexpr DType kFloats[] = {kHalf, kFloat};
constexpr DType kWithInt32[] = {kHalf, kFloat, kInt32};
constexpr DType kWithBytes[] = {kHalf, kFloat, kInt32, kInt8, kUint8};

constexpr auto kOldest = vector::each_with(vector::kBitIntegers, kHalves);
constexpr auto kPlain = vector::each_with(vector::kBitIntegers, kFloats);
constexpr auto kNew = vector::each_with(vector::kBitIntegers, kWithInt32);
constexpr auto kTikOldest = vector::each_with(vector::kBitTensors, kHalves);
constexpr auto kTikPlain = vector::each_with(vector::kBitTensors, kFloats);
constexpr auto kTikNew = vector::each_with(vector::kBitTensors, kWithInt32);
constexpr auto kTik3002 = vector::each_with(vector::kBitTensors, kWithBytes);
constexpr Support kSupport[] = {
    {kArch1000, kOldest, true, kAscendC},
    {kArch1001 | kArch2002 | kArch3002, kPlain, true, kAscendC},
    {kArch2201, kNew, true, kAscendC},
    {kArch1000, kTikOldest, true, kTik},
    {kArch1001 | kArch2002 | kArch2002Vector, kTikPlain, true, kTik},
    {kArch2201, kTikNew, true, kTik},
    {kArch3002, kTik3002, true, kTik},
};

void rules(const CompareRecord& record, Check& check) { vector::check_int32(record, true, check); }

}  // namespace

extern constinit const Instruction compare =
    vector::compare_instruction<rules, kSupport>("compare", "Compare");

}  // namespace vinci::isa
