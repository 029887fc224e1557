// The elementary functions as instructions call them, compiled for one level of the host.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vinci::exhaustive {

enum ElementaryFunction { kExp, kLn, kSqrt, kRsqrt, kReciprocal, kSin, kCos, kFunctions };

struct ElementaryArrays {
  void (*of_floats[kFunctions])(const float* in, float* out, size_t count);
  void (*of_halves[kFunctions])(const uint16_t* in, uint16_t* out, size_t count);
  void (*quotients)(const float* a, const float* b, float* out, size_t count);
  void (*quotients_of_halves)(const uint16_t* a, const uint16_t* b, uint16_t* out, size_t count);
};

extern "C" {
extern const ElementaryArrays elementary_arrays_baseline;
extern const ElementaryArrays elementary_arrays_v3;
extern const ElementaryArrays elementary_arrays_v4;
}

}  // namespace vinci::exhaustive
