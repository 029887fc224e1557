// What functions of the C interface share: operands where pointers point, and their two names.
#pragma once

#include "ascendc/matrix_intrinsic.h"
#include "ascendc/vector.h"
#include "c_api/sync.h"

using AscendC::int4b_t;

namespace vinci::asc {

using Strides = AscendC::UnaryRepeatParams;

template <class T>
AscendC::LocalTensor<T> at(__ubuf__ T* pointer) {
  return AscendC::LocalTensor<T>(AscendC::in_api::ub_at(pointer));
}
template <class T>
AscendC::LocalTensor<T> at(AscendC::TPosition position, T* pointer) {
  return AscendC::LocalTensor<T>(AscendC::in_api::at(position, pointer));
}
// The lanes of MASK.
inline Lanes masked(int32_t repeat) { return lanes_continuous(0, repeat, false); }

// Those of one source, with `make` of its kind.
template <class Kind>
struct From {
  template <class T, class U>
  static void call(T* dst, U* src, uint32_t count) {
    Kind::make(dst, src, lanes_count(count), Strides());
  }
  template <class T, class U>
  static void call(T* dst, U* src, int32_t repeat, uint16_t dst_block_stride,
                   uint16_t src_block_stride, uint16_t dst_repeat_stride,
                   uint16_t src_repeat_stride) {
    Kind::make(dst, src, masked(repeat),
               Strides(dst_block_stride, src_block_stride, dst_repeat_stride, src_repeat_stride));
  }
  template <class T, class U, class S>
  static void call(T* dst, U* src, S value, uint32_t count) {
    Kind::make(dst, src, lanes_count(count), Strides(), value);
  }
  template <class T, class U, class S>
  static void call(T* dst, U* src, S value, int32_t repeat, uint16_t dst_block_stride,
                   uint16_t src_block_stride, uint16_t dst_repeat_stride,
                   uint16_t src_repeat_stride) {
    Kind::make(dst, src, masked(repeat),
               Strides(dst_block_stride, src_block_stride, dst_repeat_stride, src_repeat_stride),
               value);
  }
};

}  // namespace vinci::asc

// asc_<name>, and asc_<name>_sync.
#define VINCI_ASC(name, ...)                       \
  template <class... Arguments>                    \
  void asc_##name(Arguments... arguments) {        \
    vinci::asc::__VA_ARGS__::call(arguments...);   \
  }                                                \
  template <class... Arguments>                    \
  void asc_##name##_sync(Arguments... arguments) { \
    vinci::asc::__VA_ARGS__::call(arguments...);   \
    asc_sync();                                    \
  }
