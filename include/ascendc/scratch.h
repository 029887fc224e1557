// How much scratch memory the library's functions need: one line for each. Kernels check their
// sharedTmpBuffer with it, host programs ask GetXMaxMinTmpSize and GetXTmpBufferFactorSize.
#pragma once

#include <algorithm>
#include <cstdint>

namespace AscendC::in_api {

// The scratch memory is so many times the data of one step, and `extra` bytes; a step has 256 bytes
// at least.
struct Scratch {
  uint32_t factor = 0, extra = 0;

  constexpr uint64_t least() const { return uint64_t(factor) * 256 + extra; }
  constexpr uint64_t most(uint64_t bytes) const {
    return uint64_t(factor) * std::max<uint64_t>(bytes, 256) + extra;
  }
};

}  // namespace AscendC::in_api

// Line(name, factor for 2-byte types, factor for 4-byte types, extra bytes)
#define VINCI_SCRATCH_OF_ELEMENTS(Line)                                                          \
  Line(Acos, 6, 2, 0) Line(Acosh, 2, 1, 0) Line(Asin, 6, 2, 0) Line(Asinh, 3, 3, 0)              \
      Line(Atan, 12, 5, 0) Line(Atanh, 4, 1, 0) Line(Axpy, 4, 1, 0) Line(Ceil, 2, 1, 0)          \
          Line(ClampMax, 1, 1, 0) Line(ClampMin, 1, 1, 0) Line(Cos, 8, 3, 0) Line(Cosh, 6, 2, 0) \
              Line(Digamma, 16, 7, 0) Line(Erf, 8, 3, 0) Line(Erfc, 16, 7, 0) Line(Exp, 8, 3, 0) \
                  Line(Floor, 2, 0, 0) Line(Fmod, 6, 0, 0) Line(Frac, 4, 0, 0)                   \
                      Line(GeGLU, 4, 0, 0) Line(Lgamma, 26, 8, 0) Line(Log, 0, 0, 0)             \
                          Line(Log2, 2, 0, 0) Line(Log10, 0, 0, 0) Line(Power, 14, 6, 256)       \
                              Line(ReGlu, 6, 0, 0) Line(Round, 1, 1, 0) Line(Sigmoid, 1, 1, 0)   \
                                  Line(Sign, 3, 3, 0) Line(Sin, 8, 3, 0) Line(Sinh, 4, 1, 0)     \
                                      Line(SwiGLU, 6, 0, 0) Line(Tan, 10, 4, 0)                  \
                                          Line(Tanh, 4, 1, 0) Line(Trunc, 2, 1, 0)               \
                                              Line(Xor, 1, 1, 0)

#define VINCI_SCRATCH(Name, halves, floats, more)                 \
  namespace AscendC::in_api {                                     \
  constexpr Scratch scratch_of_##Name(uint32_t element_bytes) {   \
    return {element_bytes == 2 ? halves##u : floats##u, more##u}; \
  }                                                               \
  }
VINCI_SCRATCH_OF_ELEMENTS(VINCI_SCRATCH)
#undef VINCI_SCRATCH
