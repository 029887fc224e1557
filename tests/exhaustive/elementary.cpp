// Whether exp, ln, sqrt, rsqrt, reciprocal, sin and cos are rounded right for every float and every
// half, and division for every pair of halves; of the 2^64 pairs of floats it takes a sample. What
// other levels of the host compute must have the same bits.
//
// sqrt, rsqrt, reciprocal and division are judged in integers (nearest.h). For the others glibc's
// functions of long double, with 64 digits, decide wherever all within 2^-58 of their value, far
// more than their error, rounds to the same float; MPFR with 200 digits decides the rest, and all
// halves.
#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "exhaustive/elementary/arrays.h"
#include "exhaustive/nearest.h"
#include "exhaustive/sweep.h"
#include "precise.h"

namespace vinci::exhaustive {
namespace {

constexpr size_t kBlock = 1 << 16;
constexpr const char* kNames[kFunctions] = {"exp",        "ln",  "sqrt", "rsqrt",
                                            "reciprocal", "sin", "cos"};

// The first is judged, the others are compared with it.
std::vector<const ElementaryArrays*> levels_of_this_host() {
  std::vector<const ElementaryArrays*> levels;
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (v3) levels.push_back(&elementary_arrays_v3);
  if (v4) levels.push_back(&elementary_arrays_v4);
#endif
  levels.push_back(&elementary_arrays_baseline);
  return levels;
}
const std::vector<const ElementaryArrays*> kLevels = levels_of_this_host();

std::string hexadecimal(uint32_t bits) {
  char text[16];
  std::snprintf(text, sizeof(text), "%08" PRIX32, bits);
  return text;
}

uint32_t bits_of(float value) {
  return value != value ? Float::kNan : std::bit_cast<uint32_t>(value);
}

Precise precise(ElementaryFunction function, float x) {
  static constexpr MpfrFunction kPrecise[kFunctions] = {mpfr_exp, mpfr_log, nullptr, nullptr,
                                                        nullptr,  mpfr_sin, mpfr_cos};
  return Precise(kPrecise[function], x);
}

// Whether `result` is the float nearest to what a function of long double gives.
bool is_nearest(ElementaryFunction function, float x, long double value, uint32_t result) {
  const auto low = float(value * (1 - 0x1p-58L));
  const auto high = float(value * (1 + 0x1p-58L));
  if (bits_of(low) == bits_of(high)) return result == bits_of(low);
  return result == bits_of(precise(function, x).nearest_float());
}

bool is_exp_or_ln(ElementaryFunction function, float x, uint32_t result) {
  // Where the result is known, and glibc slow.
  if (x != x || (function == kLn && x < 0)) return result == Float::kNan;
  if (function == kExp && x > 89) return result == Float::kInfinity;  // above 2^128
  if (function == kExp && x < -104) return result == 0;               // below 2^-150
  // Between 1 - 2^-25 and 1 + 2^-24.
  if (function == kExp && std::fabs(x) < 0x1p-26f) return result == bits_of(1);
  return is_nearest(function, x, function == kExp ? expl(x) : logl(x), result);
}

bool is_sin_or_cos(ElementaryFunction function, float x, uint32_t result) {
  if (!std::isfinite(x)) return result == Float::kNan;
  return is_nearest(function, x, function == kSin ? sinl(x) : cosl(x), result);
}

bool is_right(ElementaryFunction function, float x, float result) {
  const auto from = std::bit_cast<uint32_t>(x), to = std::bit_cast<uint32_t>(result);
  switch (function) {
    case kSqrt: return Float::is_sqrt(from, to);
    case kRsqrt: return Float::is_rsqrt(from, to);
    case kReciprocal: return Float::is_reciprocal(from, to);
    case kSin:
    case kCos: return is_sin_or_cos(function, x, to);
    default: return is_exp_or_ln(function, x, to);
  }
}

bool is_right_half(ElementaryFunction function, uint16_t x, uint16_t result) {
  switch (function) {
    case kSqrt: return Half::is_sqrt(x, result);
    case kRsqrt: return Half::is_rsqrt(x, result);
    case kReciprocal: return Half::is_reciprocal(x, result);
    default: break;
  }
  if (Half::is_nan(x)) return result == Half::kNan;
  const Dyadic value = Half::value_of(Half::magnitude_of(x));
  const float wide = Half::magnitude_of(x) == Half::kInfinity
                         ? __builtin_inff()
                         : std::ldexp(float(uint32_t(value.significand)), value.exponent);
  return result == precise(function, Half::is_negative(x) ? -wide : wide).nearest_half();
}

// What `compute(level, out)` makes of a block of inputs: `judge(i, result)` for the first level,
// the same bits from the others. `inputs(i)` names the inputs of a wrong result.
template <class T, class Compute, class Judge, class Inputs>
Tally judge_block(const Compute& compute, const Judge& judge, const Inputs& inputs) {
  static thread_local std::vector<T> first(kBlock), other(kBlock);
  Tally tally{kBlock, 0, ""};
  const auto note = [&](size_t i, const char* what) {
    if (tally.wrong++ == 0) tally.first_wrong = inputs(i) + " (" + what + ")";
  };
  compute(*kLevels[0], first.data());
  for (size_t i = 0; i < kBlock; ++i) {
    if (!judge(i, first[i])) note(i, "not the nearest");
  }
  for (size_t level = 1; level < kLevels.size(); ++level) {
    compute(*kLevels[level], other.data());
    if (std::memcmp(first.data(), other.data(), kBlock * sizeof(T)) == 0) continue;
    for (size_t i = 0; i < kBlock; ++i) {
      if (std::memcmp(&first[i], &other[i], sizeof(T)) != 0) note(i, "levels differ");
    }
  }
  return tally;
}

// All floats whose upper half is `block`.
Tally judge_floats(ElementaryFunction function, uint64_t block) {
  std::vector<float> in(kBlock);
  for (size_t i = 0; i < kBlock; ++i) in[i] = std::bit_cast<float>(uint32_t(block * kBlock + i));
  return judge_block<float>(
      [&](const ElementaryArrays& arrays, float* out) {
        arrays.of_floats[function](in.data(), out, kBlock);
      },
      [&](size_t i, float result) { return is_right(function, in[i], result); },
      [&](size_t i) { return hexadecimal(std::bit_cast<uint32_t>(in[i])); });
}

Tally judge_halves(ElementaryFunction function) {
  std::vector<uint16_t> in(kBlock);
  for (size_t i = 0; i < kBlock; ++i) in[i] = uint16_t(i);
  return judge_block<uint16_t>(
      [&](const ElementaryArrays& arrays, uint16_t* out) {
        arrays.of_halves[function](in.data(), out, kBlock);
      },
      [&](size_t i, uint16_t result) { return is_right_half(function, in[i], result); },
      [&](size_t i) { return hexadecimal(in[i]); });
}

// The half `a` by all halves.
Tally judge_quotients_of_halves(uint64_t a) {
  const std::vector<uint16_t> over(kBlock, uint16_t(a));
  std::vector<uint16_t> under(kBlock);
  for (size_t i = 0; i < kBlock; ++i) under[i] = uint16_t(i);
  return judge_block<uint16_t>(
      [&](const ElementaryArrays& arrays, uint16_t* out) {
        arrays.quotients_of_halves(over.data(), under.data(), out, kBlock);
      },
      [&](size_t i, uint16_t result) { return Half::is_quotient(over[i], under[i], result); },
      [&](size_t i) { return hexadecimal(over[i]) + " / " + hexadecimal(under[i]); });
}

using Random = std::mt19937_64;

// Two floats, in turn: any bits; a quotient next to the middle of two floats; a quotient that is
// subnormal and often a tie; limits.
void draw_quotient(Random& random, size_t turn, float& a, float& b) {
  static constexpr uint32_t kLimits[] = {0,          1,          2,          0x007FFFFF, 0x00800000,
                                         0x00800001, 0x3F7FFFFF, 0x3F800000, 0x3F800001, 0x7F7FFFFE,
                                         0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000};
  const auto any = [&] { return uint32_t(random()); };
  const auto limit = [&] {
    return kLimits[random() % std::size(kLimits)] | (any() & Float::kSign);
  };
  const auto with_exponent = [&](int least, int most) {
    const uint32_t field = uint32_t(127 + least) + any() % uint32_t(most - least + 1);
    return std::bit_cast<float>((any() & 0x807FFFFF) | field << 23);
  };
  a = std::bit_cast<float>(any());
  b = std::bit_cast<float>(any());
  if (turn % 4 == 1) {
    b = with_exponent(-60, 60);
    const double middle = double(with_exponent(-60, 60)) * (1 + 0x1p-24);
    a = float(middle * double(b));
  } else if (turn % 4 == 2) {
    a = with_exponent(-126, -70);
    b = std::bit_cast<float>(std::bit_cast<uint32_t>(with_exponent(0, 79)) & (0xFF800000 | any()));
    if (turn % 8 == 2) b = std::bit_cast<float>(std::bit_cast<uint32_t>(b) & 0xFF800000);
  } else if (turn % 4 == 3) {
    (turn % 8 == 3 ? a : b) = std::bit_cast<float>(limit());
    if (turn % 16 == 3) b = std::bit_cast<float>(limit());
  }
}

Tally judge_quotients(uint64_t seed) {
  Random random(seed);
  std::vector<float> a(kBlock), b(kBlock);
  for (size_t i = 0; i < kBlock; ++i) draw_quotient(random, i, a[i], b[i]);
  const auto bits = [](float value) { return std::bit_cast<uint32_t>(value); };
  return judge_block<float>(
      [&](const ElementaryArrays& arrays, float* out) {
        arrays.quotients(a.data(), b.data(), out, kBlock);
      },
      [&](size_t i, float result) {
        return Float::is_quotient(bits(a[i]), bits(b[i]), bits(result));
      },
      [&](size_t i) { return hexadecimal(bits(a[i])) + " / " + hexadecimal(bits(b[i])); });
}

bool run(uint64_t seed) {
  constexpr uint64_t kSampleBlocks = 1 << 13;
  std::printf("%zu levels of the host, sample of quotients with seed %" PRIu64 "\n", kLevels.size(),
              seed);
  bool right = true;
  for (int i = 0; i < kFunctions; ++i) {
    const auto function = ElementaryFunction(i);
    const auto halves = [&](uint64_t) { return judge_halves(function); };
    right &= sweep(std::string(kNames[i]) + " half", 1, halves);
  }
  for (int i = 0; i < kFunctions; ++i) {
    const auto function = ElementaryFunction(i);
    const auto floats = [&](uint64_t block) { return judge_floats(function, block); };
    right &= sweep(std::string(kNames[i]) + " float", 1 << 16, floats);
  }
  right &= sweep("a / b half", 1 << 16, judge_quotients_of_halves);
  right &= sweep("a / b float, sampled", kSampleBlocks,
                 [&](uint64_t block) { return judge_quotients(seed * kSampleBlocks + block); });
  return right;
}

}  // namespace
}  // namespace vinci::exhaustive

// The seed of the sample may be given.
int main(int argc, char** argv) {
  const uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::random_device{}();
  return vinci::exhaustive::run(seed) ? 0 : 1;
}
