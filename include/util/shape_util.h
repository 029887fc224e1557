// Shapes that are unknown, and shapes and types as text.
#pragma once

#include <string>

#include "exe_graph/runtime/runtime_tensor.h"
#include "graph/utils/type_utils.h"

namespace Ops {
namespace Base {

// A rank that nobody knows is one dimension of -2; a dimension that nobody knows is -1.
inline bool IsUnknownRank(const gert::Shape& shape) {
  return shape.GetDimNum() == 1 && shape.GetDim(0) == -2;
}
inline bool IsUnknownRank(const gert::Shape* shape) { return IsUnknownRank(*shape); }
inline void SetUnknownRank(gert::Shape& shape) {
  shape.SetDimNum(0);
  shape.AppendDim(-2);
}
inline void SetUnknownRank(gert::Shape* shape) { SetUnknownRank(*shape); }
inline bool IsUnknownShape(const gert::Shape& shape) {
  for (size_t i = 0; i < shape.GetDimNum(); ++i) {
    if (shape.GetDim(i) == -1) return true;
  }
  return false;
}
inline bool IsUnknownShape(const gert::Shape* shape) { return IsUnknownShape(*shape); }
inline void SetUnknownShape(size_t rank, gert::Shape& shape) {
  shape.SetDimNum(0);
  for (size_t i = 0; i < rank; ++i) shape.AppendDim(-1);
}
inline void SetUnknownShape(int64_t rank, gert::Shape* shape) {
  SetUnknownShape(static_cast<size_t>(rank), *shape);
}
// A scalar as one dimension of 1.
inline const gert::Shape& EnsureNotScalar(const gert::Shape& shape) {
  static const gert::Shape one = {1};
  return shape.IsScalar() ? one : shape;
}

inline std::string ToString(const ge::DataType& type) {
  return ge::TypeUtils::DataTypeToSerialString(type);
}
inline std::string ToString(const ge::Format& format) {
  return ge::TypeUtils::FormatToSerialString(format);
}
inline std::string ToString(const gert::Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.GetDimNum(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape.GetDim(i));
  }
  return text + "]";
}
inline std::string ToString(const gert::Shape* shape) {
  return shape == nullptr ? "nullptr" : ToString(*shape);
}

}  // namespace Base
}  // namespace Ops
