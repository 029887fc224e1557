// Printing from kernels.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "ascendc/number.h"
#include "vinci/debug.h"
#include "vinci/door.h"

namespace AscendC {

namespace in_api {

// A value as a C variadic function takes it: half and bfloat16_t as double.
template <class T>
auto printable(T value) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>) {
    return double(float(value));
  } else if constexpr (std::is_class_v<T>) {
    return int64_t(value);
  } else {
    return value;
  }
}

template <class T>
vinci::PrintValue print_value(T given) {
  using Kind = vinci::PrintValue::Kind;
  const auto value = printable(given);
  using V = std::remove_const_t<decltype(value)>;
  vinci::PrintValue result;
  if constexpr (std::is_floating_point_v<V>) {
    result.kind = Kind::kFloat;
    result.real = value;
  } else if constexpr (std::is_same_v<V, const char*> || std::is_same_v<V, char*>) {
    result.kind = Kind::kText;
    result.text = value;
  } else if constexpr (std::is_pointer_v<V> || std::is_null_pointer_v<V>) {
    result.kind = Kind::kPointer;
    result.pointer = value;
  } else {
    result.kind = std::is_unsigned_v<V> ? Kind::kUnsigned : Kind::kSigned;
    result.bytes = sizeof(V);
    result.number = int64_t(value);
  }
  return result;
}

// Where code is compiled for the chip, lines look as there; else this is C's printf.
template <class... Args>
int say(const char* format, Args... args) {
#if defined(ASCENDC_DUMP) && ASCENDC_DUMP == 0
  (void)format;
  ((void)args, ...);
  return 0;
#elif defined(VINCI_PASS_AIC) || defined(VINCI_PASS_AIV) || defined(VINCI_PASS_WHOLE)
  const vinci::PrintValue values[] = {print_value(args)..., vinci::PrintValue{}};
  return vinci::print_from_chip(format, values, sizeof...(args));
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security"
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return vinci::print(format, printable(args)...);
#pragma GCC diagnostic pop
#endif
}

// assert, with a message or without; ascendc_assert, whose line ends differently.
[[noreturn]] inline void failed(const char* expression, const char* file, int line) {
  vinci::assertion_failed(expression, file, line);
}
template <class... Args>
[[noreturn]] void failed(const char* expression, const char* file, int line, const char* format,
                         Args... args) {
  const vinci::PrintValue values[] = {print_value(args)..., vinci::PrintValue{}};
  vinci::assertion_failed(expression, file, line, format, values, sizeof...(args));
}
[[noreturn]] inline void failed_with(const char* expression, const char* file, int line) {
  vinci::assertion_failed(expression, file, line, "", nullptr, 0);
}
template <class... Args>
[[noreturn]] void failed_with(const char* expression, const char* file, int line,
                              const char* format, Args... args) {
  failed(expression, file, line, format, args...);
}

// `level`: KERNEL_ERROR and so on.
template <class... Args>
void log(const char* level, const char* file, int line, const char* function, const char* format,
         Args... args) {
  const vinci::PrintValue values[] = {print_value(args)..., vinci::PrintValue{}};
  vinci::log_line(level + sizeof("KERNEL_") - 1, file, line, function, format, values,
                  sizeof...(args));
}

}  // namespace in_api

// Half and bfloat16_t are numbers to %f.
template <class... Args>
int printf(const char* format, Args... args) {
  return in_api::say(format, args...);
}
template <class... Args>
int PRINTF(const char* format, Args... args) {
  return in_api::say(format, args...);
}

}  // namespace AscendC
