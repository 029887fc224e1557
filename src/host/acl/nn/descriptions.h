// What aclop... functions are called with: descriptions of tensors, buffers, attributes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "acl/acl_op.h"

struct aclTensorDesc {
  aclDataType type = ACL_DT_UNDEFINED;
  aclFormat format = ACL_FORMAT_ND, storage_format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> shape, storage_shape;  // the latter empty: as the former
  std::string name;
};
struct aclDataBuffer {
  void* data = nullptr;
  size_t bytes = 0;
};
struct aclopAttr {
  std::map<std::string, nlohmann::json> values;
};
