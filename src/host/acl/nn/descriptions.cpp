#include "host/acl/nn/descriptions.h"

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/nn/objects.h"

namespace vinci::acl {
namespace {

aclError take_dims(const char* api, int count, const int64_t* dims, std::vector<int64_t>& shape) {
  constexpr int kMostDimensions = 25;
  if (count < 0 || count > kMostDimensions || (dims == nullptr && count > 0)) {
    return refuse(ACL_ERROR_INVALID_PARAM, api, fmt::format("{} dimensions", count),
                  fmt::format("0..{}, with a pointer to them", kMostDimensions));
  }
  shape.assign(dims, dims + count);
  return ACL_SUCCESS;
}

aclError null_pointer(const char* api, const char* what) {
  return fail(ACL_ERROR_INVALID_PARAM, api, fmt::format("the {} is null", what));
}

aclError set_value(const char* api, aclopAttr* attr, const char* name, nlohmann::json value) {
  if (attr == nullptr || name == nullptr) return null_pointer(api, "attribute, or its name,");
  attr->values[name] = std::move(value);
  return ACL_SUCCESS;
}

template <class T, class Value>
aclError set_list(const char* api, aclopAttr* attr, const char* name, int count, const T* values,
                  const Value& value) {
  if (count < 0 || (values == nullptr && count > 0)) {
    return refuse(ACL_ERROR_INVALID_PARAM, api, fmt::format("{} values", count),
                  "0 or more, with a pointer to them");
  }
  nlohmann::json list = nlohmann::json::array();
  for (int i = 0; i < count; ++i) list.push_back(value(values[i]));
  return set_value(api, attr, name, std::move(list));
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims,
                                   aclFormat format) {
  aclTensorDesc made;
  if (take_dims("aclCreateTensorDesc", numDims, dims, made.shape) != ACL_SUCCESS) return nullptr;
  made.type = dataType;
  made.format = format;
  return new aclTensorDesc(made);
}
void aclDestroyTensorDesc(const aclTensorDesc* desc) { delete desc; }
aclDataType aclGetTensorDescType(const aclTensorDesc* desc) {
  return desc == nullptr ? ACL_DT_UNDEFINED : desc->type;
}
aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc) {
  return desc == nullptr ? ACL_FORMAT_UNDEFINED : desc->format;
}
size_t aclGetTensorDescSize(const aclTensorDesc* desc) {
  return desc == nullptr
             ? 0
             : (aclGetTensorDescElementCount(desc) * size_t(bits_of(desc->type)) + 7) / 8;
}
size_t aclGetTensorDescElementCount(const aclTensorDesc* desc) {
  if (desc == nullptr) return 0;
  size_t count = 1;
  for (const int64_t dimension : desc->shape) count *= dimension < 0 ? 0 : size_t(dimension);
  return count;
}
size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) {
  return desc == nullptr ? 0 : desc->shape.size();
}
int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index) {
  int64_t value = -1;
  aclGetTensorDescDimV2(desc, index, &value);
  return value;
}
aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize) {
  const char* const api = "aclGetTensorDescDimV2";
  if (desc == nullptr || dimSize == nullptr) return null_pointer(api, "description or result");
  if (index >= desc->shape.size()) {
    return refuse(ACL_ERROR_INVALID_PARAM, api, fmt::format("dimension {}", index),
                  fmt::format("less than {}", desc->shape.size()));
  }
  *dimSize = desc->shape[index];
  return ACL_SUCCESS;
}
void aclSetTensorDescName(aclTensorDesc* desc, const char* name) {
  if (desc != nullptr) desc->name = name == nullptr ? "" : name;
}
const char* aclGetTensorDescName(aclTensorDesc* desc) {
  return desc == nullptr ? "" : desc->name.c_str();
}
aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format) {
  if (desc == nullptr) return null_pointer("aclSetTensorFormat", "description");
  desc->storage_format = format;
  return ACL_SUCCESS;
}
aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  if (desc == nullptr) return null_pointer("aclSetTensorShape", "description");
  return take_dims("aclSetTensorShape", numDims, dims, desc->storage_shape);
}
aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format) {
  if (desc == nullptr) return null_pointer("aclSetTensorOriginFormat", "description");
  desc->format = format;
  return ACL_SUCCESS;
}
aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  if (desc == nullptr) return null_pointer("aclSetTensorOriginShape", "description");
  return take_dims("aclSetTensorOriginShape", numDims, dims, desc->shape);
}
// The buffer's address tells it already.
aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType) {
  return desc == nullptr ? null_pointer("aclSetTensorPlaceMent", "description") : ACL_SUCCESS;
}

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  return new aclDataBuffer{data, size};
}
aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  if (dataBuffer == nullptr) return null_pointer("aclDestroyDataBuffer", "buffer");
  delete dataBuffer;
  return ACL_SUCCESS;
}
aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  if (dataBuffer == nullptr) return null_pointer("aclUpdateDataBuffer", "buffer");
  *dataBuffer = {data, size};
  return ACL_SUCCESS;
}
void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  return dataBuffer == nullptr ? nullptr : dataBuffer->data;
}
uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return uint32_t(aclGetDataBufferSizeV2(dataBuffer));
}
size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) {
  return dataBuffer == nullptr ? 0 : dataBuffer->bytes;
}

aclopAttr* aclopCreateAttr() { return new aclopAttr; }
void aclopDestroyAttr(const aclopAttr* attr) { delete attr; }
aclError aclopSetAttrBool(aclopAttr* attr, const char* attrName, uint8_t attrValue) {
  return set_value("aclopSetAttrBool", attr, attrName, attrValue != 0);
}
aclError aclopSetAttrInt(aclopAttr* attr, const char* attrName, int64_t attrValue) {
  return set_value("aclopSetAttrInt", attr, attrName, attrValue);
}
aclError aclopSetAttrFloat(aclopAttr* attr, const char* attrName, float attrValue) {
  return set_value("aclopSetAttrFloat", attr, attrName, double(attrValue));
}
aclError aclopSetAttrString(aclopAttr* attr, const char* attrName, const char* attrValue) {
  if (attrValue == nullptr) return null_pointer("aclopSetAttrString", "value");
  return set_value("aclopSetAttrString", attr, attrName, attrValue);
}
aclError aclopSetAttrListBool(aclopAttr* attr, const char* attrName, int numValues,
                              const uint8_t* values) {
  return set_list("aclopSetAttrListBool", attr, attrName, numValues, values,
                  [](uint8_t value) { return value != 0; });
}
aclError aclopSetAttrListInt(aclopAttr* attr, const char* attrName, int numValues,
                             const int64_t* values) {
  return set_list("aclopSetAttrListInt", attr, attrName, numValues, values,
                  [](int64_t value) { return value; });
}
aclError aclopSetAttrListFloat(aclopAttr* attr, const char* attrName, int numValues,
                               const float* values) {
  return set_list("aclopSetAttrListFloat", attr, attrName, numValues, values,
                  [](float value) { return double(value); });
}

}  // extern "C"
