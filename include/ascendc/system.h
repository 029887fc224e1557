// Which block this is, and printing.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "ascendc/number.h"
#include "vinci/door.h"

namespace AscendC {

inline int64_t GetBlockIdx() { return vinci::block_index(); }
inline int64_t GetBlockNum() { return vinci::block_count(); }
// Bytes of a datablock.
constexpr int16_t GetDataBlockSizeInBytes() { return 32; }

namespace detail {

// A value as a C variadic function takes it: half and bfloat16_t as double.
template <class T>
auto printable(T value) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>) {
    return double(float(value));
  } else {
    return value;
  }
}

}  // namespace detail

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
template <class... Args>
inline int printf(const char* format, Args... args) {
  return vinci::print(format, detail::printable(args)...);
}
template <class... Args>
inline int PRINTF(const char* format, Args... args) {
  return vinci::print(format, detail::printable(args)...);
}
#pragma GCC diagnostic pop

}  // namespace AscendC
