// Floor, Ceil, Round, Trunc, Frac, Sign: exact.
//
// Sources and decisions: docs/spec/rounding.md.
#include "isa/library/elementwise.h"

namespace vinci::isa {
namespace {

struct Down {
  static float number(float x, float, float) { return __builtin_floorf(x); }
};
struct Up {
  static float number(float x, float, float) { return __builtin_ceilf(x); }
};
struct Nearest {
  static float number(float x, float, float) { return __builtin_nearbyintf(x); }
};
struct TowardsZero {
  static float number(float x, float, float) { return __builtin_truncf(x); }
};
struct Fraction {
  static float number(float x, float, float) { return x - __builtin_truncf(x); }
};
struct SignOf {
  static float number(float x, float, float) { return x > 0 ? 1.0f : x < 0 ? -1.0f : 0.0f; }
};

}  // namespace

extern constinit const Instruction floor =
    library::elements<Down, library::kFloatsAnd3002>("floor", "Floor");
extern constinit const Instruction ceil = library::elements<Up>("ceil", "Ceil");
extern constinit const Instruction round =
    library::elements<Nearest, library::kFloats, library::Overlaps::kSame>("round", "Round");
extern constinit const Instruction trunc =
    library::elements<TowardsZero, library::kFloats, library::Overlaps::kSame>("trunc", "Trunc");
extern constinit const Instruction frac = library::elements<Fraction>("frac", "Frac");
extern constinit const Instruction sign = library::elements<SignOf>("sign", "Sign");

}  // namespace vinci::isa
