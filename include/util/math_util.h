// Division and alignment of whole numbers, as host functions of operators use them.
#pragma once

#include <type_traits>

namespace Ops {
namespace Base {

// Rounded up; x, if y is 0.
template <typename T>
T CeilDiv(T x, T y) {
  static_assert(std::is_integral<T>::value, "whole numbers");
  return y == 0 ? x : static_cast<T>(x / y + (x % y != 0 && (x < 0) == (y < 0) ? 1 : 0));
}
// Rounded towards 0; x, if y is 0.
template <typename T>
T FloorDiv(T x, T y) {
  static_assert(std::is_integral<T>::value, "whole numbers");
  return y == 0 ? x : static_cast<T>(x / y);
}
// A multiple of `align`, at least x; 0, if `align` is 0.
template <typename T>
T CeilAlign(T x, T align) {
  return align == 0 ? T{0} : static_cast<T>(CeilDiv(x, align) * align);
}
// A multiple of `align`, at most x; 0, if `align` is 0.
template <typename T>
T FloorAlign(T x, T align) {
  return align == 0 ? T{0} : static_cast<T>(x / align * align);
}

}  // namespace Base
}  // namespace Ops
