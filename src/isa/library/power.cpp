// Power, Fmod, Axpy, Xor, ClampMax, ClampMin.
//
// Sources and decisions: docs/spec/power.md.
#include "isa/library/elementwise.h"

namespace vinci::isa {
namespace {

using namespace library;

constexpr float kInf = __builtin_inff();

// e^(b ln |a|), each step in float, with the sign of what is raised.
float power_of(float a, float b) {
  if (b == 0 || a == 1 || (a == -1 && __builtin_fabsf(b) == kInf)) return 1;
  const float whole = __builtin_nearbyintf(b);
  const bool is_integer = b == whole || __builtin_fabsf(b - whole) < 1e-8f;
  if (a < 0 && a != -kInf && !is_integer) return __builtin_nanf("");
  const float size = exp_of(b * ln_of(__builtin_fabsf(a)));
  const bool odd = is_integer && __builtin_fabsf(whole) < 0x1p24f && int64_t(whole) % 2 != 0;
  return a < 0 && odd ? -size : size;
}
// Modulo 2^32. To a negative power: 1 / a^|b|, without what is behind the point.
int32_t power_of(int32_t a, int32_t b) {
  uint32_t result = 1, square = uint32_t(a);
  for (uint32_t rest = b < 0 ? 0 - uint32_t(b) : uint32_t(b); rest != 0; rest /= 2) {
    if (rest % 2 != 0) result *= square;
    square *= square;
  }
  if (b >= 0) return int32_t(result);
  return result == 1 ? 1 : int32_t(result) == -1 ? -1 : 0;
}

struct Power {
  static constexpr unsigned kSources = 2;
  static float number(float a, float b, float) { return power_of(a, b); }
  template <class T>
  static T integer(T a, T b, T) {
    return power_of(a, b);
  }
};
struct PowerOfScalar {  // src ^ scalar
  static float number(float a, float, float b) { return power_of(a, b); }
  template <class T>
  static T integer(T a, T, T b) {
    return power_of(a, b);
  }
};
struct ScalarToPower {  // scalar ^ src
  static float number(float b, float, float a) { return power_of(a, b); }
  template <class T>
  static T integer(T b, T, T a) {
    return power_of(a, b);
  }
};
constexpr Support kPowerTypes[] = {{kMost, vector::kFloatsAndInt32, true, kAscendC}};

// a - trunc(a / b) * b, each step in float.
struct Remainder {
  static constexpr unsigned kSources = 2;
  static float number(float a, float b, float) { return a - __builtin_truncf(a / b) * b; }
};

struct ExclusiveOr {
  static constexpr unsigned kSources = 2;
  template <class T>
  static T integer(T a, T b, T) {
    return T(a ^ b);
  }
};
constexpr Support kXorTypes[] = {{kMost | kArch3002, vector::k16Bits, true, kAscendC}};

struct NoMore {
  template <class V>
  static V steps(const V& x, const V&, const V& most) {
    return min(x, most);
  }
};
struct NoLess {
  template <class V>
  static V steps(const V& x, const V&, const V& least) {
    return max(x, least);
  }
};

// Axpy: dst[i] = scalar * src[i] + dst[i], two roundings; of half sources also in float.
constexpr Signature kAxpyPairs[] = {DType::kHalf, DType::kFloat, {DType::kFloat, DType::kHalf}};
constexpr Support kAxpyTypes[] = {{kMost, kAxpyPairs, true, kAscendC}};

Parts axpy_parts(const Call& call) {
  Parts parts;
  parts.read("src", call.src[0], bytes_of(call.src[0].dtype, call.count));
  parts.read("dst", call.dst[0], bytes_of(call.dst[0].dtype, call.count));
  parts.write("dst", call.dst[0], bytes_of(call.dst[0].dtype, call.count));
  return parts;
}

template <class V, class To, class From>
void add_products(const Call& call, const State& state, Memory& memory) {
  const From* src = data_of<From>(memory, call.src[0]);
  To* dst = data_of<To>(memory, call.dst[0]);
  const V scalar(as_float(from_bits<From>(call.scalar)));
  for (uint64_t i = 0; i < call.count; i += kAtOnce) {
    const auto n = unsigned(std::min<uint64_t>(kAtOnce, call.count - i));
    V x, sum;
    load(src + i, n, x.x);
    load(dst + i, n, sum.x);
    store((x * scalar + sum).x, n, dst + i, saturates(state));
  }
}
void run_axpy(const Call& call, const State& state, Memory& memory) {
  const bool from_half = call.src[0].dtype == DType::kHalf;
  if (call.dst[0].dtype == DType::kHalf) {
    saturates(state) ? add_products<Steps<true, true>, uint16_t, uint16_t>(call, state, memory)
                     : add_products<Steps<true, false>, uint16_t, uint16_t>(call, state, memory);
  } else if (from_half) {
    add_products<FloatSteps, float, uint16_t>(call, state, memory);
  } else {
    add_products<FloatSteps, float, float>(call, state, memory);
  }
}

}  // namespace

extern constinit const Instruction power = elements<Power, kPowerTypes>("power", "Power");
extern constinit const Instruction power_of_scalar =
    elements<PowerOfScalar, kPowerTypes>("power_of_scalar", "Power");
extern constinit const Instruction scalar_to_power =
    elements<ScalarToPower, kPowerTypes>("scalar_to_power", "Power");
extern constinit const Instruction fmod = elements<Remainder>("fmod", "Fmod");
extern constinit const Instruction bitwise_xor =
    elements<ExclusiveOr, kXorTypes>("bitwise_xor", "Xor");
extern constinit const Instruction clamp_max = elements<NoMore>("clamp_max", "ClampMax");
extern constinit const Instruction clamp_min = elements<NoLess>("clamp_min", "ClampMin");
extern constinit const Instruction muls_add =
    function<axpy_parts, run_axpy, check_count>("muls_add", "Axpy", kAxpyTypes);

}  // namespace vinci::isa
