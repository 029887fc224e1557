// The attributes of a call, in the order of the definition, private ones behind them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "exe_graph/runtime/continuous_vector.h"
#include "exe_graph/runtime/runtime_tensor.h"
#include "vinci/op/registry.h"

namespace gert {

class RuntimeAttrs {
 public:
  enum class Kind : uint8_t { kBool, kInt, kFloat, kString, kVector, kVectorVector };
  struct Value {
    Kind kind;
    const void* data;
  };

  RuntimeAttrs(const Value* values, size_t count) : values_(values), count_(count) {}

  size_t GetAttrNum() const { return count_; }
  // A bool, int64_t, float, characters with a 0 behind them, or a ContinuousVector; nullptr if
  // there are not so many.
  template <typename T>
  const T* GetAttrPointer(size_t index) const {
    if (index >= count_) {
      vinci::op::gave_null("RuntimeAttrs", "the definition has fewer attributes");
      return nullptr;
    }
    check(values_[index].kind, static_cast<const T*>(nullptr));
    return static_cast<const T*>(values_[index].data);
  }

  const int64_t* GetInt(size_t index) const { return GetAttrPointer<int64_t>(index); }
  const float* GetFloat(size_t index) const { return GetAttrPointer<float>(index); }
  const bool* GetBool(size_t index) const { return GetAttrPointer<bool>(index); }
  const char* GetStr(size_t index) const { return GetAttrPointer<char>(index); }
  const Tensor* GetTensor(size_t index) const { return GetAttrPointer<Tensor>(index); }
  const TypedContinuousVector<int64_t>* GetListInt(size_t index) const {
    return GetAttrPointer<TypedContinuousVector<int64_t>>(index);
  }
  const TypedContinuousVector<float>* GetListFloat(size_t index) const {
    return GetAttrPointer<TypedContinuousVector<float>>(index);
  }
  const ContinuousVectorVector* GetListListInt(size_t index) const {
    return GetAttrPointer<ContinuousVectorVector>(index);
  }
  const ContinuousVectorVector* GetListListFloat(size_t index) const {
    return GetAttrPointer<ContinuousVectorVector>(index);
  }

 private:
  // What is read must be there: 8 bytes of a bool's one are not.
  static void check(Kind kind, const int64_t*) { expect(kind == Kind::kInt, "int64_t"); }
  static void check(Kind kind, const float*) { expect(kind == Kind::kFloat, "float"); }
  static void check(Kind kind, const bool*) { expect(kind == Kind::kBool, "bool"); }
  static void check(Kind kind, const char*) { expect(kind == Kind::kString, "char"); }
  template <typename T>
  static void check(Kind kind, const TypedContinuousVector<T>*) {
    expect(kind == Kind::kVector, "a vector");
  }
  static void check(Kind, const void*) {}
  static void expect(bool right, const char* wanted) {
    if (!right) vinci::op::wrong_attribute(wanted);
  }

  const Value* values_;
  size_t count_;
};

}  // namespace gert
