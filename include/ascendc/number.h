// half, bfloat16_t and int4b_t: the element types that C++ lacks, for scalar code in kernels.
//
// Arithmetic goes through float and rounds once to nearest even, which gives the correctly rounded
// result for + - * / (float carries more than twice the digits). Infinities and NaN are kept.
#pragma once

#include <cstdint>
#include <type_traits>

#include "vinci/float_bits.h"

namespace vinci {

// What a 16-bit float can be computed with: itself and the arithmetic types.
template <class Number, class Float16>
inline constexpr bool is_operand_of =
    std::is_arithmetic_v<Number> || std::is_same_v<Number, Float16>;

}  // namespace vinci

// A 16-bit float type is its bit pattern, its conversions to and from float, and operators that
// go through float. Mixed with another arithmetic type the result is a float, as on the device.
// The macro spells both types once.
#define VINCI_DEFINE_SMALL_FLOAT(Type, to_float, of_float)                                \
  struct Type {                                                                           \
    uint16_t bits;                                                                        \
                                                                                          \
    Type() = default;                                                                     \
    constexpr Type(float value) : bits(vinci::of_float(value)) {}                         \
    template <class N, std::enable_if_t<std::is_arithmetic_v<N>, int> = 0>                \
    constexpr Type(N value) : bits(vinci::of_float(vinci::float_of_number_odd(value))) {} \
    constexpr operator float() const { return vinci::to_float(bits); }                    \
    constexpr float ToFloat() const { return *this; }                                     \
                                                                                          \
    static constexpr Type from_bits(uint16_t pattern) {                                   \
      Type result(0.0f);                                                                  \
      result.bits = pattern;                                                              \
      return result;                                                                      \
    }                                                                                     \
    constexpr Type operator-() const { return from_bits(uint16_t(bits ^ 0x8000)); }       \
    constexpr Type operator+() const { return *this; }                                    \
    template <class N, std::enable_if_t<vinci::is_operand_of<N, Type>, int> = 0>          \
    constexpr Type& operator+=(N other) {                                                 \
      return *this = Type(float(*this) + float(other));                                   \
    }                                                                                     \
    template <class N, std::enable_if_t<vinci::is_operand_of<N, Type>, int> = 0>          \
    constexpr Type& operator-=(N other) {                                                 \
      return *this = Type(float(*this) - float(other));                                   \
    }                                                                                     \
    template <class N, std::enable_if_t<vinci::is_operand_of<N, Type>, int> = 0>          \
    constexpr Type& operator*=(N other) {                                                 \
      return *this = Type(float(*this) * float(other));                                   \
    }                                                                                     \
    template <class N, std::enable_if_t<vinci::is_operand_of<N, Type>, int> = 0>          \
    constexpr Type& operator/=(N other) {                                                 \
      return *this = Type(float(*this) / float(other));                                   \
    }                                                                                     \
    constexpr Type& operator++() { return *this += 1; }                                   \
    constexpr Type& operator--() { return *this -= 1; }                                   \
    constexpr Type operator++(int) {                                                      \
      const Type old = *this;                                                             \
      ++*this;                                                                            \
      return old;                                                                         \
    }                                                                                     \
    constexpr Type operator--(int) {                                                      \
      const Type old = *this;                                                             \
      --*this;                                                                            \
      return old;                                                                         \
    }                                                                                     \
  };                                                                                      \
  template <class T, std::enable_if_t<std::is_same_v<T, Type>, int> = 0>                  \
  constexpr T operator+(T a, T b) {                                                       \
    return a += b;                                                                        \
  }                                                                                       \
  template <class T, std::enable_if_t<std::is_same_v<T, Type>, int> = 0>                  \
  constexpr T operator-(T a, T b) {                                                       \
    return a -= b;                                                                        \
  }                                                                                       \
  template <class T, std::enable_if_t<std::is_same_v<T, Type>, int> = 0>                  \
  constexpr T operator*(T a, T b) {                                                       \
    return a *= b;                                                                        \
  }                                                                                       \
  template <class T, std::enable_if_t<std::is_same_v<T, Type>, int> = 0>                  \
  constexpr T operator/(T a, T b) {                                                       \
    return a /= b;                                                                        \
  }

VINCI_DEFINE_SMALL_FLOAT(half, float_of_half, half_of_float)
VINCI_DEFINE_SMALL_FLOAT(bfloat16_t, float_of_bfloat16, bfloat16_of_float)
#undef VINCI_DEFINE_SMALL_FLOAT

// The name that the vendor's compiler has for bfloat16_t, and published kernels use. A macro, since
// some compilers of the host have a type of that name, which is another one.
#define __bf16 bfloat16_t

namespace AscendC {

// A 4-bit integer, -8..7, in a byte of its own. In tensors two of them share a byte, element 2k in
// the low nibble; LocalTensor::GetValue and SetValue pack and unpack.
struct int4b_t {
  int8_t value;

  int4b_t() = default;
  // Keeps the low four bits.
  constexpr int4b_t(int number) : value(int8_t(((number & 15) ^ 8) - 8)) {}
  constexpr operator int() const { return value; }
};

}  // namespace AscendC
