// vec_conv: TIK's conversion, dst[i] = src[i] in another type, rounded by a mode.
//
// int32 to half multiplies with the scale of set_deq_scale; int16 to 8 bits with a scale is
// cast_dequant. Sources and decisions: docs/spec/vec_conv.md; the numbers: docs/spec/conversion.md.
#include "isa/family/conversion.h"
#include "isa/family/deq_scale.h"

namespace vinci::isa {
namespace {

using enum DType;
using namespace vinci::vector::round_sets;

// dst, src, and the round modes that the chip has for them.
constexpr Signature kEverywhere[] = {
    {kFloat, kHalf, kN}, {kHalf, kInt8, kN}, {kHalf, kUint8, kN}, {kHalf, kInt32, kN}};
constexpr Signature k1000[] = {
    {kInt32, kHalf, kThree}, {kInt8, kHalf, kN}, {kUint8, kHalf, kN}, {kHalf, kFloat, kN}};
constexpr Signature k1001[] = {{kInt32, kHalf, kFive},
                               {kInt8, kHalf, kN | kFiveButRint},
                               {kUint8, kHalf, kN | kFiveButRint},
                               {kHalf, kFloat, kN | kOdd},
                               {kInt32, kFloat, kFive},
                               {kFloat, kInt32, kN}};
constexpr Signature k2002[] = {{kInt16, kHalf, kR}, {kHalf, kInt16, kN}};
constexpr Signature k2002Vector[] = {{kInt16, kFloat, kR | set_of(Round::kTrunc)},
                                     {kFloat, kInt16, kN}};
constexpr Signature kNewest[] = {{kFloat, kFloat, kFive},      {kHalf, kFloat, kN | kFive | kOdd},
                                 {kInt64, kFloat, kFive},      {kInt32, kFloat, kFive},
                                 {kInt16, kFloat, kFive},      {kBfloat16, kFloat, kFive},
                                 {kInt32, kHalf, kFive},       {kInt16, kHalf, kFive},
                                 {kInt8, kHalf, kN | kFive},   {kUint8, kHalf, kN | kFive},
                                 {kHalf, kInt16, kN | kFive},  {kFloat, kInt16, kN},
                                 {kFloat, kInt32, kN | kFive}, {kInt64, kInt32, kN},
                                 {kInt16, kInt32, kN},         {kInt32, kInt64, kN},
                                 {kFloat, kInt64, kFive},      {kFloat, kBfloat16, kN},
                                 {kInt32, kBfloat16, kFive}};
constexpr Signature k3002[] = {{kUint8, kInt16, kN}};

constexpr Support kSupport[] = {
    {kArch1000 | kArch1001 | kArch2002 | kArch2002Vector | kArch2201 | kArch3002, kEverywhere, true,
     kTik},
    {kArch1000, k1000, true, kTik},
    {kArch1001 | kArch2002 | kArch2002Vector, k1001, true, kTik},
    {kArch2002 | kArch2002Vector, k2002, true, kTik},
    {kArch2002Vector, k2002Vector, true, kTik},
    {kArch2201 | kArch3002, kNewest, true, kTik},
    {kArch3002, k3002, true, kTik},
};

void check(const CastRecord& record, Check& check) {
  if (vector::is_int32_to_half(record)) vector::check_half_scale(check);
}

void compute(const CastRecord& record, const State& state, const vector::LaneRows& rows) {
  if (!vector::is_int32_to_half(record)) return vector::convert_rows(record, state, rows);
  vector::scale_to_half(uint16_t(state.registers.deq_scale.word), state, rows,
                        record.product_in_float ? halves_of_scaled : halves_of_products);
}

}  // namespace

extern constinit const Instruction vec_conv =
    vector::conversion_instruction<compute, check, kSupport>("vec_conv", "vec_conv");

}  // namespace vinci::isa
