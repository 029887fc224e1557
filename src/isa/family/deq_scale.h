// int32 to half with a scale, as Cast and CastDequant do it.
#pragma once

#include "isa/family/walk.h"
#include "kernel/dequantize.h"

namespace vinci::vector {

// The register holds a half, not what SetDeqScale wrote for int16 to 8 bits.
inline void check_half_scale(Check& check) {
  if (check.registers().deq_scale.is_half) return;
  check.fail(Code::kCombination, "int32 to half after SetDeqScale for int16 to 8 bits",
             "SetDeqScale with a half");
}

// `halves`: how a product becomes a half, see kernel/dequantize.h.
inline void scale_to_half(uint16_t scale_bits, const State& state, const LaneRows& rows,
                          decltype(halves_of_scaled)* halves = halves_of_scaled) {
  rows.for_each([&](const LaneArrays& arrays) {
    halves(reinterpret_cast<const int32_t*>(arrays.src[0]), scale_bits,
           reinterpret_cast<uint16_t*>(arrays.dst), arrays.count,
           state.registers.overflow.floats_saturate);
  });
}

}  // namespace vinci::vector
