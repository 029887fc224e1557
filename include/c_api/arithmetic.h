// Element by element: sums, products, functions, bits, shifts.
#pragma once

#include "ascendc/arithmetic.h"
#include "ascendc/duplicate.h"
#include "c_api/call.h"

namespace vinci::asc {

// What the functions of a kind do: on so many elements, and on repeats.
template <const Instruction& instruction>
struct OfTwo {
  template <class T, class U>
  static void call(T* dst, U* src0, U* src1, uint32_t count) {
    issue(AscendC::in_api::binary_record(instruction, at(dst), at(src0), at(src1),
                                         lanes_count(count), {}));
  }
  template <class T, class U>
  static void call(T* dst, U* src0, U* src1, int32_t repeat, uint16_t dst_block_stride,
                   uint16_t src0_block_stride, uint16_t src1_block_stride,
                   uint16_t dst_repeat_stride, uint16_t src0_repeat_stride,
                   uint16_t src1_repeat_stride) {
    issue(AscendC::in_api::binary_record(
        instruction, at(dst), at(src0), at(src1), masked(repeat),
        {dst_block_stride, src0_block_stride, src1_block_stride, dst_repeat_stride,
         src0_repeat_stride, src1_repeat_stride}));
  }
};

// The same, with another instruction for results of another type.
template <const Instruction& instruction, const Instruction& converting>
struct OfTwoTo {
  template <class T, class U, class... Rest>
  static void call(T* dst, U* src0, U* src1, Rest... rest) {
    if constexpr (std::is_same_v<T, U>) {
      OfTwo<instruction>::call(dst, src0, src1, rest...);
    } else {
      OfTwo<converting>::call(dst, src0, src1, rest...);
    }
  }
};

template <const Instruction& instruction>
struct OfOne {
  template <class T>
  static void make(T* dst, T* src, const Lanes& lanes, const Strides& strides) {
    issue(AscendC::in_api::unary_record(instruction, at(dst), at(src), lanes, strides));
  }
};
template <const Instruction& instruction>
struct WithScalar {
  template <class T, class U>
  static void make(T* dst, U* src, const Lanes& lanes, const Strides& strides,
                   AscendC::in_api::as_is<U> value) {
    issue(AscendC::in_api::scalar_record(instruction, at(dst), at(src), value, lanes, strides));
  }
};
struct MinusScalar {
  template <class T>
  static void make(T* dst, T* src, const Lanes& lanes, const Strides& strides,
                   AscendC::in_api::as_is<T> value) {
    WithScalar<isa::adds>::make(dst, src, lanes, strides, T(-value));
  }
};
template <bool round>
struct ShiftRight {
  template <class T>
  static void make(T* dst, T* src, const Lanes& lanes, const Strides& strides,
                   AscendC::in_api::as_is<T> value) {
    ShiftRecord record{
        AscendC::in_api::scalar_record(isa::shift_right, at(dst), at(src), value, lanes, strides)};
    record.round = round;
    issue(record);
  }
};

struct Duplicate {
  template <class T>
  static void call(T* dst, AscendC::in_api::as_is<T> src, uint32_t count) {
    AscendC::in_api::issue_from_scalar(isa::duplicate, at(dst), src, lanes_count(count), {1, 8});
  }
  template <class T>
  static void call(T* dst, AscendC::in_api::as_is<T> src, int32_t repeat, uint16_t dst_block_stride,
                   uint16_t dst_repeat_stride) {
    AscendC::in_api::issue_from_scalar(isa::duplicate, at(dst), src, masked(repeat),
                                       {dst_block_stride, dst_repeat_stride});
  }
};

}  // namespace vinci::asc

VINCI_ASC(add, OfTwo<vinci::isa::add>)
VINCI_ASC(add_relu, OfTwoTo<vinci::isa::add_relu, vinci::isa::add_relu_cast>)
VINCI_ASC(and, OfTwo<vinci::isa::bitwise_and>)
VINCI_ASC(div, OfTwo<vinci::isa::div>)
VINCI_ASC(fma, OfTwo<vinci::isa::mul_add_dst>)
VINCI_ASC(max, OfTwo<vinci::isa::max>)
VINCI_ASC(min, OfTwo<vinci::isa::min>)
VINCI_ASC(mul, OfTwo<vinci::isa::mul>)
VINCI_ASC(mul_add, OfTwo<vinci::isa::fused_mul_add>)
VINCI_ASC(mul_add_relu, OfTwo<vinci::isa::fused_mul_add_relu>)
VINCI_ASC(mul_cast_half2int8, OfTwo<vinci::isa::mul_cast>)
VINCI_ASC(mul_cast_half2uint8, OfTwo<vinci::isa::mul_cast>)
VINCI_ASC(or, OfTwo<vinci::isa::bitwise_or>)
VINCI_ASC(sub, OfTwo<vinci::isa::sub>)
VINCI_ASC(sub_relu, OfTwoTo<vinci::isa::sub_relu, vinci::isa::sub_relu_cast>)

VINCI_ASC(abs, From<vinci::asc::OfOne<vinci::isa::abs>>)
VINCI_ASC(exp, From<vinci::asc::OfOne<vinci::isa::exp>>)
VINCI_ASC(log, From<vinci::asc::OfOne<vinci::isa::ln>>)
VINCI_ASC(not, From<vinci::asc::OfOne<vinci::isa::bitwise_not>>)
VINCI_ASC(rcp, From<vinci::asc::OfOne<vinci::isa::reciprocal>>)
VINCI_ASC(relu, From<vinci::asc::OfOne<vinci::isa::relu>>)
VINCI_ASC(rsqrt, From<vinci::asc::OfOne<vinci::isa::rsqrt>>)
VINCI_ASC(sqrt, From<vinci::asc::OfOne<vinci::isa::sqrt>>)

VINCI_ASC(add_scalar, From<vinci::asc::WithScalar<vinci::isa::adds>>)
VINCI_ASC(axpy, From<vinci::asc::WithScalar<vinci::isa::axpy>>)
VINCI_ASC(leakyrelu, From<vinci::asc::WithScalar<vinci::isa::leaky_relu>>)
VINCI_ASC(max_scalar, From<vinci::asc::WithScalar<vinci::isa::maxs>>)
VINCI_ASC(min_scalar, From<vinci::asc::WithScalar<vinci::isa::mins>>)
VINCI_ASC(mul_scalar, From<vinci::asc::WithScalar<vinci::isa::muls>>)
VINCI_ASC(shiftleft, From<vinci::asc::WithScalar<vinci::isa::shift_left>>)
VINCI_ASC(shiftright, From<vinci::asc::ShiftRight<false>>)
VINCI_ASC(shiftright_round, From<vinci::asc::ShiftRight<true>>)
VINCI_ASC(sub_scalar, From<vinci::asc::MinusScalar>)
VINCI_ASC(duplicate, Duplicate)
