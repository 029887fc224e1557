// half and bfloat16_t in scalar code. Each kernel works on `count` elements.
#include "kernel_operator.h"

using AscendC::int4b_t;

#define IN(type, name) const type* name
#define KERNEL extern "C" __global__ __aicore__ void

namespace {

template <class T>
void four_operations(const T* a, const T* b, T* out, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    out[4 * i] = a[i] + b[i];
    out[4 * i + 1] = a[i] - b[i];
    out[4 * i + 2] = a[i] * b[i];
    out[4 * i + 3] = a[i] / b[i];
  }
}

template <class T>
void assignments(const T* a, const T* b, T* out, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    T* o = out + 8 * i;
    for (int k = 0; k < 6; ++k) o[k] = a[i];
    o[0] += b[i];
    o[1] -= b[i];
    o[2] *= b[i];
    o[3] /= b[i];
    ++o[4];
    o[5]--;
    o[6] = -a[i];
    o[7] = +a[i];
  }
}

template <class T>
void comparisons(const T* a, const T* b, uint8_t* out, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    out[i] = (a[i] < b[i]) | (a[i] <= b[i]) << 1 | (a[i] == b[i]) << 2 | (a[i] != b[i]) << 3 |
             (a[i] >= b[i]) << 4 | (a[i] > b[i]) << 5;
  }
}

template <class T, class From>
void convert(const From* in, T* out, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) out[i] = T(in[i]);
}

}  // namespace

KERNEL half_to_float(half* in, float* out, uint32_t count) { convert(in, out, count); }
KERNEL half_to_double(half* in, double* out, uint32_t count) { convert(in, out, count); }
KERNEL float_to_half(float* in, half* out, uint32_t count) { convert(in, out, count); }
KERNEL double_to_half(double* in, half* out, uint32_t count) { convert(in, out, count); }
KERNEL int32_to_half(int32_t* in, half* out, uint32_t count) { convert(in, out, count); }
KERNEL int64_to_half(int64_t* in, half* out, uint32_t count) { convert(in, out, count); }
KERNEL half_to_int32(half* in, int32_t* out, uint32_t count) { convert(in, out, count); }
KERNEL half_to_uint8(half* in, uint8_t* out, uint32_t count) { convert(in, out, count); }
KERNEL half_operations(half* a, half* b, half* out, uint32_t count) {
  four_operations(a, b, out, count);
}
KERNEL half_assignments(half* a, half* b, half* out, uint32_t count) { assignments(a, b, out, count); }
KERNEL half_comparisons(half* a, half* b, uint8_t* out, uint32_t count) {
  comparisons(a, b, out, count);
}

KERNEL bfloat16_to_float(bfloat16_t* in, float* out, uint32_t count) { convert(in, out, count); }
KERNEL float_to_bfloat16(float* in, bfloat16_t* out, uint32_t count) { convert(in, out, count); }
KERNEL double_to_bfloat16(double* in, bfloat16_t* out, uint32_t count) { convert(in, out, count); }
KERNEL int64_to_bfloat16(int64_t* in, bfloat16_t* out, uint32_t count) { convert(in, out, count); }
KERNEL bfloat16_operations(bfloat16_t* a, bfloat16_t* b, bfloat16_t* out, uint32_t count) {
  four_operations(a, b, out, count);
}
KERNEL bfloat16_assignments(bfloat16_t* a, bfloat16_t* b, bfloat16_t* out, uint32_t count) {
  assignments(a, b, out, count);
}

KERNEL half_to_bfloat16(half* in, bfloat16_t* out, uint32_t count) { convert(in, out, count); }

// A half beside a float is a float; beside an integer, too.
KERNEL mixed(half* a, float* b, float* out, uint32_t count) {
  static_assert(std::is_same_v<decltype(a[0] * b[0]), float>);
  static_assert(std::is_same_v<decltype(b[0] + a[0]), float>);
  static_assert(std::is_same_v<decltype(a[0] + a[0]), half>);
  static_assert(std::is_same_v<decltype(a[0] + 1), float>);
  static_assert(std::is_same_v<decltype(-a[0]), half>);
  static_assert(std::is_same_v<__bf16, bfloat16_t>);  // the vendor's compiler's name
  static_assert(sizeof(half) == 2 && sizeof(bfloat16_t) == 2 && alignof(half) == 2);
  for (uint32_t i = 0; i < count; ++i) out[i] = a[i] * b[i];
}

KERNEL half_plus_float(half* a, float* b, half* out, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    out[i] = a[i];
    out[i] += b[i];
  }
}

KERNEL int4_values(int8_t* out, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) out[i] = int8_t(int4b_t(int(i) - int(count) / 2));
}

KERNEL constants(half* out, uint32_t) {
  constexpr half kThird = half(1.0f) / half(3.0f);
  static_assert(float(kThird) != 0);
  out[0] = kThird;
  out[1] = 0.1;
  out[2] = 7;
  out[3] = half(true);
  out[4] = static_cast<half>(65519.996);
}
