// The instructions that share the types of Add: half, float, int32, and int16 on newer chips.
#pragma once

#include "isa/family/elementwise.h"
#include "isa/family/operation.h"

namespace vinci::vector {

inline constexpr Signature kClassicNumbers[] = {DType::kHalf, DType::kFloat, DType::kInt32};
inline constexpr Signature kAllNumbers[] = {DType::kHalf, DType::kFloat, DType::kInt16,
                                            DType::kInt32};
inline constexpr Signature kFloats[] = {DType::kHalf, DType::kFloat};

inline constexpr ArchSet kOlder = kArch1000 | kArch1001;
inline constexpr ArchSet kNewer = kArch2002 | kArch2002Vector | kArch2201 | kArch3002;

inline constexpr Support kNumbersEverywhere[] = {{kOlder, kClassicNumbers}, {kNewer, kAllNumbers}};
inline constexpr Support kFloatsEverywhere[] = {{kOlder | kNewer, kFloats}};

// Add, Sub, Mul, Max, Min: two sources, and dst may sum up in src1.
template <class Op>
constexpr Instruction accumulating_instruction(std::string_view mnemonic, std::string_view api) {
  return elementwise_instruction<ElementwiseRecord,
                                 operate<Op, Second::kSource, half, float, int16_t, int32_t>,
                                 no_rules<ElementwiseRecord>, view_of, accumulates_but_int16>(
      mnemonic, api, kNumbersEverywhere);
}

}  // namespace vinci::vector
