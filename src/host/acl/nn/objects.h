// What operators are called with, and which of them are alive.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"

struct aclTensor {
  std::vector<int64_t> view, strides, storage;
  int64_t offset = 0;  // in elements
  aclDataType type = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_ND;
  void* data = nullptr;

  int64_t elements() const;
  // Whether its elements lie side by side, in order.
  bool is_contiguous() const;
  // Where its first element lies.
  void* first() const;
};
struct aclScalar {
  std::array<uint8_t, 16> bytes{};
  aclDataType type = ACL_DT_UNDEFINED;
};
struct aclIntArray {
  std::vector<int64_t> values;
};
struct aclFloatArray {
  std::vector<float> values;
};
struct aclBoolArray {
  std::vector<uint8_t> values;
};
struct aclTensorList {
  std::vector<aclTensor*> values;
};
struct aclScalarList {
  std::vector<aclScalar*> values;
};

namespace vinci::acl {

// Bits of one element, which may be less than eight; 0: of no such type.
int64_t bits_of(aclDataType type);
// The strides of a contiguous tensor.
std::vector<int64_t> contiguous_strides(const std::vector<int64_t>& shape);

enum class Kind { kTensor, kScalar, kInts, kFloats, kBools, kTensors, kScalars, kExecutor };

// Which objects there are: for any thread.
void enter(const void* object, Kind kind);
bool is_alive(const void* object, Kind kind);
// False: it is not there, or no longer.
bool leave(const void* object, Kind kind);

// ACLNN_SUCCESS; ACLNN_ERR_PARAM_NULLPTR with the error told; or ACLNN_ERR_PARAM_INVALID and a
// fault at the caller's line, if it is no object of that kind.
aclnnStatus check_object(const char* api, const void* object, Kind kind);

}  // namespace vinci::acl
