// aclTensor: made, asked, changed, destroyed.
#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "host/acl/error.h"
#include "host/acl/nn/objects.h"

namespace vinci::acl {
namespace {

struct Shape {
  const int64_t* dimensions;
  uint64_t count;
};

aclnnStatus wrong(const char* api, const std::string& text, std::string legal) {
  return refuse(ACLNN_ERR_PARAM_INVALID, api, text, std::move(legal));
}

aclnnStatus take_shape(const char* api, const char* name, const Shape& shape,
                       std::vector<int64_t>& result) {
  constexpr uint64_t kMostDimensions = 25;
  if (shape.count > kMostDimensions) {
    return wrong(api, fmt::format("{} with {} dimensions", name, shape.count),
                 fmt::format("0..{}", kMostDimensions));
  }
  if (shape.dimensions == nullptr && shape.count > 0) {
    return fail(ACLNN_ERR_PARAM_NULLPTR, api, fmt::format("{} is null", name));
  }
  std::vector<int64_t> taken(shape.dimensions, shape.dimensions + shape.count);
  if (std::ranges::any_of(taken, [](int64_t dimension) { return dimension < 0; })) {
    return wrong(api, fmt::format("{} is [{}]", name, fmt::join(taken, ", ")),
                 "dimensions of 0 or more");
  }
  result = std::move(taken);
  return ACLNN_SUCCESS;
}

aclnnStatus set(const char* api, aclTensor& tensor, const Shape& view, aclDataType type,
                const int64_t* strides, int64_t offset, aclFormat format, const Shape& storage,
                void* data) {
  aclTensor made;
  if (const aclnnStatus code = take_shape(api, "viewDims", view, made.view); code != 0) return code;
  if (const aclnnStatus code = take_shape(api, "storageDims", storage, made.storage); code != 0) {
    return code;
  }
  if (bits_of(type) == 0) {
    return wrong(api, fmt::format("dataType {}", int(type)), "a type with elements, as ACL_FLOAT");
  }
  if (offset < 0) return wrong(api, fmt::format("offset {}", offset), "0 or more elements");
  made.strides = contiguous_strides(made.view);
  if (strides != nullptr) made.strides.assign(strides, strides + view.count);
  if (std::ranges::any_of(made.strides, [](int64_t stride) { return stride < 0; })) {
    return wrong(api, fmt::format("strides [{}]", fmt::join(made.strides, ", ")), "0 or more");
  }
  made.type = type;
  made.offset = offset;
  made.format = format;
  made.data = data;
  tensor = std::move(made);
  return ACLNN_SUCCESS;
}

// Asks a tensor for something that goes to `places`.
template <class Get, class... Place>
aclnnStatus ask(const char* api, const aclTensor* tensor, const Get& get, const Place*... places) {
  if (const aclnnStatus code = check_object(api, tensor, Kind::kTensor); code != 0) return code;
  if ((... || !places)) {
    return fail(ACLNN_ERR_PARAM_NULLPTR, api, "the pointer for the result is null");
  }
  get();
  return ACLNN_SUCCESS;
}

void copy_out(const std::vector<int64_t>& values, int64_t** place, uint64_t* count) {
  *count = values.size();
  *place = new int64_t[values.size()];
  std::ranges::copy(values, *place);
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclTensor* aclCreateTensor(const int64_t* view, uint64_t view_count, aclDataType type,
                           const int64_t* strides, int64_t offset, aclFormat format,
                           const int64_t* storage, uint64_t storage_count, void* data) {
  auto tensor = std::make_unique<aclTensor>();
  const aclnnStatus code = set("aclCreateTensor", *tensor, {view, view_count}, type, strides,
                               offset, format, {storage, storage_count}, data);
  if (code != ACLNN_SUCCESS) return nullptr;
  enter(tensor.get(), Kind::kTensor);
  return tensor.release();
}

aclnnStatus aclInitTensor(aclTensor* tensor, const int64_t* view, uint64_t view_count,
                          aclDataType type, const int64_t* strides, int64_t offset,
                          aclFormat format, const int64_t* storage, uint64_t storage_count,
                          void* data) {
  constexpr const char* kApi = "aclInitTensor";
  if (const aclnnStatus code = check_object(kApi, tensor, Kind::kTensor); code != 0) return code;
  return set(kApi, *tensor, {view, view_count}, type, strides, offset, format,
             {storage, storage_count}, data);
}

aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  if (tensor == nullptr) return ACLNN_SUCCESS;
  const aclnnStatus code = check_object("aclDestroyTensor", tensor, Kind::kTensor);
  if (code == ACLNN_SUCCESS && leave(tensor, Kind::kTensor)) delete tensor;
  return code;
}

aclnnStatus aclGetViewShape(const aclTensor* tensor, int64_t** dimensions, uint64_t* count) {
  const auto get = [&] { copy_out(tensor->view, dimensions, count); };
  return ask("aclGetViewShape", tensor, get, dimensions, count);
}

aclnnStatus aclGetStorageShape(const aclTensor* tensor, int64_t** dimensions, uint64_t* count) {
  const auto get = [&] { copy_out(tensor->storage, dimensions, count); };
  return ask("aclGetStorageShape", tensor, get, dimensions, count);
}

aclnnStatus aclGetViewStrides(const aclTensor* tensor, int64_t** strides, uint64_t* count) {
  const auto get = [&] { copy_out(tensor->strides, strides, count); };
  return ask("aclGetViewStrides", tensor, get, strides, count);
}

aclnnStatus aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  return ask(
      "aclGetViewOffset", tensor, [&] { *offset = tensor->offset; }, offset);
}

aclnnStatus aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  return ask(
      "aclGetFormat", tensor, [&] { *format = tensor->format; }, format);
}

aclnnStatus aclGetDataType(const aclTensor* tensor, aclDataType* type) {
  return ask(
      "aclGetDataType", tensor, [&] { *type = tensor->type; }, type);
}

aclnnStatus aclGetRawTensorAddr(const aclTensor* tensor, void** address) {
  return ask(
      "aclGetRawTensorAddr", tensor, [&] { *address = tensor->data; }, address);
}

aclnnStatus aclSetRawTensorAddr(aclTensor* tensor, void* address) {
  return ask("aclSetRawTensorAddr", tensor, [&] { tensor->data = address; });
}

}  // extern "C"
