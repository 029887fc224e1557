// Log, Log2, Log10: the instruction Ln, and its product with a constant.
//
// Sources and decisions: docs/spec/logarithm.md.
#include "isa/library/elementwise.h"

namespace vinci::isa {
namespace {

struct Natural {
  template <class V>
  static V steps(const V& x, const V&, const V&) {
    return ln(x);
  }
};
struct OfTwo {
  template <class V>
  static V float_steps(const V& x, const V&, const V&) {
    return ln(x) * V(1.442695041f);
  }
};
struct OfTen {
  template <class V>
  static V steps(const V& x, const V&, const V&) {
    return ln(x) * V(0.4342944819f);
  }
};

}  // namespace

extern constinit const Instruction log = library::elements<Natural>("log", "Log");
extern constinit const Instruction log2 = library::elements<OfTwo>("log2", "Log2");
extern constinit const Instruction log10 = library::elements<OfTen>("log10", "Log10");

}  // namespace vinci::isa
