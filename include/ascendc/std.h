// AscendC::Std: what kernels may use of the C++ standard library.
#pragma once

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "vinci/cmath.h"

namespace AscendC {
namespace Std {

using std::get;
using std::ignore;
using std::make_tuple;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_element_t;
using std::tuple_size;
using std::tuple_size_v;

using std::forward;
using std::forward_as_tuple;
using std::index_sequence;
using std::integer_sequence;
using std::make_index_sequence;
using std::move;
using std::swap;

#define VINCI_TRAIT(name) \
  using std::name;        \
  using std::name##_v;
#define VINCI_TRANSFORMATION(name) \
  using std::name;                 \
  using std::name##_t;
VINCI_TRAIT(is_array)
VINCI_TRAIT(is_base_of)
VINCI_TRAIT(is_const)
VINCI_TRAIT(is_convertible)
VINCI_TRAIT(is_floating_point)
VINCI_TRAIT(is_integral)
VINCI_TRAIT(is_pointer)
VINCI_TRAIT(is_reference)
VINCI_TRAIT(is_same)
VINCI_TRAIT(is_void)
VINCI_TRANSFORMATION(add_const)
VINCI_TRANSFORMATION(add_cv)
VINCI_TRANSFORMATION(add_lvalue_reference)
VINCI_TRANSFORMATION(add_pointer)
VINCI_TRANSFORMATION(add_rvalue_reference)
VINCI_TRANSFORMATION(add_volatile)
VINCI_TRANSFORMATION(conditional)
VINCI_TRANSFORMATION(decay)
VINCI_TRANSFORMATION(enable_if)
VINCI_TRANSFORMATION(remove_const)
VINCI_TRANSFORMATION(remove_cv)
VINCI_TRANSFORMATION(remove_pointer)
VINCI_TRANSFORMATION(remove_reference)
VINCI_TRANSFORMATION(remove_volatile)
#undef VINCI_TRAIT
#undef VINCI_TRANSFORMATION

template <class T>
struct remove_cvref {
  using type = std::remove_cv_t<std::remove_reference_t<T>>;
};
template <class T>
using remove_cvref_t = typename remove_cvref<T>::type;

using std::bool_constant;
using std::false_type;
using std::integral_constant;
using std::true_type;
using std::void_t;
template <size_t number>
using Int = std::integral_constant<size_t, number>;

template <class T>
struct is_tuple : std::false_type {};
template <class... Ts>
struct is_tuple<std::tuple<Ts...>> : std::true_type {};
template <class T>
inline constexpr bool is_tuple_v = is_tuple<std::remove_cv_t<T>>::value;

// Of two numbers of one type.
template <class T, class U>
constexpr auto min(const T& src0, const U& src1) {
  static_assert(std::is_same_v<T, U>, "Std::min: both numbers have one type");
  return src1 < src0 ? src1 : src0;
}
template <class T, class U>
constexpr auto max(const T& src0, const U& src1) {
  static_assert(std::is_same_v<T, U>, "Std::max: both numbers have one type");
  return src0 < src1 ? src1 : src0;
}
template <class T>
T abs(const T src) {
  return T(std::abs(src));
}
// Of an integer: without its fraction.
template <class T>
T sqrt(const T src) {
  if constexpr (std::is_integral_v<T>) return T(std::sqrt((long double)(src)));
  return T(std::sqrt(src));
}

}  // namespace Std

template <class A, class B>
using IsSameType = std::is_same<A, B>;
template <bool condition, class A, class B>
using Conditional = std::conditional<condition, A, B>;

}  // namespace AscendC
