// cast: dst[i] = src[i] in another type, rounded by a mode.
//
// int32 to half multiplies with the scale of SetDeqScale where the chip has one. Sources and
// decisions: docs/spec/cast.md; the numbers: docs/spec/conversion.md.
#include "isa/family/conversion.h"
#include "isa/family/deq_scale.h"

namespace vinci::isa {
namespace {

using enum DType;
using namespace vinci::vector::round_sets;

constexpr uint16_t kHalfOne = 0x3C00;
constexpr RoundSet kAny = kN | kFive | kOdd;

// dst, src, and the round modes that the chip has for them.
constexpr Signature k1000[] = {
    {kFloat, kHalf, kN}, {kInt32, kHalf, kThree}, {kInt8, kHalf, kN},  {kUint8, kHalf, kN},
    {kHalf, kFloat, kN}, {kHalf, kInt8, kN},      {kHalf, kUint8, kN}, {kHalf, kInt32, kN},
};
constexpr Signature k1001[] = {
    {kFloat, kHalf, kN},
    {kInt32, kHalf, kFive},
    {kInt8, kHalf, kN | kFiveButRint},
    {kUint8, kHalf, kN | kFiveButRint},
    {kHalf, kFloat, kN | kOdd},
    {kInt32, kFloat, kFive},
    {kHalf, kInt8, kN},
    {kHalf, kUint8, kN},
    {kFloat, kInt32, kN},
    {kHalf, kInt32, kAny},
};
constexpr Signature k2002[] = {
    {kFloat, kHalf, kN},
    {kInt32, kHalf, kFive},
    {kInt16, kHalf, kR},
    {kInt8, kHalf, kN | kFiveButRint},
    {kUint8, kHalf, kN | kFiveButRint},
    {kInt4, kHalf, kN},
    {kHalf, kFloat, kN | kOdd},
    {kInt32, kFloat, kFive},
    {kHalf, kInt8, kN},
    {kHalf, kUint8, kN},
    {kHalf, kInt16, kN},
    {kFloat, kInt32, kN},
    {kHalf, kInt32, kAny},
    {kInt16, kInt32, kN},
};
constexpr Signature k2201[] = {
    {kFloat, kHalf, kN},         {kInt32, kHalf, kFive},      {kInt16, kHalf, kFive},
    {kInt8, kHalf, kN | kFive},  {kUint8, kHalf, kN | kFive}, {kInt4, kHalf, kN | kFive},
    {kHalf, kInt4, kN},          {kHalf, kFloat, kAny},       {kInt32, kFloat, kFive},
    {kInt16, kFloat, kFive},     {kFloat, kFloat, kFive},     {kBfloat16, kFloat, kFive},
    {kInt64, kFloat, kFive},     {kHalf, kInt8, kN},          {kHalf, kUint8, kN},
    {kHalf, kInt16, kN | kFive}, {kFloat, kInt16, kN},        {kFloat, kInt32, kN | kFive},
    {kHalf, kInt32, kAny},       {kInt16, kInt32, kN},        {kInt64, kInt32, kN},
    {kInt32, kInt64, kN},        {kFloat, kInt64, kFive},     {kFloat, kBfloat16, kN},
    {kInt32, kBfloat16, kFive},
};
// As 2201, without int4, and int32 to half without a scale.
constexpr Signature k3002[] = {
    {kFloat, kHalf, kN},          {kInt32, kHalf, kFive},      {kInt16, kHalf, kFive},
    {kInt8, kHalf, kN | kFive},   {kUint8, kHalf, kN | kFive}, {kHalf, kFloat, kAny},
    {kInt32, kFloat, kFive},      {kInt16, kFloat, kFive},     {kFloat, kFloat, kFive},
    {kBfloat16, kFloat, kFive},   {kInt64, kFloat, kFive},     {kHalf, kInt8, kN},
    {kHalf, kUint8, kN},          {kHalf, kInt16, kN | kFive}, {kFloat, kInt16, kN},
    {kFloat, kInt32, kN | kFive}, {kHalf, kInt32, kN},         {kInt16, kInt32, kN},
    {kInt64, kInt32, kN},         {kInt32, kInt64, kN},        {kFloat, kInt64, kFive},
    {kFloat, kBfloat16, kN},      {kInt32, kBfloat16, kFive},
};
constexpr Support kSupport[] = {{kArch1000, k1000},
                                {kArch1001, k1001},
                                {kArch2002, k2002},
                                {kArch2201, k2201},
                                {kArch3002, k3002}};

void check(const CastRecord& record, Check& check) {
  if (vector::is_int32_to_half(record) && check.soc().has(Feature::kDeqScale)) {
    vector::check_half_scale(check);
  }
}

void compute(const CastRecord& record, const State& state, const vector::LaneRows& rows) {
  if (!vector::is_int32_to_half(record)) return vector::convert_rows(record, state, rows);
  const bool scaled = state.soc.has(Feature::kDeqScale);
  vector::scale_to_half(scaled ? uint16_t(state.registers.deq_scale.word) : kHalfOne, state, rows);
}

}  // namespace

extern constinit const Instruction cast =
    vector::conversion_instruction<compute, check, kSupport>("cast", "Cast");

}  // namespace vinci::isa
