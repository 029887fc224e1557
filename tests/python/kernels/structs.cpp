// Kernels that take structs by value and write their bytes, with numbers in front and behind so
// that a value in the wrong register is noticed.
#include "kernel_operator.h"

struct Tiling {
  uint32_t rows, columns;
  uint16_t flags[3];
  int64_t stride;
};
struct OneFloat {
  float scale;
};
struct TwoFloats {
  float x, y;
};
struct ThreeFloats {
  float x, y, z;
};
struct FloatAndInt {
  float x;
  int32_t n;
};
struct FloatsThenInt {
  float x, y;
  int32_t n;
};
struct ElevenBytes {
  uint8_t bytes[11];
};
struct Nested {
  OneFloat first;
  Tiling second;
  union {
    float f;
    uint32_t u;
  } third;
};
struct Bits {
  uint32_t low : 3, high : 29;
  half h;
};
struct Derived : OneFloat {
  double d;
};
struct Halves {
  half a, b, c, d;
};
struct Empty {};
struct __attribute__((packed)) Packed {
  uint8_t a;
  uint32_t b;
};
struct alignas(16) Aligned {
  uint32_t a;
};
struct Copied {
  Copied(const Copied& other) : a(other.a) {}
  uint32_t a;
};
struct Ended {
  ~Ended() { a = 0; }
  uint32_t a;
};
struct Holder {
  Ended member;
};
struct Virtual {
  virtual void nothing() {}
  uint32_t a;
};
// Constructors that do not matter.
struct Harmless {
  Harmless() = default;
  Harmless(const Harmless&) = default;
  Harmless(uint32_t x, float y) : a(x), b(y) {}
  uint32_t a;
  float b;
};

template <class T>
__attribute__((always_inline)) inline void put(GM_ADDR out, const T& value) {
  for (unsigned i = 0; i < sizeof(T); ++i) out[i] = reinterpret_cast<const uint8_t*>(&value)[i];
}

#define TAKE(name, type)                                                                       \
  extern "C" __global__ __aicore__ void name(GM_ADDR out, float before, type value, int32_t n, \
                                             float behind) {                                   \
    put(out, value);                                                                           \
    put(out + 64, before), put(out + 68, n), put(out + 72, behind);                            \
  }
TAKE(take_tiling, Tiling)
TAKE(take_one_float, OneFloat)
TAKE(take_two_floats, TwoFloats)
TAKE(take_three_floats, ThreeFloats)
TAKE(take_float_and_int, FloatAndInt)
TAKE(take_floats_then_int, FloatsThenInt)
TAKE(take_eleven_bytes, ElevenBytes)
TAKE(take_nested, Nested)
TAKE(take_bits, Bits)
TAKE(take_derived, Derived)
TAKE(take_halves, Halves)
TAKE(take_empty, Empty)
TAKE(take_packed, Packed)
TAKE(take_aligned, Aligned)
TAKE(take_copied, Copied)
TAKE(take_holder, Holder)
TAKE(take_virtual, Virtual)
TAKE(take_harmless, Harmless)

// Each block has a copy of its own, and may change it.
extern "C" __global__ __aicore__ void take_tiling_on_each(GM_ADDR out, Tiling value) {
  value.rows += AscendC::GetBlockIdx();
  put(out + 64 * AscendC::GetBlockIdx(), value);
}
