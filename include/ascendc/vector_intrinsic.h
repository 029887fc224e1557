// Vector instructions under the small names that kernels of older style call: on pointers into UB,
// with the lanes of MASK. Strides are in datablocks, those of blocks before those of repeats; each
// is the call of Ascend C that it names. What computes is a template, if of nothing, so that a file
// compiles what it calls alone.
#pragma once

#include "ascendc/arithmetic.h"
#include "ascendc/cast.h"
#include "ascendc/compare.h"
#include "ascendc/copy.h"
#include "ascendc/duplicate.h"
#include "ascendc/intrinsic.h"
#include "ascendc/reduce.h"

// What vcmax and vcmin leave of each repeat.
enum class Order_t : uint8_t { VALUE_INDEX, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX };
inline constexpr Order_t VALUE_INDEX = Order_t::VALUE_INDEX, INDEX_VALUE = Order_t::INDEX_VALUE;
inline constexpr Order_t ONLY_VALUE = Order_t::ONLY_VALUE, ONLY_INDEX = Order_t::ONLY_INDEX;

namespace AscendC::in_api {

template <class T>
LocalTensor<T> ub_tensor_at(const T* pointer) {
  return LocalTensor<T>(ub_at(pointer));
}
inline UnaryRepeatParams strides(uint16_t dst, uint16_t src, uint16_t dst_repeat,
                                 uint16_t src_repeat) {
  return {dst, src, dst_repeat, src_repeat};
}
constexpr ReduceOrder order_of(Order_t order) {
  switch (order) {
    case Order_t::VALUE_INDEX: return ReduceOrder::ORDER_VALUE_INDEX;
    case Order_t::INDEX_VALUE: return ReduceOrder::ORDER_INDEX_VALUE;
    case Order_t::ONLY_VALUE: return ReduceOrder::ORDER_ONLY_VALUE;
    case Order_t::ONLY_INDEX: return ReduceOrder::ORDER_ONLY_INDEX;
  }
  return ReduceOrder::ORDER_VALUE_INDEX;
}

}  // namespace AscendC::in_api

#define VINCI_BINARY(name, Call)                                                                \
  template <class T>                                                                            \
  void name(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint8_t repeat,                \
            uint8_t dstBlockStride, uint8_t src0BlockStride, uint8_t src1BlockStride,           \
            uint8_t dstRepeatStride, uint8_t src0RepeatStride, uint8_t src1RepeatStride) {      \
    using namespace AscendC::in_api;                                                            \
    AscendC::Call<T, false>(ub_tensor_at(dst), ub_tensor_at(src0), ub_tensor_at(src1),          \
                            AscendC::MASK_PLACEHOLDER, repeat,                                  \
                            {dstBlockStride, src0BlockStride, src1BlockStride, dstRepeatStride, \
                             src0RepeatStride, src1RepeatStride});                              \
  }
VINCI_BINARY(vadd, Add)
VINCI_BINARY(vsub, Sub)
VINCI_BINARY(vmul, Mul)
VINCI_BINARY(vdiv, Div)
VINCI_BINARY(vmax, Max)
VINCI_BINARY(vmin, Min)
VINCI_BINARY(vand, And)
VINCI_BINARY(vor, Or)
VINCI_BINARY(vaddrelu, AddRelu)
VINCI_BINARY(vsubrelu, SubRelu)
VINCI_BINARY(vmadd, FusedMulAdd)
VINCI_BINARY(vmaddrelu, FusedMulAddRelu)
#undef VINCI_BINARY

#define VINCI_UNARY(name, Call)                                                            \
  template <class T>                                                                       \
  void name(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat, uint16_t dstBlockStride,     \
            uint16_t srcBlockStride, uint16_t dstRepeatStride, uint16_t srcRepeatStride) { \
    using namespace AscendC::in_api;                                                       \
    AscendC::Call<T, false>(                                                               \
        ub_tensor_at(dst), ub_tensor_at(src), AscendC::MASK_PLACEHOLDER, repeat,           \
        strides(dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride));        \
  }
VINCI_UNARY(vexp, Exp)
VINCI_UNARY(vln, Ln)
VINCI_UNARY(vabs, Abs)
VINCI_UNARY(vrec, Reciprocal)
VINCI_UNARY(vsqrt, Sqrt)
VINCI_UNARY(vrsqrt, Rsqrt)
VINCI_UNARY(vrelu, Relu)
VINCI_UNARY(vnot, Not)
#undef VINCI_UNARY

#define VINCI_SCALAR(name, Call)                                                                \
  template <class T>                                                                            \
  void name(__ubuf__ T* dst, __ubuf__ T* src, AscendC::in_api::as_is<T> scalar, uint8_t repeat, \
            uint16_t dstBlockStride, uint16_t srcBlockStride, uint16_t dstRepeatStride,         \
            uint16_t srcRepeatStride) {                                                         \
    using namespace AscendC::in_api;                                                            \
    AscendC::Call<T, false>(                                                                    \
        ub_tensor_at(dst), ub_tensor_at(src), scalar, AscendC::MASK_PLACEHOLDER, repeat,        \
        strides(dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride));             \
  }
VINCI_SCALAR(vadds, Adds)
VINCI_SCALAR(vmuls, Muls)
VINCI_SCALAR(vmaxs, Maxs)
VINCI_SCALAR(vmins, Mins)
VINCI_SCALAR(vlrelu, LeakyRelu)
VINCI_SCALAR(vshl, ShiftLeft)
#undef VINCI_SCALAR

template <class T>
void vshr(__ubuf__ T* dst, __ubuf__ T* src, AscendC::in_api::as_is<T> scalar, uint8_t repeat,
          uint16_t dstBlockStride, uint16_t srcBlockStride, uint16_t dstRepeatStride,
          uint16_t srcRepeatStride, bool round = false) {
  using namespace AscendC::in_api;
  AscendC::ShiftRight<T, false>(
      ub_tensor_at(dst), ub_tensor_at(src), scalar, AscendC::MASK_PLACEHOLDER, repeat,
      strides(dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride), round);
}
template <class T, class U>
void vaxpy(__ubuf__ T* dst, __ubuf__ U* src, AscendC::in_api::as_is<U> scalar, uint8_t repeat,
           uint16_t dstBlockStride, uint16_t srcBlockStride, uint16_t dstRepeatStride,
           uint16_t srcRepeatStride) {
  using namespace AscendC::in_api;
  AscendC::Axpy<T, U, false>(
      ub_tensor_at(dst), ub_tensor_at(src), scalar, AscendC::MASK_PLACEHOLDER, repeat,
      strides(dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride));
}
// The strides of a source, which there is not, change nothing.
template <class T>
void vector_dup(__ubuf__ T* dst, AscendC::in_api::as_is<T> scalar, uint8_t repeat,
                uint16_t dstBlockStride, uint16_t /*srcBlockStride*/, uint16_t dstRepeatStride,
                uint16_t /*srcRepeatStride*/) {
  AscendC::Duplicate<T, false>(AscendC::in_api::ub_tensor_at(dst), scalar,
                               AscendC::MASK_PLACEHOLDER, repeat, dstBlockStride, dstRepeatStride);
}

// vcmpv_<how> and vcmpvs_<how> leave bits in UB, vcmp_<how> those of one repeat in CMPMASK, which
// vsel reads.
#define VINCI_COMPARISON(how, MODE)                                                                \
  template <class T>                                                                               \
  void vcmpv_##how(__ubuf__ uint8_t* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint8_t repeat,      \
                   uint8_t dstBlockStride, uint8_t src0BlockStride, uint8_t src1BlockStride,       \
                   uint8_t dstRepeatStride, uint8_t src0RepeatStride, uint8_t src1RepeatStride) {  \
    using namespace AscendC::in_api;                                                               \
    AscendC::Compare<T, uint8_t, false>(ub_tensor_at(dst), ub_tensor_at(src0), ub_tensor_at(src1), \
                                        AscendC::CMPMODE::MODE, AscendC::MASK_PLACEHOLDER, repeat, \
                                        {dstBlockStride, src0BlockStride, src1BlockStride,         \
                                         dstRepeatStride, src0RepeatStride, src1RepeatStride});    \
  }                                                                                                \
  template <class T>                                                                               \
  void vcmpvs_##how(__ubuf__ uint8_t* dst, __ubuf__ T* src, AscendC::in_api::as_is<T> scalar,      \
                    uint8_t repeat, uint16_t dstBlockStride, uint16_t srcBlockStride,              \
                    uint16_t dstRepeatStride, uint16_t srcRepeatStride) {                          \
    using namespace AscendC::in_api;                                                               \
    AscendC::CompareScalar<T, uint8_t, false>(                                                     \
        ub_tensor_at(dst), ub_tensor_at(src), scalar, AscendC::CMPMODE::MODE,                      \
        AscendC::MASK_PLACEHOLDER, repeat,                                                         \
        strides(dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride));                \
  }                                                                                                \
  template <class T>                                                                               \
  void vcmp_##how(__ubuf__ T* src0, __ubuf__ T* src1, uint8_t /*repeat*/, uint8_t dstBlockStride,  \
                  uint8_t src0BlockStride, uint8_t src1BlockStride, uint8_t dstRepeatStride,       \
                  uint8_t src0RepeatStride, uint8_t src1RepeatStride) {                            \
    using namespace AscendC::in_api;                                                               \
    AscendC::Compare<T, false>(ub_tensor_at(src0), ub_tensor_at(src1), AscendC::CMPMODE::MODE,     \
                               AscendC::MASK_PLACEHOLDER,                                          \
                               {dstBlockStride, src0BlockStride, src1BlockStride, dstRepeatStride, \
                                src0RepeatStride, src1RepeatStride});                              \
  }
VINCI_COMPARISON(lt, LT)
VINCI_COMPARISON(gt, GT)
VINCI_COMPARISON(eq, EQ)
VINCI_COMPARISON(le, LE)
VINCI_COMPARISON(ge, GE)
VINCI_COMPARISON(ne, NE)
#undef VINCI_COMPARISON

// By mode: 0: CMPMASK chooses; 1: the bits at src1, between src0 and the scalar in CMPMASK; 2: the bits
// at the address in CMPMASK.
template <class T>
void vsel(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint8_t repeat,
          uint8_t dstBlockStride, uint8_t src0BlockStride, uint8_t src1BlockStride,
          uint8_t dstRepeatStride, uint8_t src0RepeatStride, uint8_t src1RepeatStride,
          uint8_t mode = 0) {
  using namespace AscendC;
  using in_api::ub_tensor_at;
  const BinaryRepeatParams strides{dstBlockStride,  src0BlockStride,  src1BlockStride,
                                   dstRepeatStride, src0RepeatStride, src1RepeatStride};
  const auto to = ub_tensor_at(dst), first = ub_tensor_at(src0), second = ub_tensor_at(src1);
  switch (SELMODE(mode)) {
    case SELMODE::VSEL_TENSOR_SCALAR_MODE:
      return Select(to, second.template ReinterpretCast<uint8_t>(), first, repeat, strides);
    case SELMODE::VSEL_TENSOR_TENSOR_MODE:
      return Select<T, SELMODE::VSEL_TENSOR_TENSOR_MODE>(to, first, second, repeat, strides);
    default: return Select<T, SELMODE::VSEL_CMPMASK_SPR>(to, first, second, repeat, strides);
  }
}
inline void set_cmpmask(__ubuf__ void* src) {
  AscendC::SetCmpMask(AscendC::in_api::ub_tensor_at(static_cast<uint8_t*>(src)));
}
inline void get_cmpmask(__ubuf__ void* dst) {
  AscendC::GetCmpMask(AscendC::in_api::ub_tensor_at(static_cast<uint8_t*>(dst)));
}

template <class T>
void vcopy(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat, uint16_t dstBlockStride,
           uint16_t srcBlockStride, uint16_t dstRepeatStride, uint16_t srcRepeatStride) {
  using namespace AscendC::in_api;
  AscendC::Copy<T, false>(ub_tensor_at(dst), ub_tensor_at(src), AscendC::MASK_PLACEHOLDER, repeat,
                          {dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride});
}
template <class T>
void vbrcb(__ubuf__ T* dst, __ubuf__ T* src, uint16_t dstBlockStride, uint16_t dstRepeatStride,
           uint8_t repeat) {
  using namespace AscendC::in_api;
  AscendC::Brcb(ub_tensor_at(dst), ub_tensor_at(src), repeat, {dstBlockStride, dstRepeatStride});
}

#define VINCI_REDUCE(name, Call)                                                        \
  template <class T>                                                                    \
  void name(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat, uint16_t dstRepeatStride, \
            uint16_t srcBlockStride, uint16_t srcRepeatStride) {                        \
    using namespace AscendC::in_api;                                                    \
    AscendC::Call<T, false>(ub_tensor_at(dst), ub_tensor_at(src), repeat, int32_t(0),   \
                            dstRepeatStride, srcBlockStride, srcRepeatStride);          \
  }
VINCI_REDUCE(vcgadd, BlockReduceSum)
VINCI_REDUCE(vcgmax, BlockReduceMax)
VINCI_REDUCE(vcgmin, BlockReduceMin)
VINCI_REDUCE(vcpadd, PairReduceSum)
#undef VINCI_REDUCE

#define VINCI_EXTREME(name, Call)                                                               \
  template <class T>                                                                            \
  void name(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat, uint16_t dstRepeatStride,         \
            uint16_t srcBlockStride, uint16_t srcRepeatStride,                                  \
            Order_t order = Order_t::VALUE_INDEX) {                                             \
    using namespace AscendC::in_api;                                                            \
    AscendC::Call<T, false>(ub_tensor_at(dst), ub_tensor_at(src), int32_t(0), repeat,           \
                            dstRepeatStride, srcBlockStride, srcRepeatStride, order_of(order)); \
  }
VINCI_EXTREME(vcmax, WholeReduceMax)
VINCI_EXTREME(vcmin, WholeReduceMin)
#undef VINCI_EXTREME

// vconv_<from>2<to> and, at its end, how it rounds: r to even, a away from zero, f down, c up, z
// towards zero, o to odd.
#define VINCI_CONVERSION(suffix, From, To, mode)                                                   \
  template <class = void>                                                                          \
  void vconv_##suffix(__ubuf__ To* dst, __ubuf__ From* src, uint8_t repeat,                        \
                      uint16_t dstBlockStride, uint16_t srcBlockStride, uint16_t dstRepeatStride,  \
                      uint16_t srcRepeatStride) {                                                  \
    using namespace AscendC::in_api;                                                               \
    AscendC::Cast<To, From, false>(                                                                \
        ub_tensor_at(dst), ub_tensor_at(src), AscendC::RoundMode::mode, AscendC::MASK_PLACEHOLDER, \
        repeat, strides(dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride));        \
  }
#define VINCI_ROUNDED(suffix, From, To)             \
  VINCI_CONVERSION(suffix##r, From, To, CAST_RINT)  \
  VINCI_CONVERSION(suffix##a, From, To, CAST_ROUND) \
  VINCI_CONVERSION(suffix##f, From, To, CAST_FLOOR) \
  VINCI_CONVERSION(suffix##c, From, To, CAST_CEIL)  \
  VINCI_CONVERSION(suffix##z, From, To, CAST_TRUNC)
VINCI_CONVERSION(f162f32, half, float, CAST_NONE)
VINCI_CONVERSION(f322f16, float, half, CAST_NONE)
VINCI_CONVERSION(f322f16o, float, half, CAST_ODD)
VINCI_ROUNDED(f322f16, float, half)
VINCI_CONVERSION(bf162f32, bfloat16_t, float, CAST_NONE)
VINCI_ROUNDED(f322bf16, float, bfloat16_t)
VINCI_ROUNDED(f322f32, float, float)
VINCI_ROUNDED(f162s32, half, int32_t)
VINCI_ROUNDED(f322s32, float, int32_t)
VINCI_ROUNDED(bf162s32, bfloat16_t, int32_t)
VINCI_ROUNDED(f322s64, float, int64_t)
VINCI_ROUNDED(f162s16, half, int16_t)
VINCI_ROUNDED(f322s16, float, int16_t)
VINCI_CONVERSION(f162s8, half, int8_t, CAST_NONE)
VINCI_ROUNDED(f162s8, half, int8_t)
VINCI_CONVERSION(f162u8, half, uint8_t, CAST_NONE)
VINCI_ROUNDED(f162u8, half, uint8_t)
VINCI_CONVERSION(s322f32, int32_t, float, CAST_NONE)
VINCI_ROUNDED(s322f32, int32_t, float)
VINCI_CONVERSION(s642f32, int64_t, float, CAST_NONE)
VINCI_ROUNDED(s642f32, int64_t, float)
VINCI_CONVERSION(s162f16, int16_t, half, CAST_NONE)
VINCI_ROUNDED(s162f16, int16_t, half)
VINCI_CONVERSION(s162f32, int16_t, float, CAST_NONE)
VINCI_CONVERSION(s82f16, int8_t, half, CAST_NONE)
VINCI_CONVERSION(u82f16, uint8_t, half, CAST_NONE)
VINCI_CONVERSION(s322s64, int32_t, int64_t, CAST_NONE)
VINCI_CONVERSION(s642s32, int64_t, int32_t, CAST_NONE)
VINCI_CONVERSION(s322s16, int32_t, int16_t, CAST_NONE)
VINCI_CONVERSION(deq, int32_t, half, CAST_NONE)  // times the scale of set_deqscale
#undef VINCI_ROUNDED
#undef VINCI_CONVERSION

// int4 hides behind a pointer without a type.
#define VINCI_TO_INT4(suffix, mode)                                                 \
  template <class = void>                                                           \
  void vconv_f162s4##suffix(__ubuf__ void* dst, __ubuf__ half* src, uint8_t repeat, \
                            uint16_t dstBlockStride, uint16_t srcBlockStride,       \
                            uint16_t dstRepeatStride, uint16_t srcRepeatStride) {   \
    using namespace AscendC::in_api;                                                \
    AscendC::Cast<AscendC::int4b_t, half, false>(                                   \
        ub_tensor_at(static_cast<AscendC::int4b_t*>(dst)), ub_tensor_at(src),       \
        AscendC::RoundMode::mode, AscendC::MASK_PLACEHOLDER, repeat,                \
        strides(dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride)); \
  }
VINCI_TO_INT4(, CAST_NONE)
VINCI_TO_INT4(r, CAST_RINT)
VINCI_TO_INT4(a, CAST_ROUND)
VINCI_TO_INT4(f, CAST_FLOOR)
VINCI_TO_INT4(c, CAST_CEIL)
VINCI_TO_INT4(z, CAST_TRUNC)
#undef VINCI_TO_INT4
template <class = void>
void vconv_s42f16(__ubuf__ half* dst, __ubuf__ void* src, uint8_t repeat, uint16_t dstBlockStride,
                  uint16_t srcBlockStride, uint16_t dstRepeatStride, uint16_t srcRepeatStride) {
  using namespace AscendC::in_api;
  AscendC::Cast<half, AscendC::int4b_t, false>(
      ub_tensor_at(dst), ub_tensor_at(static_cast<AscendC::int4b_t*>(src)),
      AscendC::RoundMode::CAST_NONE, AscendC::MASK_PLACEHOLDER, repeat,
      strides(dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride));
}

// Times the scale of set_deqscale and plus its offset; with v those of 16 lanes. h, l: which half
// of each datablock is filled.
#define VINCI_DEQUANTISATION(name, by_lane, high_half)                                             \
  template <class T>                                                                               \
  void vconv_##name(__ubuf__ T* dst, __ubuf__ int16_t* src, uint8_t repeat,                        \
                    uint16_t dstBlockStride, uint16_t srcBlockStride, uint16_t dstRepeatStride,    \
                    uint16_t srcRepeatStride) {                                                    \
    using namespace AscendC::in_api;                                                               \
    issue_cast_dequant(ub_tensor_at(dst), ub_tensor_at(src), by_lane, high_half,                   \
                       vinci::lanes_continuous(0, repeat, false),                                  \
                       strides(dstBlockStride, srcBlockStride, dstRepeatStride, srcRepeatStride)); \
  }
VINCI_DEQUANTISATION(deqs162b8h, false, true)
VINCI_DEQUANTISATION(deqs162b8l, false, false)
VINCI_DEQUANTISATION(vdeqs162b8h, true, true)
VINCI_DEQUANTISATION(vdeqs162b8l, true, false)
#undef VINCI_DEQUANTISATION
inline void set_deqscale(half scale) { AscendC::SetDeqScale(scale); }

// A result of another type, to the nearest even number. That last argument has no effect.
#define VINCI_BINARY_TO(name, Call, From, To)                                                 \
  template <class = void>                                                                     \
  void name(__ubuf__ To* dst, __ubuf__ From* src0, __ubuf__ From* src1, uint8_t repeat,       \
            uint8_t dstBlockStride, uint8_t src0BlockStride, uint8_t src1BlockStride,         \
            uint8_t dstRepeatStride, uint8_t src0RepeatStride, uint8_t src1RepeatStride,      \
            bool = false) {                                                                   \
    using namespace AscendC::in_api;                                                          \
    AscendC::Call<To, From, false>(ub_tensor_at(dst), ub_tensor_at(src0), ub_tensor_at(src1), \
                                   AscendC::MASK_PLACEHOLDER, repeat,                         \
                                   {dstBlockStride, src0BlockStride, src1BlockStride,         \
                                    dstRepeatStride, src0RepeatStride, src1RepeatStride});    \
  }
VINCI_BINARY_TO(vmulconv_f162s8, MulCast, half, int8_t)
VINCI_BINARY_TO(vmulconv_f162u8, MulCast, half, uint8_t)
VINCI_BINARY_TO(vaddreluconv_f162s8, AddReluCast, half, int8_t)
VINCI_BINARY_TO(vaddreluconv_s162s8, AddReluCast, int16_t, int8_t)
VINCI_BINARY_TO(vaddreluconv_f322f16, AddReluCast, float, half)
VINCI_BINARY_TO(vsubreluconv_f162s8, SubReluCast, half, int8_t)
VINCI_BINARY_TO(vsubreluconv_s162s8, SubReluCast, int16_t, int8_t)
VINCI_BINARY_TO(vsubreluconv_f322f16, SubReluCast, float, half)
VINCI_BINARY_TO(vadddeqrelu, AddDeqRelu, int32_t, half)
#undef VINCI_BINARY_TO

// dst[i] += src0[i] * src1[i], also of halves to floats.
template <class T, class U>
void vmla(__ubuf__ T* dst, __ubuf__ U* src0, __ubuf__ U* src1, uint8_t repeat,
          uint8_t dstBlockStride, uint8_t src0BlockStride, uint8_t src1BlockStride,
          uint8_t dstRepeatStride, uint8_t src0RepeatStride, uint8_t src1RepeatStride) {
  using namespace AscendC::in_api;
  AscendC::MulAddDst<T, U, false>(ub_tensor_at(dst), ub_tensor_at(src0), ub_tensor_at(src1),
                                  AscendC::MASK_PLACEHOLDER, repeat,
                                  {dstBlockStride, src0BlockStride, src1BlockStride,
                                   dstRepeatStride, src0RepeatStride, src1RepeatStride});
}

inline void copy_ubuf_to_ubuf(__ubuf__ void* dst, __ubuf__ void* src, uint8_t, uint16_t bursts,
                              uint16_t blocks, uint16_t srcGap, uint16_t dstGap) {
  using namespace AscendC::in_api;
  copy_bursts(ub_at(dst), ub_at(src), {bursts, blocks, srcGap, dstGap});
}
