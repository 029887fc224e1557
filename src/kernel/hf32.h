// HF32: a float with 11 of its 23 fraction bits. Sign, exponent, infinities and subnormals are
// those of binary32.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vinci {

// The bits of floats, rounded to nearest; ties go to the even neighbour, or away from 0. Past the
// largest HF32 lies infinity. NaN stays as it is.
inline void round_to_hf32(const uint32_t* in, uint32_t* out, size_t count, bool ties_away) {
  constexpr unsigned kDropped = 12;
  constexpr uint32_t kHalf = 1u << (kDropped - 1);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t odd = ties_away ? 1 : in[i] >> kDropped & 1;
    const uint32_t rounded = (in[i] + kHalf - 1 + odd) >> kDropped << kDropped;
    const bool nan = (in[i] & 0x7FFFFFFF) > 0x7F800000;
    out[i] = nan ? in[i] : rounded;
  }
}

}  // namespace vinci
