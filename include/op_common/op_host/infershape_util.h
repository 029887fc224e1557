// Shapes of operators that work element by element, with broadcast or without; numbers of inputs
// that tiling and inference read.
#pragma once

#include "log/log.h"
#include "register/op_impl_registry.h"
#include "util/shape_util.h"

namespace Ops {
namespace Base {

// Each output is as the first input.
inline ge::graphStatus InferShape4Elewise(gert::InferShapeContext* context) {
  const gert::Shape* in = context->GetInputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, in);
  for (size_t i = 0; i < context->GetComputeNodeOutputNum(); ++i) {
    gert::Shape* out = context->GetOutputShape(i);
    if (out != nullptr) *out = *in;
  }
  return ge::GRAPH_SUCCESS;
}

// `out` becomes the shape of both; false, if there is none. Dimensions count from behind, and 1
// goes with any other.
inline bool BroadcastShape(const gert::Shape* one, const gert::Shape* other, gert::Shape* out) {
  const gert::Shape a = *one, b = *other;
  if (IsUnknownRank(a) || IsUnknownRank(b)) {
    SetUnknownRank(*out);
    return true;
  }
  const size_t rank = std::max(a.GetDimNum(), b.GetDimNum());
  const auto dim = [&](const gert::Shape& shape, size_t i) {
    return i + shape.GetDimNum() < rank ? 1 : shape.GetDim(i + shape.GetDimNum() - rank);
  };
  out->SetDimNum(0);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t p = dim(a, i), q = dim(b, i);
    if (p != q && p != 1 && q != 1 && p != -1 && q != -1) return false;
    // An unknown one is the other, unless that may grow.
    out->AppendDim(p == 1 || (p == -1 && q != 1) ? q : p);
  }
  return true;
}

// The first output has the shape of all inputs.
inline ge::graphStatus InferShape4Broadcast(gert::InferShapeContext* context) {
  gert::Shape* out = context->GetOutputShape(0);
  OP_CHECK_NULL_WITH_CONTEXT(context, out);
  bool any = false;
  for (size_t i = 0; i < context->GetComputeNodeInputNum(); ++i) {
    const gert::Shape* in = context->GetInputShape(i);
    if (in == nullptr) continue;
    if (any && !BroadcastShape(out, in, out)) {
      OP_LOGE(context, "shapes %s and %s cannot be broadcast", ToString(*out).c_str(),
              ToString(*in).c_str());
      return ge::GRAPH_FAILED;
    }
    if (!any) *out = *in;
    any = true;
  }
  return ge::GRAPH_SUCCESS;
}

// The first number of an input of int32 or int64; false, if there is none.
template <typename Context, typename T>
bool GetConstInt(Context* context, int64_t index, T& value) {
  const gert::Tensor* tensor = context->GetInputTensor(static_cast<size_t>(index));
  if (tensor == nullptr) return false;
  if (tensor->GetDataType() == ge::DT_INT32) {
    const int32_t* data = tensor->template GetData<int32_t>();
    if (data != nullptr) value = static_cast<T>(*data);
    return data != nullptr;
  }
  if (tensor->GetDataType() != ge::DT_INT64) return false;
  const int64_t* data = tensor->template GetData<int64_t>();
  if (data != nullptr) value = static_cast<T>(*data);
  return data != nullptr;
}

}  // namespace Base
}  // namespace Ops
