// Tiling data in kernels of operator packages: structs that the host's tiling function filled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "vinci/tiling_data.h"

// The struct that GET_TILING_DATA takes. For a package vinci says which one (src/op/kernel_text.h)
// where the host's definitions do; else the kernel does.
#define REGISTER_TILING_DEFAULT(type) using registered_tiling_struct [[maybe_unused]] = type
// Read in the text, as its expression is a string.
#define REGISTER_TILING_FOR_TILINGKEY(expression, type) \
  static_assert(sizeof(expression) > 1 && sizeof(type) != 0)
#define REGISTER_NONE_TILING static_assert(true)
#define VINCI_TILING_STRUCT registered_tiling_struct
// Compares a struct with those that the host has registered, in a package.
#define VINCI_SAME_TILING(type) static_assert(true)

#define GET_TILING_DATA(variable, tiling) \
  VINCI_TILING_STRUCT variable;           \
  VINCI_SAME_TILING(VINCI_TILING_STRUCT); \
  ::vinci::read_tiling(&variable, tiling, sizeof(variable), #variable)
#define GET_TILING_DATA_WITH_STRUCT(type, variable, tiling) \
  type variable;                                            \
  VINCI_SAME_TILING(type);                                  \
  ::vinci::read_tiling(&variable, tiling, sizeof(variable), #type)
#define GET_TILING_DATA_MEMBER(type, member, variable, tiling)                         \
  decltype(type::member) variable;                                                     \
  VINCI_SAME_TILING(type);                                                             \
  ::vinci::read_tiling(&variable, (tiling) + offsetof(type, member), sizeof(variable), \
                       #type "::" #member)
#define GET_TILING_DATA_PTR_WITH_STRUCT(type, pointer, tiling) \
  VINCI_SAME_TILING(type);                                     \
  __gm__ type* pointer = reinterpret_cast<__gm__ type*>(tiling)
#define __tiling_data_ptr__

// Copies of what such a pointer leads to; `from` is a struct, or a pointer to one.
#define COPY_TILING_WITH_STRUCT(type, from, pointer)        \
  type pointer##_copy = ::vinci::tiling_struct<type>(from); \
  const type* pointer = &pointer##_copy
#define COPY_TILING_WITH_ARRAY(type, count, from, pointer)          \
  auto pointer##_copy = ::vinci::tiling_array<type, (count)>(from); \
  const auto* pointer = &pointer##_copy.values

namespace vinci {

template <class T, class From>
T tiling_struct(const From& from) {
  if constexpr (std::is_pointer_v<From>) {
    return *from;
  } else {
    return from;
  }
}

template <class T, size_t count>
struct TilingArray {
  T values[count];
};
template <class T, size_t count>
TilingArray<T, count> tiling_array(const T* from) {
  TilingArray<T, count> array;
  for (size_t i = 0; i < count; ++i) array.values[i] = from[i];
  return array;
}

}  // namespace vinci

// A tiling that is known when the kernel is compiled, from its bytes.
template <class T>
constexpr T convert_from_bytes(const uint8_t* bytes) {
  struct Bytes {
    uint8_t of[sizeof(T)];
  };
  Bytes copy{};
  for (size_t i = 0; i < sizeof(T); ++i) copy.of[i] = bytes[i];
  return __builtin_bit_cast(T, copy);
}
