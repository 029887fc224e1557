// Erf, Erfc, Lgamma, Digamma, and Exp with a Taylor series.
//
// Sources and decisions: docs/spec/error_function.md.
#include "isa/library/elementwise.h"
#include "numeric/special.h"

namespace vinci::isa {
namespace {

constexpr float kInf = __builtin_inff();

struct ErrorFunction {
  static float number(float x, float, float) {
    if (x != x) return x;
    const float near = x < -3.92f ? -3.92f : x > 3.92f ? 3.92f : x;
    return float(special::erf(near));
  }
};
struct Complement {
  static float number(float x, float, float) {
    if (x != x) return x;
    const float near = x < -10.0f ? -10.0f : x > 10.0f ? 10.0f : x;
    return float(special::erfc(near));
  }
};
struct LogGamma {
  static float number(float x, float, float) {
    if (x != x) return x;
    return x == kInf || x == -kInf ? kInf : float(special::lgamma(x));
  }
};
struct DiGamma {
  static float number(float x, float, float) {
    if (x != x || x == kInf) return x;
    return x == -kInf ? __builtin_nanf("") : float(special::digamma(x));
  }
};
struct Exponential {
  static float number(float x, float, float) { return exp_of(x); }
};

}  // namespace

extern constinit const Instruction erf = library::elements<ErrorFunction>("erf", "Erf");
extern constinit const Instruction erfc = library::elements<Complement>("erfc", "Erfc");
extern constinit const Instruction lgamma = library::elements<LogGamma>("lgamma", "Lgamma");
extern constinit const Instruction digamma = library::elements<DiGamma>("digamma", "Digamma");
extern constinit const Instruction exp_taylor = library::elements<Exponential>("exp_taylor", "Exp");

}  // namespace vinci::isa
