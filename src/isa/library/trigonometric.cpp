// Sin, Cos, Tan, Sinh, Cosh, Tanh and their inverses.
//
// Sources and decisions: docs/spec/trigonometric.md.
#include "isa/library/elementwise.h"
#include "numeric/special.h"
#include "numeric/trigonometry.h"

namespace vinci::isa {
namespace {

constexpr float kNan = __builtin_nanf("");
constexpr float kInf = __builtin_inff();

bool finite(float x) { return x - x == 0; }

struct Sine {
  static float number(float x, float, float) { return sin_of(x); }
};
struct Cosine {
  static float number(float x, float, float) { return cos_of(x); }
};
struct Tangent {
  static float number(float x, float, float) {
    return __builtin_fabsf(x) < 0x1p17f ? float(special::tan(x)) : kNan;
  }
};
struct ArcSine {
  static float number(float x, float, float) {
    return __builtin_fabsf(x) <= 1 ? float(special::asin(x)) : kNan;
  }
};
struct ArcCosine {
  static float number(float x, float, float) {
    if (!(__builtin_fabsf(x) <= 1)) return kNan;
    return x == -1 ? float(special::kPi) : float(special::acos(x));
  }
};
struct ArcTangent {
  static float number(float x, float, float) { return x != x ? x : float(special::atan(x)); }
};
struct HyperbolicSine {
  static float number(float x, float, float) {
    const double m = special::expm1(__builtin_fabsf(x));
    const double y = m < 1e300 ? 0.5 * (m + m / (m + 1)) : m;
    return __builtin_copysignf(float(y), x);
  }
};
struct HyperbolicCosine {
  static float number(float x, float, float) {
    const double e = special::exp(__builtin_fabsf(x));
    return float(0.5 * (e + 1 / e));
  }
};
// x clipped to 8.8; e = e^(2x); (e - 1) / (e + 1)
struct HyperbolicTangent {
  template <class V>
  static V float_steps(const V& x, const V&, const V&) {
    const V e = exp(max(min(x, V(8.8f)), V(-8.8f)) * V(2.0f));
    return (e - V(1.0f)) / (e + V(1.0f));
  }
};
struct AreaSine {
  static float number(float x, float, float) {
    if (!finite(x) || x == 0) return x;
    const double a = __builtin_fabsf(x);
    const double y = special::ln1p(a + a * a / (1 + __builtin_sqrt(a * a + 1)));
    return __builtin_copysignf(float(y), x);
  }
};
struct AreaCosine {
  static float number(float x, float, float) {
    if (!(x >= 1)) return kNan;
    if (x == kInf) return x;
    const double t = double(x) - 1;
    return float(special::ln1p(t + __builtin_sqrt(t * (t + 2))));
  }
};
struct AreaTangent {
  static float number(float x, float, float) {
    const double a = __builtin_fabsf(x);
    if (!(a <= 1)) return kNan;
    if (a == 1) return __builtin_copysignf(kInf, x);
    return __builtin_copysignf(float(0.5 * special::ln1p(2 * a / (1 - a))), x);
  }
};

}  // namespace

extern constinit const Instruction sine = library::elements<Sine>("sine", "Sin");
extern constinit const Instruction cosine = library::elements<Cosine>("cosine", "Cos");
extern constinit const Instruction tan = library::elements<Tangent>("tan", "Tan");
extern constinit const Instruction asin = library::elements<ArcSine>("asin", "Asin");
extern constinit const Instruction acos = library::elements<ArcCosine>("acos", "Acos");
extern constinit const Instruction atan = library::elements<ArcTangent>("atan", "Atan");
extern constinit const Instruction sinh = library::elements<HyperbolicSine>("sinh", "Sinh");
extern constinit const Instruction cosh = library::elements<HyperbolicCosine>("cosh", "Cosh");
extern constinit const Instruction tanh = library::elements<HyperbolicTangent>("tanh", "Tanh");
extern constinit const Instruction asinh = library::elements<AreaSine>("asinh", "Asinh");
extern constinit const Instruction acosh = library::elements<AreaCosine>("acosh", "Acosh");
extern constinit const Instruction atanh = library::elements<AreaTangent>("atanh", "Atanh");

}  // namespace vinci::isa
