// Vector arithmetic, element by element: one declaration for each instruction.
#pragma once

#include "ascendc/vector.h"

namespace vinci::isa {
// dst[i] = op(src[i])
extern const Instruction abs, exp, ln, bitwise_not, reciprocal, relu, rsqrt, sqrt;
// dst[i] = op(src0[i], src1[i])
extern const Instruction add, add_relu, bitwise_and, div, max, min, mul, bitwise_or, sub, sub_relu;
// dst[i] = op(src0[i], src1[i]), in a narrower type
extern const Instruction add_deq_relu, add_relu_cast, mul_cast, sub_relu_cast;
// dst[i] = op(src0[i], src1[i], dst[i])
extern const Instruction fused_mul_add, fused_mul_add_relu, mul_add_dst;
// dst[i] = op(src[i], scalar), Axpy: dst[i] + src[i] * scalar
extern const Instruction adds, axpy, leaky_relu, maxs, mins, muls, shift_left, shift_right;
}  // namespace vinci::isa

namespace AscendC {

namespace in_api {
inline vinci::LaneBits of_64_lanes(vinci::LaneBits mask) {
  mask.high = 0;
  return mask;
}
}  // namespace in_api

// Each instruction in its three documented forms: lanes of each repeat by mask bits, the first
// lanes of each repeat, the first elements.
#define VINCI_UNARY(Name, instruction)                                                         \
  template <class T, bool isSetMask = true>                                                    \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const vinci::LaneBits& mask, \
            const int32_t repeatTime, const UnaryRepeatParams& repeatParams) {                 \
    vinci::issue(in_api::unary_record(vinci::isa::instruction, dst, src,                       \
                                      vinci::lanes_bits(mask, repeatTime, isSetMask),          \
                                      repeatParams));                                          \
  }                                                                                            \
  template <class T, bool isSetMask = true>                                                    \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const uint64_t mask,         \
            const int32_t repeatTime, const UnaryRepeatParams& repeatParams) {                 \
    vinci::issue(in_api::unary_record(vinci::isa::instruction, dst, src,                       \
                                      vinci::lanes_continuous(mask, repeatTime, isSetMask),    \
                                      repeatParams));                                          \
  }                                                                                            \
  template <class T>                                                                           \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const int32_t& count) {      \
    vinci::issue(                                                                              \
        in_api::unary_record(vinci::isa::instruction, dst, src, in_api::count_of(count), {})); \
  }

#define VINCI_BINARY(Name, instruction)                                                        \
  template <class T, bool isSetMask = true>                                                    \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, \
            const vinci::LaneBits& mask, const int32_t repeatTime,                             \
            const BinaryRepeatParams& repeatParams) {                                          \
    vinci::issue(in_api::binary_record(vinci::isa::instruction, dst, src0, src1,               \
                                       vinci::lanes_bits(mask, repeatTime, isSetMask),         \
                                       repeatParams));                                         \
  }                                                                                            \
  template <class T, bool isSetMask = true>                                                    \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, \
            const uint64_t mask, const int32_t repeatTime,                                     \
            const BinaryRepeatParams& repeatParams) {                                          \
    vinci::issue(in_api::binary_record(vinci::isa::instruction, dst, src0, src1,               \
                                       vinci::lanes_continuous(mask, repeatTime, isSetMask),   \
                                       repeatParams));                                         \
  }                                                                                            \
  template <class T>                                                                           \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, \
            const int32_t& count) {                                                            \
    vinci::issue(in_api::binary_record(vinci::isa::instruction, dst, src0, src1,               \
                                       in_api::count_of(count), {}));                          \
  }

// dst has a type of its own. `bits`: what of `mask` counts.
#define VINCI_BINARY_TO(Name, instruction) VINCI_BINARY_TO_BY(Name, instruction, mask)
#define VINCI_BINARY_TO_BY(Name, instruction, bits)                                            \
  template <class T, class U, bool isSetMask = true>                                           \
  void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, \
            const vinci::LaneBits& mask, const int32_t repeatTime,                             \
            const BinaryRepeatParams& repeatParams) {                                          \
    vinci::issue(in_api::binary_record(vinci::isa::instruction, dst, src0, src1,               \
                                       vinci::lanes_bits(bits, repeatTime, isSetMask),         \
                                       repeatParams));                                         \
  }                                                                                            \
  template <class T, class U, bool isSetMask = true>                                           \
  void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, \
            const uint64_t mask, const int32_t repeatTime,                                     \
            const BinaryRepeatParams& repeatParams) {                                          \
    vinci::issue(in_api::binary_record(vinci::isa::instruction, dst, src0, src1,               \
                                       vinci::lanes_continuous(mask, repeatTime, isSetMask),   \
                                       repeatParams));                                         \
  }                                                                                            \
  template <class T, class U>                                                                  \
  void Name(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1, \
            const int32_t& count) {                                                            \
    vinci::issue(in_api::binary_record(vinci::isa::instruction, dst, src0, src1,               \
                                       in_api::count_of(count), {}));                          \
  }

namespace in_api {

// The count form where it has isSetMask: false means one contiguous repeat of the lanes that MASK
// enables, and in Counter mode as many elements as MASK says.
template <bool isSetMask>
vinci::Lanes count_or_mask(const int32_t& count) {
  return isSetMask ? count_of(count) : vinci::lanes_continuous(MASK_PLACEHOLDER, 1, false);
}

}  // namespace in_api

// The type of the scalar may be named behind that of the tensors: Adds<half, half>.
#define VINCI_SCALAR_OF_TYPE(Name)                                                                \
  template <class T, class U, bool isSetMask = true, class... More>                               \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const in_api::as_is<U>& scalar, \
            const vinci::LaneBits& mask, const int32_t repeatTime,                                \
            const UnaryRepeatParams& params, More... more) {                                      \
    Name<T, isSetMask>(dst, src, scalar, mask, repeatTime, params, more...);                      \
  }                                                                                               \
  template <class T, class U, bool isSetMask = true, class... More>                               \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const in_api::as_is<U>& scalar, \
            const uint64_t mask, const int32_t repeatTime, const UnaryRepeatParams& params,       \
            More... more) {                                                                       \
    Name<T, isSetMask>(dst, src, scalar, mask, repeatTime, params, more...);                      \
  }                                                                                               \
  template <class T, class U, bool isSetMask = true>                                              \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, const in_api::as_is<U>& scalar, \
            const int32_t& count) {                                                               \
    Name<T, isSetMask>(dst, src, scalar, count);                                                  \
  }

// The scalar has the type of the tensors' elements; other numbers are converted to it.
#define VINCI_SCALAR(Name, instruction)                                                         \
  template <class T, bool isSetMask = true>                                                     \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                               \
            const in_api::as_is<T>& scalarValue, const vinci::LaneBits& mask,                   \
            const int32_t repeatTime, const UnaryRepeatParams& repeatParams) {                  \
    vinci::issue(in_api::scalar_record(vinci::isa::instruction, dst, src, scalarValue,          \
                                       vinci::lanes_bits(mask, repeatTime, isSetMask),          \
                                       repeatParams));                                          \
  }                                                                                             \
  template <class T, bool isSetMask = true>                                                     \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                               \
            const in_api::as_is<T>& scalarValue, const uint64_t mask, const int32_t repeatTime, \
            const UnaryRepeatParams& repeatParams) {                                            \
    vinci::issue(in_api::scalar_record(vinci::isa::instruction, dst, src, scalarValue,          \
                                       vinci::lanes_continuous(mask, repeatTime, isSetMask),    \
                                       repeatParams));                                          \
  }                                                                                             \
  template <class T, bool isSetMask = true>                                                     \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                               \
            const in_api::as_is<T>& scalarValue, const int32_t& count) {                        \
    vinci::issue(in_api::scalar_record(vinci::isa::instruction, dst, src, scalarValue,          \
                                       in_api::count_or_mask<isSetMask>(count), {}));           \
  }                                                                                             \
  VINCI_SCALAR_OF_TYPE(Name)

VINCI_UNARY(Abs, abs)
VINCI_UNARY(Exp, exp)
VINCI_UNARY(Ln, ln)
VINCI_UNARY(Not, bitwise_not)
VINCI_UNARY(Reciprocal, reciprocal)
VINCI_UNARY(Relu, relu)
VINCI_UNARY(Rsqrt, rsqrt)
VINCI_UNARY(Sqrt, sqrt)

VINCI_BINARY(Add, add)
VINCI_BINARY(AddRelu, add_relu)
VINCI_BINARY(And, bitwise_and)
VINCI_BINARY(Div, div)
VINCI_BINARY(FusedMulAdd, fused_mul_add)
VINCI_BINARY(FusedMulAddRelu, fused_mul_add_relu)
VINCI_BINARY(MulAddRelu, fused_mul_add_relu)  // its newer name
VINCI_BINARY(Max, max)
VINCI_BINARY(Min, min)
VINCI_BINARY(Mul, mul)
VINCI_BINARY(Or, bitwise_or)
VINCI_BINARY(Sub, sub)
VINCI_BINARY(SubRelu, sub_relu)

// Its page gives mask[1] bits, too, of which the 64 lanes have none.
VINCI_BINARY_TO_BY(AddDeqRelu, add_deq_relu, in_api::of_64_lanes(mask))
VINCI_BINARY_TO(AddReluCast, add_relu_cast)
VINCI_BINARY_TO(MulAddDst, mul_add_dst)
VINCI_BINARY_TO(MulCast, mul_cast)
VINCI_BINARY_TO(SubReluCast, sub_relu_cast)

VINCI_SCALAR(Adds, adds)
VINCI_SCALAR(LeakyRelu, leaky_relu)
VINCI_SCALAR(Maxs, maxs)
VINCI_SCALAR(Mins, mins)
VINCI_SCALAR(Muls, muls)
VINCI_SCALAR(ShiftLeft, shift_left)

#undef VINCI_UNARY
#undef VINCI_BINARY
#undef VINCI_BINARY_TO
#undef VINCI_BINARY_TO_BY
#undef VINCI_SCALAR

// Its types need no names.
template <bool isSetMask>
void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0,
                const LocalTensor<int32_t>& src1, const vinci::LaneBits& mask,
                const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  AddDeqRelu<half, int32_t, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);
}
template <bool isSetMask>
void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0,
                const LocalTensor<int32_t>& src1, const uint64_t mask, const uint8_t repeatTime,
                const BinaryRepeatParams& repeatParams) {
  AddDeqRelu<half, int32_t, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);
}

// The forms with a mask can round: the last bit shifted out is added.
template <class T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                const in_api::as_is<T>& scalarValue, const vinci::LaneBits& mask,
                const int32_t repeatTime, const UnaryRepeatParams& repeatParams,
                bool roundEn = false) {
  vinci::ShiftRecord record{in_api::scalar_record(vinci::isa::shift_right, dst, src, scalarValue,
                                                  vinci::lanes_bits(mask, repeatTime, isSetMask),
                                                  repeatParams)};
  record.round = roundEn;
  vinci::issue(record);
}
template <class T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                const in_api::as_is<T>& scalarValue, const uint64_t mask, const int32_t repeatTime,
                const UnaryRepeatParams& repeatParams, bool roundEn = false) {
  vinci::ShiftRecord record{
      in_api::scalar_record(vinci::isa::shift_right, dst, src, scalarValue,
                            vinci::lanes_continuous(mask, repeatTime, isSetMask), repeatParams)};
  record.round = roundEn;
  vinci::issue(record);
}
template <class T, bool isSetMask = true>
void ShiftRight(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                const in_api::as_is<T>& scalarValue, const int32_t& count) {
  vinci::issue(
      vinci::ShiftRecord{in_api::scalar_record(vinci::isa::shift_right, dst, src, scalarValue,
                                               in_api::count_or_mask<isSetMask>(count), {})});
}

VINCI_SCALAR_OF_TYPE(ShiftRight)
#undef VINCI_SCALAR_OF_TYPE

// dst[i] += src[i] * scalar; a float destination may have half sources.
template <class T, class U, bool isSetMask = true>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const in_api::as_is<U>& scalarValue,
          const vinci::LaneBits& mask, const int32_t repeatTime,
          const UnaryRepeatParams& repeatParams) {
  vinci::issue(in_api::scalar_record(vinci::isa::axpy, dst, src, scalarValue,
                                     vinci::lanes_bits(mask, repeatTime, isSetMask), repeatParams));
}
template <class T, class U, bool isSetMask = true>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const in_api::as_is<U>& scalarValue,
          const uint64_t mask, const int32_t repeatTime, const UnaryRepeatParams& repeatParams) {
  vinci::issue(in_api::scalar_record(vinci::isa::axpy, dst, src, scalarValue,
                                     vinci::lanes_continuous(mask, repeatTime, isSetMask),
                                     repeatParams));
}
template <class T, class U>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const in_api::as_is<U>& scalarValue,
          const int32_t& count) {
  vinci::issue(
      in_api::scalar_record(vinci::isa::axpy, dst, src, scalarValue, in_api::count_of(count), {}));
}

// dst = src0 + src1 and so on, over the whole of dst.
#define VINCI_OPERATOR(symbol, Name)                                                         \
  namespace in_api {                                                                         \
  struct Name##Operation {                                                                   \
    template <class T>                                                                       \
    static void run(const LocalTensor<T>& dst, const LocalTensor<T>& src0,                   \
                    const LocalTensor<T>& src1, uint32_t count) {                            \
      Name(dst, src0, src1, int32_t(count));                                                 \
    }                                                                                        \
  };                                                                                         \
  }                                                                                          \
  template <class T>                                                                         \
  TensorExpression<in_api::Name##Operation, T> operator symbol(const LocalTensor<T>& src0,   \
                                                               const LocalTensor<T>& src1) { \
    return {src0, src1};                                                                     \
  }

VINCI_OPERATOR(+, Add)
VINCI_OPERATOR(-, Sub)
VINCI_OPERATOR(*, Mul)
VINCI_OPERATOR(/, Div)
VINCI_OPERATOR(&, And)
VINCI_OPERATOR(|, Or)
#undef VINCI_OPERATOR

}  // namespace AscendC
