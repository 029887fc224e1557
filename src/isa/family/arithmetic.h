// Element-wise arithmetic: the types that instructions share, the operations that several use, and
// how an operation becomes an instruction.
#pragma once

#include "isa/family/elementwise.h"
#include "isa/family/operation.h"

namespace vinci::vector {

inline constexpr ArchSet kOlder = kArch1000 | kArch1001;
inline constexpr ArchSet kNewer = kArch2002 | kArch2002Vector | kArch2201 | kArch3002;

inline constexpr Signature kHalfOnly[] = {DType::kHalf};
inline constexpr Signature kFloats[] = {DType::kHalf, DType::kFloat};
inline constexpr Signature kFloatsAndInt32[] = {DType::kHalf, DType::kFloat, DType::kInt32};
inline constexpr Signature kNumbers[] = {DType::kHalf, DType::kFloat, DType::kInt16, DType::kInt32};
inline constexpr Signature k16Bits[] = {DType::kInt16, DType::kUint16};

// Tables that several instructions have.
inline constexpr Support kFloatsEverywhere[] = {{kOlder | kNewer, kFloats}};
inline constexpr Support kFloatsOfTik[] = {{kOlder | kNewer, kFloats, true, kTik}};
inline constexpr Support kFloatsBut1000[] = {{kArch1001 | kNewer, kFloats}};
inline constexpr Support kHalfThenFloats[] = {{kArch1000, kHalfOnly},
                                              {kArch1001 | kNewer, kFloats}};
inline constexpr Support kFloatsThenNumbers[] = {{kOlder, kFloats}, {kNewer, kNumbers}};
inline constexpr Support kNumbersOnNewer[] = {{kNewer, kNumbers}};
inline constexpr Support kBitsEverywhere[] = {{kOlder | kNewer, k16Bits}};

// Operations that several instructions use.
struct Sum {
  static constexpr bool kOverflows = true;
  template <class T>
  static T apply(T a, T b) {
    return T(a + b);
  }
};

struct Difference {
  static constexpr bool kOverflows = true;
  template <class T>
  static T apply(T a, T b) {
    return T(a - b);
  }
};

struct Product {
  static constexpr bool kOverflows = true;
  template <class T>
  static T apply(T a, T b) {
    return T(a * b);
  }
};

struct Larger {
  // NaN if one of them is; of two zeros +0, if there is one.
  template <FloatVector F>
  static F apply(F a, F b) {
    // The same number, but where one is NaN, and where both are zero.
    return nan_with(a, b, and_bits(larger(a, b), larger(b, a)));
  }
  template <class T>
  static T apply(T a, T b) {
    return a > b ? a : b;
  }
};

struct Smaller {
  // NaN if one of them is; of two zeros -0, if there is one.
  template <FloatVector F>
  static F apply(F a, F b) {
    // The same number, but where a and b are equal or one is NaN: there they are a and b.
    const F x = smaller(b, a), y = smaller(a, b);
    return or_bits(x, y);
  }
  template <class T>
  static T apply(T a, T b) {
    return a < b ? a : b;
  }
};

// What is above 0, else +0.
struct Positive {
  // NaN stays.
  template <FloatVector F>
  static F apply(F x) {
    return select(x <= 0.0f, F{}, x);
  }
  template <class T>
  static T apply(T x) {
    return x <= 0 ? T(0) : x;
  }
};

// From an operation (family/operation.h) and a table of types to an instruction: `mnemonic` is the
// file's name, `api` what documents and messages call it. What an operation cannot take and the
// table names does not compile.
//
// dst[i] = op(src[i])
template <class Op, const auto& support>
constexpr Instruction unary_instruction(std::string_view mnemonic, std::string_view api) {
  return elementwise_instruction<ElementwiseRecord, 1, operate<Op, Second::kNone, support>>(
      mnemonic, api, support);
}

// dst[i] = op(src0[i], src1[i])
template <class Op, const auto& support>
constexpr Instruction binary_instruction(std::string_view mnemonic, std::string_view api) {
  return elementwise_instruction<ElementwiseRecord, 2, operate<Op, Second::kSource, support>>(
      mnemonic, api, support);
}

// dst[i] = op(src[i], scalar); check(record, check) has rules of its own.
template <class Op, const auto& support, auto check = no_rules<ElementwiseRecord>>
constexpr Instruction scalar_instruction(std::string_view mnemonic, std::string_view api) {
  return elementwise_instruction<ElementwiseRecord, 1, operate<Op, Second::kScalar, support>,
                                 check>(mnemonic, api, support);
}

// And, Or. Kernels call them with bytes, too, in the count form, where it makes no difference which
// integers the bits belong to.
inline constexpr Signature k16And8Bits[] = {DType::kInt16, DType::kUint16, DType::kInt8,
                                            DType::kUint8};
inline constexpr Support kBitsSupport[] = {
    {kOlder | kArch2002 | kArch2002Vector | kArch3002, k16Bits},
    {kArch2201, k16Bits, true, kTik},
    {kArch2201, k16And8Bits, true, kAscendC}};
inline constexpr DType kWords[] = {DType::kInt16, DType::kUint16};

inline void tell_bytes(const ElementwiseRecord& record, Check& check) {
  if (bits_of(record.dst.dtype) == 8 && record.lanes.form != Lanes::Form::kCount) {
    check.fail(Code::kSocTypes, "8-bit integers have no form with a mask", "int16, uint16");
  } else {
    tell_types_by_size("dst", record.dst.dtype, kWords, check);
  }
}

template <class Op>
constexpr Instruction bits_instruction(std::string_view mnemonic, std::string_view api) {
  return elementwise_instruction<ElementwiseRecord, 2, operate<Op, Second::kSource, kBitsSupport>,
                                 tell_bytes>(mnemonic, api, kBitsSupport);
}

// Add, Sub, Mul, Max, Min: dst may sum up in src1, but for int16.
inline bool may_accumulate(const ElementwiseRecord& record) {
  return record.dst.dtype != DType::kInt16;
}
inline constexpr Support kAccumulatingSupport[] = {{kOlder, kFloatsAndInt32}, {kNewer, kNumbers}};

template <class Op>
constexpr Instruction accumulating_instruction(std::string_view mnemonic, std::string_view api) {
  return elementwise_instruction<ElementwiseRecord, 2,
                                 operate<Op, Second::kSource, kAccumulatingSupport>,
                                 no_rules<ElementwiseRecord>, view_of, may_accumulate>(
      mnemonic, api, kAccumulatingSupport);
}

// AddRelu, SubRelu: what is above 0 of a result, else +0. A repeat may add to the one before, so
// the two steps alternate.
inline constexpr Signature kPositiveTypes[] = {DType::kHalf, DType::kFloat, DType::kInt16};
inline constexpr Support kPositiveSupport[] = {
    {kArch2002 | kArch2002Vector | kArch2201, kPositiveTypes}, {kArch3002, kFloats}};

template <class Op>
void operate_then_relu(const ElementwiseRecord& record, const State& state, const LaneRows& rows) {
  rows.for_each([&](const LaneArrays& arrays) {
    operate<Op, Second::kSource, kPositiveSupport>(record, state, {arrays, 1, {}, 0});
    const LaneArrays results{{arrays.dst}, arrays.dst, arrays.count};
    operate<Positive, Second::kNone, kPositiveSupport>(record, state, {results, 1, {}, 0});
  });
}

template <class Op>
constexpr Instruction positive_instruction(std::string_view mnemonic, std::string_view api) {
  return elementwise_instruction<ElementwiseRecord, 2, operate_then_relu<Op>,
                                 no_rules<ElementwiseRecord>, view_of, may_accumulate>(
      mnemonic, api, kPositiveSupport);
}

}  // namespace vinci::vector
