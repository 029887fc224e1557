// Comparison and selection by bits: Compare, CompareScalar, GetCmpMask, SetCmpMask, Select.
#pragma once

#include "ascendc/vector.h"

namespace vinci::isa {
extern const Instruction compare, compare_register, compare_scalar, get_cmp_mask, set_cmp_mask,
    select;
}  // namespace vinci::isa

namespace AscendC {

enum class CMPMODE : uint8_t { LT = 0, GT, EQ, LE, GE, NE };

// Where Select has its bits, and what the second source is.
enum class SELMODE : uint8_t {
  VSEL_CMPMASK_SPR = 0,     // the same bits for each repeat; two tensors
  VSEL_TENSOR_SCALAR_MODE,  // bits one after the other; a tensor and a scalar
  VSEL_TENSOR_TENSOR_MODE,  // bits one after the other; two tensors
};

namespace in_api {

// The modes of the two enums have one order.
inline vinci::Comparison comparison_of(CMPMODE mode) { return vinci::Comparison(mode); }

template <class U, class T>
void issue_compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                   const LocalTensor<T>& src1, CMPMODE mode, const vinci::Lanes& lanes,
                   const BinaryRepeatParams& params) {
  vinci::CompareRecord record{binary_record(vinci::isa::compare, src0, src0, src1, lanes, params),
                              comparison_of(mode)};
  record.dst = dst.operand();
  vinci::issue(record);
}

template <class U, class T>
void issue_compare_scalar(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T& scalar,
                          CMPMODE mode, const vinci::Lanes& lanes,
                          const UnaryRepeatParams& params) {
  vinci::issue(vinci::CompareRecord{
      scalar_record(vinci::isa::compare_scalar, dst, src0, scalar, lanes, params),
      comparison_of(mode)});
}

template <class T>
void issue_compare_register(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE mode,
                            const vinci::Lanes& lanes, const BinaryRepeatParams& params) {
  vinci::CompareRecord record{
      binary_record(vinci::isa::compare_register, src0, src0, src1, lanes, params),
      comparison_of(mode)};
  record.dst = {};
  vinci::issue(record);
}

// What the forms of Select share; sel and src1 or the scalar come after.
template <class T>
vinci::SelectRecord select_record(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                  SELMODE mode, const vinci::Lanes& lanes,
                                  const BinaryRepeatParams& params) {
  vinci::SelectRecord record{
      binary_record(vinci::isa::select, dst, src0, src0, lanes, params), {}, {}};
  record.src1 = {};
  record.mode = vinci::SelectRecord::Mode(mode);
  return record;
}

template <class T, class U>
void issue_select(vinci::SelectRecord record, const LocalTensor<U>& sel,
                  const LocalTensor<T>& src1) {
  record.sel = sel.operand();
  record.src1 = src1.operand();
  vinci::issue(record);
}
template <class T, class U>
void issue_select_scalar(vinci::SelectRecord record, const LocalTensor<U>& sel, const T& src1) {
  record.sel = sel.operand();
  record.scalar = scalar_bits(src1);
  record.scalar_dtype = vinci::dtype_of<T>;
  vinci::issue(record);
}

}  // namespace in_api

// Bit i of dst: whether src0[i] compares with src1[i] as cmpMode says.
template <class T, class U>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, uint32_t count) {
  in_api::issue_compare(dst, src0, src1, cmpMode, vinci::lanes_count(count), {});
}
template <class T, class U, bool isSetMask = true>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, const vinci::LaneBits& mask, int32_t repeatTime,
             const BinaryRepeatParams& repeatParams) {
  in_api::issue_compare(dst, src0, src1, cmpMode, vinci::lanes_bits(mask, repeatTime, isSetMask),
                        repeatParams);
}
template <class T, class U, bool isSetMask = true>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, const uint64_t mask, int32_t repeatTime,
             const BinaryRepeatParams& repeatParams) {
  in_api::issue_compare(dst, src0, src1, cmpMode,
                        vinci::lanes_continuous(mask, repeatTime, isSetMask), repeatParams);
}

// One repeat; the bits go to the register CMPMASK.
template <class T, bool isSetMask = true>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
             const vinci::LaneBits& mask, const BinaryRepeatParams& repeatParams) {
  in_api::issue_compare_register(src0, src1, cmpMode, vinci::lanes_bits(mask, 1, isSetMask),
                                 repeatParams);
}
template <class T, bool isSetMask = true>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
             const uint64_t mask, const BinaryRepeatParams& repeatParams) {
  in_api::issue_compare_register(src0, src1, cmpMode, vinci::lanes_continuous(mask, 1, isSetMask),
                                 repeatParams);
}

// Bit i of dst: whether src0[i] compares with the scalar. Compares is the newer name.
#define VINCI_COMPARE_SCALAR(Name)                                                               \
  template <class T, class U>                                                                    \
  void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0,                               \
            const in_api::as_is<T> src1Scalar, CMPMODE cmpMode, uint32_t count) {                \
    in_api::issue_compare_scalar(dst, src0, src1Scalar, cmpMode, vinci::lanes_count(count), {}); \
  }                                                                                              \
  template <class T, class U, bool isSetMask = true>                                             \
  void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0,                               \
            const in_api::as_is<T> src1Scalar, CMPMODE cmpMode, const vinci::LaneBits& mask,     \
            int32_t repeatTime, const UnaryRepeatParams& repeatParams) {                         \
    in_api::issue_compare_scalar(dst, src0, src1Scalar, cmpMode,                                 \
                                 vinci::lanes_bits(mask, repeatTime, isSetMask), repeatParams);  \
  }                                                                                              \
  template <class T, class U, bool isSetMask = true>                                             \
  void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0,                               \
            const in_api::as_is<T> src1Scalar, CMPMODE cmpMode, const uint64_t mask,             \
            int32_t repeatTime, const UnaryRepeatParams& repeatParams) {                         \
    in_api::issue_compare_scalar(dst, src0, src1Scalar, cmpMode,                                 \
                                 vinci::lanes_continuous(mask, repeatTime, isSetMask),           \
                                 repeatParams);                                                  \
  }

VINCI_COMPARE_SCALAR(CompareScalar)
VINCI_COMPARE_SCALAR(Compares)
#undef VINCI_COMPARE_SCALAR

// dst = src0 < src1 and so on, over the whole of the sources.
#define VINCI_COMPARISON(symbol, MODE)                                                       \
  namespace in_api {                                                                         \
  struct MODE##Operation {                                                                   \
    template <class U, class T>                                                              \
    static void run(const LocalTensor<U>& dst, const LocalTensor<T>& src0,                   \
                    const LocalTensor<T>& src1, uint32_t) {                                  \
      Compare(dst, src0, src1, CMPMODE::MODE, src0.GetSize());                               \
    }                                                                                        \
  };                                                                                         \
  }                                                                                          \
  template <class T>                                                                         \
  TensorExpression<in_api::MODE##Operation, T> operator symbol(const LocalTensor<T>& src0,   \
                                                               const LocalTensor<T>& src1) { \
    return {src0, src1};                                                                     \
  }

VINCI_COMPARISON(<, LT)
VINCI_COMPARISON(>, GT)
VINCI_COMPARISON(==, EQ)
VINCI_COMPARISON(<=, LE)
VINCI_COMPARISON(>=, GE)
VINCI_COMPARISON(!=, NE)
#undef VINCI_COMPARISON

// The 16 bytes of CMPMASK to dst, or from src.
template <class T>
void GetCmpMask(const LocalTensor<T>& dst) {
  vinci::issue(vinci::CompareMaskRecord{{&vinci::isa::get_cmp_mask}, dst.operand()});
}
template <class T>
void SetCmpMask(const LocalTensor<T>& src) {
  vinci::issue(vinci::CompareMaskRecord{{&vinci::isa::set_cmp_mask}, src.operand()});
}

// dst[i] = bit i of selMask ? src0[i] : src1[i], which is a tensor or a scalar.
template <class T, class U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE selMode, uint32_t count) {
  in_api::issue_select(in_api::select_record(dst, src0, selMode, vinci::lanes_count(count), {}),
                       selMask, src1);
}
template <class T, class U, bool isSetMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE selMode, const vinci::LaneBits& mask,
            int32_t repeatTime, const BinaryRepeatParams& repeatParams) {
  in_api::issue_select(
      in_api::select_record(dst, src0, selMode, vinci::lanes_bits(mask, repeatTime, isSetMask),
                            repeatParams),
      selMask, src1);
}
template <class T, class U, bool isSetMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE selMode, uint64_t mask, int32_t repeatTime,
            const BinaryRepeatParams& repeatParams) {
  in_api::issue_select(
      in_api::select_record(dst, src0, selMode,
                            vinci::lanes_continuous(mask, repeatTime, isSetMask), repeatParams),
      selMask, src1);
}
template <class T, class U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const in_api::as_is<T> src1, SELMODE selMode, uint32_t count) {
  in_api::issue_select_scalar<T>(
      in_api::select_record(dst, src0, selMode, vinci::lanes_count(count), {}), selMask, src1);
}
template <class T, class U, bool isSetMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const in_api::as_is<T> src1, SELMODE selMode, const vinci::LaneBits& mask,
            int32_t repeatTime, const BinaryRepeatParams& repeatParams) {
  in_api::issue_select_scalar<T>(
      in_api::select_record(dst, src0, selMode, vinci::lanes_bits(mask, repeatTime, isSetMask),
                            repeatParams),
      selMask, src1);
}
template <class T, class U, bool isSetMask = true>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const in_api::as_is<T> src1, SELMODE selMode, uint64_t mask, int32_t repeatTime,
            const BinaryRepeatParams& repeatParams) {
  in_api::issue_select_scalar<T>(
      in_api::select_record(dst, src0, selMode,
                            vinci::lanes_continuous(mask, repeatTime, isSetMask), repeatParams),
      selMask, src1);
}

// Lanes as MASK enables them. CMPMASK has the bits (mode 0) or the address of selMask (mode 2).
template <class T, SELMODE selMode>
void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
            int32_t repeatTime, const BinaryRepeatParams& repeatParams) {
  vinci::SelectRecord record = in_api::select_record(
      dst, src0, selMode, vinci::lanes_continuous(MASK_PLACEHOLDER, repeatTime, false),
      repeatParams);
  record.src1 = src1.operand();
  vinci::issue(record);
}
// The same with a scalar, which CMPMASK has in its low bits.
template <class T, class U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            int32_t repeatTime, const BinaryRepeatParams& repeatParams) {
  vinci::SelectRecord record = in_api::select_record(
      dst, src0, SELMODE::VSEL_TENSOR_SCALAR_MODE,
      vinci::lanes_continuous(MASK_PLACEHOLDER, repeatTime, false), repeatParams);
  record.sel = selMask.operand();
  vinci::issue(record);
}

}  // namespace AscendC
