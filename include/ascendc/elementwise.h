// The library's functions that work element by element: Sigmoid, Tanh, Power, ... Each in up to
// four forms: with or without scratch memory of the caller's, for so many elements or for all of
// src.
#pragma once

#include "ascendc/function_config.h"
#include "ascendc/scratch.h"
#include "ascendc/vector.h"
#include "vinci/record/library.h"

namespace vinci::isa {
// dst[i] = op(src[i])
extern const Instruction acos, acosh, asin, asinh, atan, atanh, ceil, cosh, cosine, digamma, erf;
extern const Instruction erfc, exp_taylor, faster_gelu, faster_gelu_v2, floor, frac, gelu, lgamma;
extern const Instruction log, log10, log2, round, sigmoid, sign, silu, sine, sinh, tan, tanh, trunc;
// dst[i] = op(src0[i], src1[i])
extern const Instruction bitwise_xor, fmod, ge_glu, power, re_glu, swi_glu;
// dst[i] = op(src[i], scalar)
extern const Instruction clamp_max, clamp_min, muls_add, power_of_scalar, scalar_to_power, swish;
}  // namespace vinci::isa

namespace AscendC {

namespace in_api {

// A call of a function on `count` elements of dst and its sources.
template <class T, class... Sources>
vinci::LibraryRecord element_record(const vinci::Instruction& instruction, uint32_t count,
                                    const LocalTensor<T>& dst, const Sources&... sources) {
  vinci::LibraryRecord record;
  record.instruction = &instruction;
  record.count = count;
  record.dst[0] = dst.operand();
  int next = 0;
  ((record.src[next++] = sources.operand()), ...);
  return record;
}
inline vinci::LibraryRecord with_scratch(vinci::LibraryRecord record,
                                         const LocalTensor<uint8_t>& scratch, uint64_t bytes) {
  record.tmp = scratch.operand();
  record.tmp_bytes = bytes;
  return record;
}
template <class S>
vinci::LibraryRecord with_scalar(vinci::LibraryRecord record, const S& scalar) {
  record.scalar = scalar_bits(scalar);
  return record;
}
// With sources, a bit for each, that the call uses up.
inline vinci::LibraryRecord using_up(vinci::LibraryRecord record, uint32_t sources) {
  record.used_up = sources;
  return record;
}
// Functions that isReuseSource has an effect on, where they are computed in float.
constexpr bool reuses_source(const char* name) {
  for (const char* one : {"Sin", "Cos", "Digamma", "Lgamma"}) {
    if (__builtin_strcmp(name, one) == 0) return true;
  }
  return false;
}
inline vinci::LibraryRecord with_size(vinci::LibraryRecord record, uint32_t size) {
  record.size[0] = size;
  return record;
}

}  // namespace in_api

// Twice what `function`, a macro of a parameter and an expression, declares: with scratch memory of
// the caller's, and without (a null pointer).
#define VINCI_BOTH_SCRATCHES(function)                                                \
  function(const LocalTensor<uint8_t>& sharedTmpBuffer VINCI_COMMA, &sharedTmpBuffer) \
      function(, nullptr)
#define VINCI_COMMA ,

// Parameters, in parentheses, come after dst; `first` is the source whose size counts.
#define VINCI_USING_UP(Name, made) \
  in_api::using_up(made, isReuseSource && sizeof(T) == 4 && in_api::reuses_source(#Name))
#define VINCI_ELEMENTS(Name, parameters, first, made)                                    \
  template <class T, bool isReuseSource = false, const auto&... config>                  \
  void Name(const LocalTensor<T>& dst, VINCI_LIST parameters,                            \
            const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {      \
    vinci::issue(in_api::with_scratch(VINCI_USING_UP(Name, made), sharedTmpBuffer,       \
                                      in_api::scratch_of_##Name(sizeof(T)).least()));    \
  }                                                                                      \
  template <class T, bool isReuseSource = false, const auto&... config>                  \
  void Name(const LocalTensor<T>& dst, VINCI_LIST parameters,                            \
            const LocalTensor<uint8_t>& sharedTmpBuffer) {                               \
    const uint32_t calCount = first.GetSize();                                           \
    vinci::issue(in_api::with_scratch(VINCI_USING_UP(Name, made), sharedTmpBuffer,       \
                                      in_api::scratch_of_##Name(sizeof(T)).least()));    \
  }                                                                                      \
  template <class T, bool isReuseSource = false, const auto&... config>                  \
  void Name(const LocalTensor<T>& dst, VINCI_LIST parameters, const uint32_t calCount) { \
    vinci::issue(VINCI_USING_UP(Name, made));                                            \
  }                                                                                      \
  template <class T, bool isReuseSource = false, const auto&... config>                  \
  void Name(const LocalTensor<T>& dst, VINCI_LIST parameters) {                          \
    const uint32_t calCount = first.GetSize();                                           \
    vinci::issue(VINCI_USING_UP(Name, made));                                            \
  }
#define VINCI_LIST(...) __VA_ARGS__

#define VINCI_OF_ONE(Name, instruction)                  \
  VINCI_ELEMENTS(Name, (const LocalTensor<T>& src), src, \
                 in_api::element_record(vinci::isa::instruction, calCount, dst, src))
#define VINCI_OF_TWO(Name, instruction)                                                \
  VINCI_ELEMENTS(Name, (const LocalTensor<T>& src0, const LocalTensor<T>& src1), src0, \
                 in_api::element_record(vinci::isa::instruction, calCount, dst, src0, src1))

VINCI_OF_ONE(Acos, acos)
VINCI_OF_ONE(Acosh, acosh)
VINCI_OF_ONE(Asin, asin)
VINCI_OF_ONE(Asinh, asinh)
VINCI_OF_ONE(Atan, atan)
VINCI_OF_ONE(Atanh, atanh)
VINCI_OF_ONE(Ceil, ceil)
VINCI_OF_ONE(Cos, cosine)
VINCI_OF_ONE(Cosh, cosh)
VINCI_OF_ONE(Digamma, digamma)
VINCI_OF_ONE(Erf, erf)
VINCI_OF_ONE(Erfc, erfc)
VINCI_OF_ONE(Floor, floor)
VINCI_OF_ONE(Frac, frac)
VINCI_OF_ONE(Lgamma, lgamma)
VINCI_OF_ONE(Log, log)
VINCI_OF_ONE(Log10, log10)
VINCI_OF_ONE(Log2, log2)
VINCI_OF_ONE(Round, round)
VINCI_OF_ONE(Sigmoid, sigmoid)
VINCI_OF_ONE(Sign, sign)
VINCI_OF_ONE(Sin, sine)
VINCI_OF_ONE(Sinh, sinh)
VINCI_OF_ONE(Tan, tan)
VINCI_OF_ONE(Tanh, tanh)
VINCI_OF_ONE(Trunc, trunc)

VINCI_OF_TWO(Fmod, fmod)
VINCI_OF_TWO(GeGLU, ge_glu)
VINCI_OF_TWO(Power, power)
VINCI_OF_TWO(ReGlu, re_glu)
VINCI_OF_TWO(Xor, bitwise_xor)

// The scalar is the exponent, or what is raised.
VINCI_ELEMENTS(Power, (const LocalTensor<T>& src0, const in_api::as_is<T>& src1), src0,
               in_api::with_scalar(in_api::element_record(vinci::isa::power_of_scalar, calCount,
                                                          dst, src0),
                                   src1))
VINCI_ELEMENTS(Power, (const in_api::as_is<T>& src0, const LocalTensor<T>& src1), src1,
               in_api::with_scalar(in_api::element_record(vinci::isa::scalar_to_power, calCount,
                                                          dst, src1),
                                   src0))
VINCI_ELEMENTS(SwiGLU,
               (const LocalTensor<T>& src0, const LocalTensor<T>& src1, const float& scalarValue),
               src0,
               in_api::with_scalar(in_api::element_record(vinci::isa::swi_glu, calCount, dst, src0,
                                                          src1),
                                   scalarValue))

#undef VINCI_OF_ONE
#undef VINCI_OF_TWO
#undef VINCI_ELEMENTS
#undef VINCI_USING_UP
#undef VINCI_LIST

// Here the scalar comes behind the scratch memory, and the count is always there.
#define VINCI_CLAMP(Name, instruction)                                                           \
  template <class T, bool isReuseSource = false>                                                 \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                                \
            const LocalTensor<uint8_t>& sharedTmpBuffer, const in_api::as_is<T> scalar,          \
            const uint32_t calCount) {                                                           \
    vinci::issue(in_api::with_scratch(                                                           \
        in_api::with_scalar(in_api::element_record(vinci::isa::instruction, calCount, dst, src), \
                            scalar),                                                             \
        sharedTmpBuffer, in_api::scratch_of_##Name(sizeof(T)).least()));                         \
  }                                                                                              \
  template <class T, bool isReuseSource = false>                                                 \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const in_api::as_is<T> scalar, \
            const uint32_t calCount) {                                                           \
    vinci::issue(in_api::with_scalar(                                                            \
        in_api::element_record(vinci::isa::instruction, calCount, dst, src), scalar));           \
  }
VINCI_CLAMP(ClampMax, clamp_max)
VINCI_CLAMP(ClampMin, clamp_min)
#undef VINCI_CLAMP

// x / (1 + e^(-x)), x / (1 + e^(-scalarValue * x))
template <class T, bool isReuseSource = false>
void Silu(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, uint32_t dataSize) {
  vinci::issue(in_api::element_record(vinci::isa::silu, dataSize, dstLocal, srcLocal));
}
template <class T, bool isReuseSource = false>
void Swish(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, uint32_t dataSize,
           const in_api::as_is<T> scalarValue) {
  vinci::issue(in_api::with_scalar(
      in_api::element_record(vinci::isa::swish, dataSize, dstLocal, srcLocal), scalarValue));
}

#define VINCI_GELU(Name, instruction)                                                      \
  template <class T, bool highPrecision = false, bool highPerformance = false>             \
  void Name(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,                \
            const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t dataSize) {        \
    vinci::issue(in_api::with_scratch(                                                     \
        in_api::with_size(                                                                 \
            in_api::element_record(vinci::isa::instruction, dataSize, dstLocal, srcLocal), \
            highPrecision + 2 * highPerformance),                                          \
        sharedTmpBuffer, 768));                                                            \
  }                                                                                        \
  template <class T, bool highPrecision = false, bool highPerformance = false>             \
  void Name(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,                \
            const uint32_t dataSize) {                                                     \
    vinci::issue(in_api::with_size(                                                        \
        in_api::element_record(vinci::isa::instruction, dataSize, dstLocal, srcLocal),     \
        highPrecision + 2 * highPerformance));                                             \
  }
VINCI_GELU(Gelu, gelu)
VINCI_GELU(FasterGelu, faster_gelu)
VINCI_GELU(FasterGeluV2, faster_gelu_v2)
#undef VINCI_GELU

// With a level the exponential comes from a series; level 0 is the instruction.
template <class T, uint8_t taylorExpandLevel, bool isReuseSource = false>
void Exp(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
         const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
  vinci::issue(in_api::with_scratch(
      in_api::using_up(in_api::element_record(vinci::isa::exp_taylor, calCount, dstLocal, srcLocal),
                       isReuseSource && sizeof(T) == 4),
      sharedTmpBuffer, in_api::scratch_of_Exp(sizeof(T)).least()));
}
template <class T, uint8_t taylorExpandLevel, bool isReuseSource = false>
void Exp(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
         const LocalTensor<uint8_t>& sharedTmpBuffer) {
  Exp<T, taylorExpandLevel, isReuseSource>(dstLocal, srcLocal, sharedTmpBuffer, srcLocal.GetSize());
}
template <class T, uint8_t taylorExpandLevel, bool isReuseSource = false>
void Exp(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal, const uint32_t calCount) {
  vinci::issue(
      in_api::using_up(in_api::element_record(vinci::isa::exp_taylor, calCount, dstLocal, srcLocal),
                       isReuseSource && sizeof(T) == 4));
}
template <class T, uint8_t taylorExpandLevel, bool isReuseSource = false>
void Exp(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal) {
  Exp<T, taylorExpandLevel, isReuseSource>(dstLocal, srcLocal, srcLocal.GetSize());
}

// scalar * src + dst with two roundings, unlike the instruction.
template <class T, class U, bool isReuseSource = false>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const in_api::as_is<U> scalar,
          const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
  vinci::issue(in_api::with_scratch(
      in_api::with_scalar(in_api::element_record(vinci::isa::muls_add, calCount, dst, src), scalar),
      sharedTmpBuffer, in_api::scratch_of_Axpy(sizeof(U)).least()));
}

}  // namespace AscendC
