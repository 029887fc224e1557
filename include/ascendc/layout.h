// Layout: how coordinates of a tensor become places in memory.
#pragma once

#include "ascendc/std.h"

namespace AscendC {

template <class... Sizes>
using Shape = Std::tuple<Sizes...>;
template <class... Steps>
using Stride = Std::tuple<Steps...>;
template <class... Coords>
using Coord = Std::tuple<Coords...>;

template <class... Ts>
constexpr Shape<Ts...> MakeShape(const Ts&... sizes) {
  return {sizes...};
}
template <class... Ts>
constexpr Stride<Ts...> MakeStride(const Ts&... steps) {
  return {steps...};
}
template <class... Ts>
constexpr Coord<Ts...> MakeCoord(const Ts&... places) {
  return {places...};
}

namespace in_api {

// Of two numbers; where both are a Std::Int, the result is one too.
#define VINCI_OPERATION(name, operation)                                            \
  template <class A, class B>                                                       \
  constexpr auto name(const A& a, const B& b) {                                     \
    return a operation b;                                                           \
  }                                                                                 \
  template <class T, T a, class U, U b>                                             \
  constexpr auto name(std::integral_constant<T, a>, std::integral_constant<U, b>) { \
    return std::integral_constant<decltype(a operation b), (a operation b)>{};      \
  }
VINCI_OPERATION(sum_of, +)
VINCI_OPERATION(product_of, *)
VINCI_OPERATION(quotient_of, /)
VINCI_OPERATION(remainder_of, %)
#undef VINCI_OPERATION

// The elements of dimensions first.. of a shape.
template <size_t first, class S>
constexpr auto elements_of(const S& shape) {
  if constexpr (!Std::is_tuple_v<S>) {
    return shape;
  } else if constexpr (first == std::tuple_size_v<S>) {
    return Std::Int<1>{};
  } else {
    return product_of(elements_of<0>(std::get<first>(shape)), elements_of<first + 1>(shape));
  }
}

// What the coordinates of dimensions first.. add to the index. A single coordinate of a dimension
// that has parts counts its elements, the first part fastest.
template <size_t first, class C, class S, class D>
constexpr auto index_of(const C& coord, const S& shape, const D& stride) {
  if constexpr (!Std::is_tuple_v<S>) {
    return product_of(coord, stride);
  } else if constexpr (Std::is_tuple_v<C>) {
    static_assert(std::tuple_size_v<C> == std::tuple_size_v<S>, "a coordinate for each dimension");
    const auto one =
        index_of<0>(std::get<first>(coord), std::get<first>(shape), std::get<first>(stride));
    if constexpr (first + 1 == std::tuple_size_v<S>) {
      return one;
    } else {
      return sum_of(one, index_of<first + 1>(coord, shape, stride));
    }
  } else if constexpr (first + 1 == std::tuple_size_v<S>) {
    return index_of<0>(coord, std::get<first>(shape), std::get<first>(stride));
  } else {
    const auto part = elements_of<0>(std::get<first>(shape));
    return sum_of(
        index_of<0>(remainder_of(coord, part), std::get<first>(shape), std::get<first>(stride)),
        index_of<first + 1>(quotient_of(coord, part), shape, stride));
  }
}

}  // namespace in_api

// The index, in elements, of coordinates.
template <class CoordType, class ShapeType, class StrideType>
constexpr auto Crd2Idx(const CoordType& coord, const ShapeType& shape, const StrideType& stride) {
  return in_api::index_of<0>(coord, shape, stride);
}

// The sizes of a tensor's dimensions, and the elements from one place in a dimension to the next.
// Both may be tuples of tuples.
template <class ShapeType, class StrideType>
struct Layout {
  constexpr Layout(const ShapeType& sizes = {}, const StrideType& steps = {})
      : shape_(sizes), stride_(steps) {}

  constexpr auto& layout() { return *this; }
  constexpr const auto& layout() const { return *this; }
  constexpr ShapeType& GetShape() { return shape_; }
  constexpr const ShapeType& GetShape() const { return shape_; }
  constexpr StrideType& GetStride() { return stride_; }
  constexpr const StrideType& GetStride() const { return stride_; }
  template <class CoordType>
  constexpr auto operator()(const CoordType& coord) const {
    return Crd2Idx(coord, shape_, stride_);
  }

 private:
  ShapeType shape_;
  StrideType stride_;
};

template <class ShapeType, class StrideType>
constexpr auto MakeLayout(const ShapeType& shape, const StrideType& stride) {
  return Layout<ShapeType, StrideType>(shape, stride);
}
template <class CoordType, class ShapeType, class StrideType>
constexpr auto Crd2Idx(const CoordType& coord, const Layout<ShapeType, StrideType>& layout) {
  return layout(coord);
}

template <class T>
struct is_layout : std::false_type {};
template <class ShapeType, class StrideType>
struct is_layout<Layout<ShapeType, StrideType>> : std::true_type {};
template <class T>
inline constexpr bool is_layout_v = is_layout<T>::value;

}  // namespace AscendC
