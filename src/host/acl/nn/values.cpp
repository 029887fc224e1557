// aclScalar, arrays, and lists of tensors and scalars.
#include <cstring>
#include <memory>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/nn/objects.h"

namespace vinci::acl {
namespace {

// nullptr with the error told, if there are values but no place where they lie.
template <class Array, class Value>
Array* make_array(const char* api, Kind kind, const Value* values, uint64_t size) {
  if (values == nullptr && size > 0) {
    fail(ACLNN_ERR_PARAM_NULLPTR, api, fmt::format("{} values at a null pointer", size));
    return nullptr;
  }
  auto array = std::make_unique<Array>();
  array->values.assign(values, values + size);
  enter(array.get(), kind);
  return array.release();
}

// The same for a list, whose elements must be alive.
template <class List, class Element>
List* make_list(const char* api, Kind kind, Kind element, const Element* const* values,
                uint64_t size) {
  if (values == nullptr && size > 0) {
    fail(ACLNN_ERR_PARAM_NULLPTR, api, fmt::format("{} values at a null pointer", size));
    return nullptr;
  }
  auto list = std::make_unique<List>();
  for (uint64_t i = 0; i < size; ++i) {
    if (check_object(api, values[i], element) != ACLNN_SUCCESS) return nullptr;
    list->values.push_back(const_cast<Element*>(values[i]));
  }
  enter(list.get(), kind);
  return list.release();
}

template <class Object>
aclnnStatus destroy(const char* api, Kind kind, const Object* object) {
  if (object == nullptr) return ACLNN_SUCCESS;
  const aclnnStatus code = check_object(api, object, kind);
  if (code == ACLNN_SUCCESS && leave(object, kind)) delete object;
  return code;
}

// A list goes with all of its elements. Those that were destroyed before, or stand in it twice, are
// no longer there.
template <class List>
aclnnStatus destroy_list(const char* api, Kind kind, Kind element, const List* list) {
  if (list == nullptr) return ACLNN_SUCCESS;
  const aclnnStatus code = check_object(api, list, kind);
  if (code != ACLNN_SUCCESS) return code;
  for (const auto* value : list->values) {
    if (leave(value, element)) delete value;
  }
  return destroy(api, kind, list);
}

template <class Object>
aclnnStatus size_of(const char* api, Kind kind, const Object* object, uint64_t* size) {
  if (const aclnnStatus code = check_object(api, object, kind); code != 0) return code;
  if (size == nullptr) {
    return fail(ACLNN_ERR_PARAM_NULLPTR, api, "the pointer for the result is null");
  }
  *size = object->values.size();
  return ACLNN_SUCCESS;
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclScalar* aclCreateScalar(void* value, aclDataType type) {
  constexpr const char* kApi = "aclCreateScalar";
  if (value == nullptr) {
    fail(ACLNN_ERR_PARAM_NULLPTR, kApi, "the value is null");
    return nullptr;
  }
  const size_t bytes = aclDataTypeSize(type);
  if (bytes == 0) {
    refuse(ACLNN_ERR_PARAM_INVALID, kApi, fmt::format("dataType {}", int(type)),
           "a type with elements, as ACL_FLOAT");
    return nullptr;
  }
  auto scalar = std::make_unique<aclScalar>();
  scalar->type = type;
  std::memcpy(scalar->bytes.data(), value, bytes);
  enter(scalar.get(), Kind::kScalar);
  return scalar.release();
}

aclIntArray* aclCreateIntArray(const int64_t* values, uint64_t size) {
  return make_array<aclIntArray>("aclCreateIntArray", Kind::kInts, values, size);
}
aclFloatArray* aclCreateFloatArray(const float* values, uint64_t size) {
  return make_array<aclFloatArray>("aclCreateFloatArray", Kind::kFloats, values, size);
}
aclBoolArray* aclCreateBoolArray(const bool* values, uint64_t size) {
  return make_array<aclBoolArray>("aclCreateBoolArray", Kind::kBools, values, size);
}
aclTensorList* aclCreateTensorList(const aclTensor* const* values, uint64_t size) {
  return make_list<aclTensorList>("aclCreateTensorList", Kind::kTensors, Kind::kTensor, values,
                                  size);
}
aclScalarList* aclCreateScalarList(const aclScalar* const* values, uint64_t size) {
  return make_list<aclScalarList>("aclCreateScalarList", Kind::kScalars, Kind::kScalar, values,
                                  size);
}

aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
  return destroy("aclDestroyScalar", Kind::kScalar, scalar);
}
aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  return destroy("aclDestroyIntArray", Kind::kInts, array);
}
aclnnStatus aclDestroyFloatArray(const aclFloatArray* array) {
  return destroy("aclDestroyFloatArray", Kind::kFloats, array);
}
aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  return destroy("aclDestroyBoolArray", Kind::kBools, array);
}
aclnnStatus aclDestroyTensorList(const aclTensorList* list) {
  return destroy_list("aclDestroyTensorList", Kind::kTensors, Kind::kTensor, list);
}
aclnnStatus aclDestroyScalarList(const aclScalarList* list) {
  return destroy_list("aclDestroyScalarList", Kind::kScalars, Kind::kScalar, list);
}

aclnnStatus aclGetIntArraySize(const aclIntArray* array, uint64_t* size) {
  return size_of("aclGetIntArraySize", Kind::kInts, array, size);
}
aclnnStatus aclGetFloatArraySize(const aclFloatArray* array, uint64_t* size) {
  return size_of("aclGetFloatArraySize", Kind::kFloats, array, size);
}
aclnnStatus aclGetBoolArraySize(const aclBoolArray* array, uint64_t* size) {
  return size_of("aclGetBoolArraySize", Kind::kBools, array, size);
}
aclnnStatus aclGetTensorListSize(const aclTensorList* list, uint64_t* size) {
  return size_of("aclGetTensorListSize", Kind::kTensors, list, size);
}
aclnnStatus aclGetScalarListSize(const aclScalarList* list, uint64_t* size) {
  return size_of("aclGetScalarListSize", Kind::kScalars, list, size);
}

}  // extern "C"
