// Kernels that write what they were called with.
#include <cstddef>

#include "kernel_operator.h"

namespace {

template <class T>
void put(GM_ADDR out, int cell, T value) {
  for (unsigned i = 0; i < sizeof(T); ++i) out[cell * 8 + i] = reinterpret_cast<uint8_t*>(&value)[i];
}

}  // namespace

enum class Mode : uint16_t { kNone };
using Count = const uint32_t;
struct Tiling {
  uint32_t rows, columns;
};
struct OneFloat {
  float scale;
};

#define ONE_VALUE(name, type) \
  extern "C" __global__ __aicore__ void name(GM_ADDR out, type value) { put(out, 0, value); }
ONE_VALUE(take_half, half)
ONE_VALUE(take_bfloat16, bfloat16_t)
ONE_VALUE(take_float, float)
ONE_VALUE(take_int8, int8_t)
ONE_VALUE(take_uint8, uint8_t)
ONE_VALUE(take_int16, int16_t)
ONE_VALUE(take_uint16, uint16_t)
ONE_VALUE(take_int32, int32_t)
ONE_VALUE(take_uint32, uint32_t)
ONE_VALUE(take_int64, int64_t)
ONE_VALUE(take_uint64, uint64_t)
ONE_VALUE(take_bool, bool)
ONE_VALUE(take_char, char)
ONE_VALUE(take_size, size_t)
ONE_VALUE(take_enum, Mode)
ONE_VALUE(take_typedef, Count)
ONE_VALUE(take_double, double)
ONE_VALUE(take_struct, Tiling)
ONE_VALUE(take_float_struct, OneFloat)
ONE_VALUE(take_int4, AscendC::int4b_t)

// More of each kind than any calling convention keeps in registers.
extern "C" __global__ __aicore__ void take_many(
    GM_ADDR out, int8_t a, float b, uint16_t c, half d, int32_t e, float f, uint64_t g, float h,
    int16_t i, float j, uint8_t k, float l, int64_t m, float n, bool o, float p, uint32_t q, float r,
    bfloat16_t s, float t) {
  put(out, 0, a), put(out, 1, b), put(out, 2, c), put(out, 3, d), put(out, 4, e), put(out, 5, f);
  put(out, 6, g), put(out, 7, h), put(out, 8, i), put(out, 9, j), put(out, 10, k), put(out, 11, l);
  put(out, 12, m), put(out, 13, n), put(out, 14, o), put(out, 15, p), put(out, 16, q);
  put(out, 17, r), put(out, 18, s), put(out, 19, t);
}

// Pointers of any type are GM.
extern "C" __global__ __aicore__ void take_pointers(__gm__ half* a, __gm__ const float* b,
                                                    __gm__ void* c, __gm__ Tiling* d) {
  *a = half(*b);
  *static_cast<uint8_t*>(c) = uint8_t(d->columns);
}
