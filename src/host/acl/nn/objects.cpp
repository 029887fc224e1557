#include "host/acl/nn/objects.h"

#include <map>
#include <mutex>

#include <fmt/format.h>

#include "host/acl/error.h"

namespace vinci::acl {
namespace {

struct Objects {
  std::mutex mutex;
  std::map<const void*, Kind> alive;

  static Objects& instance() {
    static Objects* const made = new Objects;  // threads may be at work until the very end
    return *made;
  }
};

struct Words {
  const char *what, *maker;
};
constexpr std::array<Words, 8> kWords{{{"tensor", "aclCreateTensor"},
                                       {"scalar", "aclCreateScalar"},
                                       {"array of int64_t", "aclCreateIntArray"},
                                       {"array of float", "aclCreateFloatArray"},
                                       {"array of bool", "aclCreateBoolArray"},
                                       {"list of tensors", "aclCreateTensorList"},
                                       {"list of scalars", "aclCreateScalarList"},
                                       {"executor", "aclnn...GetWorkspaceSize"}}};

}  // namespace

int64_t bits_of(aclDataType type) {
  switch (type) {
    case ACL_INT4:
    case ACL_FLOAT4_E2M1:
    case ACL_FLOAT4_E1M2: return 4;
    case ACL_UINT1: return 1;
    case ACL_FLOAT6_E3M2:
    case ACL_FLOAT6_E2M3: return 6;
    default: return int64_t(aclDataTypeSize(type)) * 8;
  }
}

std::vector<int64_t> contiguous_strides(const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

void enter(const void* object, Kind kind) {
  const std::lock_guard lock(Objects::instance().mutex);
  Objects::instance().alive[object] = kind;
}

bool is_alive(const void* object, Kind kind) {
  const std::lock_guard lock(Objects::instance().mutex);
  const auto found = Objects::instance().alive.find(object);
  return found != Objects::instance().alive.end() && found->second == kind;
}

bool leave(const void* object, Kind kind) {
  const std::lock_guard lock(Objects::instance().mutex);
  auto& alive = Objects::instance().alive;
  const auto found = alive.find(object);
  if (found == alive.end() || found->second != kind) return false;
  alive.erase(found);
  return true;
}

aclnnStatus check_object(const char* api, const void* object, Kind kind) {
  const Words& words = kWords[size_t(kind)];
  if (object == nullptr) {
    return fail(ACLNN_ERR_PARAM_NULLPTR, api, fmt::format("the {} is null", words.what));
  }
  if (is_alive(object, kind)) return ACLNN_SUCCESS;
  return refuse(ACLNN_ERR_PARAM_INVALID, api, fmt::format("{} is no {}", object, words.what),
                fmt::format("what {} gave, before it is destroyed", words.maker));
}

}  // namespace vinci::acl

int64_t aclTensor::elements() const {
  int64_t count = 1;
  for (const int64_t dimension : view) count *= dimension;
  return count;
}

bool aclTensor::is_contiguous() const {
  int64_t stride = 1;
  for (size_t i = view.size(); i-- > 0;) {
    if (view[i] == 0) return true;
    if (view[i] != 1 && strides[i] != stride) return false;
    stride *= view[i];
  }
  return true;
}

void* aclTensor::first() const {
  if (data == nullptr) return nullptr;
  return static_cast<uint8_t*>(data) + offset * vinci::acl::bits_of(type) / 8;
}
