// TensorTrait: type, position and layout of a tensor as one type. LocalTensor<TensorTrait<T>> is a
// LocalTensor<T> without a ShapeInfo, and instructions take it as such.
#pragma once

#include <type_traits>

#include "ascendc/layout.h"
#include "ascendc/tensor.h"
#include "ascendc/vector.h"

namespace AscendC {

template <class T, TPosition pos = TPosition::GM, class LayoutType = Layout<Shape<>, Stride<>>>
struct TensorTrait {
  static_assert(is_layout_v<LayoutType>, "TensorTrait: its third parameter is a Layout");
  using LiteType = T;
  using LiteLayoutType = LayoutType;
  static constexpr TPosition tPos = pos;

  constexpr TensorTrait(const LayoutType& layout = {}) : layout_(layout) {}

  constexpr LayoutType& GetLayout() { return layout_; }
  constexpr const LayoutType& GetLayout() const { return layout_; }
  constexpr auto& GetShape() { return layout_.GetShape(); }
  constexpr const auto& GetShape() const { return layout_.GetShape(); }
  constexpr auto& GetStride() { return layout_.GetStride(); }
  constexpr const auto& GetStride() const { return layout_.GetStride(); }
  constexpr void SetLayout(const LayoutType& layout) { layout_ = layout; }

 private:
  LayoutType layout_;
};

template <class T, TPosition pos, class LayoutType>
constexpr auto MakeTensorTrait(const LayoutType& layout) {
  return TensorTrait<T, pos, LayoutType>(layout);
}

template <class T>
struct is_tensorTrait : std::false_type {};
template <class T, TPosition pos, class LayoutType>
struct is_tensorTrait<TensorTrait<T, pos, LayoutType>> : std::true_type {};
template <class T>
inline constexpr bool is_tensorTrait_v = is_tensorTrait<T>::value;

namespace in_api {

template <class T, TPosition pos, class LayoutType>
struct AsIs<TensorTrait<T, pos, LayoutType>> {
  using type = T;
};

}  // namespace in_api

// The type of a tensor's elements.
template <class T>
using PrimT = in_api::as_is<T>;

// What gives a view gives one with the trait again.
template <class T, TPosition pos, class LayoutType>
class LocalTensor<TensorTrait<T, pos, LayoutType>> : public LocalTensor<T> {
 public:
  using LocalTensor<T>::LocalTensor;

  LocalTensor operator[](uint32_t offset) const {
    return LocalTensor(LocalTensor<T>::operator[](offset).operand());
  }
  using LocalTensor<T>::operator=;
};

template <class T, TPosition pos, class LayoutType>
class GlobalTensor<TensorTrait<T, pos, LayoutType>> : public GlobalTensor<T> {
 public:
  GlobalTensor operator[](uint64_t offset) const {
    GlobalTensor rest;
    static_cast<GlobalTensor<T>&>(rest) = GlobalTensor<T>::operator[](offset);
    return rest;
  }
};

}  // namespace AscendC

namespace vinci {
template <class T, AscendC::TPosition pos, class LayoutType>
inline constexpr DType dtype_of<AscendC::TensorTrait<T, pos, LayoutType>> = dtype_of<T>;
}  // namespace vinci
