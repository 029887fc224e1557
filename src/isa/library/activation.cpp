// Sigmoid, Silu, Swish, the Gelu family, SwiGLU, GeGLU, ReGlu: formulas of vector instructions.
//
// Sources and decisions: docs/spec/activation.md.
#include "isa/library/elementwise.h"

namespace vinci::isa {
namespace {

using namespace library;

// size[0] of the Gelu family.
constexpr uint32_t kHighPrecision = 1, kHighPerformance = 2;

struct Logistic {
  template <class V>
  static V steps(const V& x, const V&, const V&) {
    return V(1.0f) / (exp(x * V(-1.0f)) + V(1.0f));
  }
};
struct SigmoidLinear {
  template <class V>
  static V steps(const V& x, const V&, const V&) {
    return x / (exp(x * V(-1.0f)) + V(1.0f));
  }
};
struct Swish {
  template <class V>
  static V steps(const V& x, const V&, const V& beta) {
    return x / (exp(x * (V(-1.0f) * beta)) + V(1.0f));
  }
};

// x / y, or as a product with the reciprocal.
template <bool kReciprocal, class V>
V quotient(const V& x, const V& y) {
  return kReciprocal ? x * (V(1.0f) / y) : x / y;
}

template <bool kReciprocal>
struct Gelu {
  template <class V>
  static V steps(const V& x, const V&, const V&) {
    const V y = (x + x * x * x * V(0.044715f)) * V(1.5957691216f);
    const V q = quotient<kReciprocal>(x, exp(abs(y) * V(-1.0f)) + V(1.0f));
    return q * exp(min(y, V(0.0f)));
  }
};
template <bool kReciprocal>
struct FasterGelu {
  template <class V>
  static V steps(const V& x, const V&, const V&) {
    return quotient<kReciprocal>(x, exp(x * V(-1.702f)) + V(1.0f));
  }
};
template <bool kReciprocal>
struct FasterGeluV2 {
  template <class V>
  static V steps(const V& x, const V&, const V&) {
    const V near = x + V(1e-12f);
    const V sign = quotient<kReciprocal>(near, abs(near));
    const V clipped = min(abs(x * V(0.7071f)), V(1.769f)) - V(1.769f);
    const V y = sign * (clipped * clipped * V(-0.1444f) + V(0.5f)) + V(0.5f);
    return x * y;
  }
};
// The same formula in float, also of halves.
template <class Op>
struct InFloat {
  template <class V>
  static V float_steps(const V& a, const V& b, const V& scalar) {
    return Op::steps(a, b, scalar);
  }
};

template <template <bool> class Op>
void run_gelu(const Call& call, const State& state, Memory& memory) {
  switch (call.size[0]) {
    case kHighPrecision: return run_typed<InFloat<Op<false>>, kFloats>(call, state, memory);
    case kHighPerformance: return run_typed<Op<true>, kFloats>(call, state, memory);
    case kHighPrecision | kHighPerformance:
      return run_typed<InFloat<Op<true>>, kFloats>(call, state, memory);
    default: return run_typed<Op<false>, kFloats>(call, state, memory);
  }
}
template <template <bool> class Op>
constexpr Instruction gelu_instruction(std::string_view mnemonic, std::string_view api) {
  return function<element_parts<Op<false>>, run_gelu<Op>, check_count, Overlaps::kSame>(
      mnemonic, api, kFloats);
}

struct SwishGate {
  static constexpr unsigned kSources = 2;
  static constexpr bool kScalarIsFloat = true;
  template <class V>
  static V float_steps(const V& a, const V& b, const V& beta) {
    return a * (b / (exp(b * (V(-1.0f) * beta)) + V(1.0f)));
  }
};
struct GeluGate {
  static constexpr unsigned kSources = 2;
  template <class V>
  static V float_steps(const V& a, const V& b, const V&) {
    const V y = (b * b + V(22.36386f)) * b * V(-0.0713548163f);
    return b / (exp(y) + V(1.0f)) * a;
  }
};
struct ReluGate {
  static constexpr unsigned kSources = 2;
  template <class V>
  static V float_steps(const V& a, const V& b, const V&) {
    return a * max(b, V(0.0f));
  }
};
constexpr Signature kWithBfloat16[] = {DType::kHalf, DType::kFloat, DType::kBfloat16};
constexpr Support kReluGateTypes[] = {{kArch2201, kWithBfloat16, true, kAscendC},
                                      {kArch2002, vector::kFloats, true, kAscendC}};

}  // namespace

extern constinit const Instruction sigmoid =
    elements<Logistic, kFloatsAnd1001>("sigmoid", "Sigmoid");
extern constinit const Instruction silu = elements<SigmoidLinear>("silu", "Silu");
extern constinit const Instruction swish = elements<Swish>("swish", "Swish");
extern constinit const Instruction gelu = gelu_instruction<Gelu>("gelu", "Gelu");
extern constinit const Instruction faster_gelu =
    gelu_instruction<FasterGelu>("faster_gelu", "FasterGelu");
extern constinit const Instruction faster_gelu_v2 =
    gelu_instruction<FasterGeluV2>("faster_gelu_v2", "FasterGeluV2");
extern constinit const Instruction swi_glu = elements<SwishGate>("swi_glu", "SwiGLU");
extern constinit const Instruction ge_glu = elements<GeluGate>("ge_glu", "GeGLU");
extern constinit const Instruction re_glu = elements<ReluGate, kReluGateTypes>("re_glu", "ReGlu");

}  // namespace vinci::isa
