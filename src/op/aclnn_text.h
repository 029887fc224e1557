// The C interface of an operator, made from its definition: aclnn_<snake>.h and .cpp.
// Names and types: docs/spec/aclnn.md.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace vinci::op {

struct AclnnOptions {
  std::string file_prefix = "aclnn", function_prefix = "aclnn";
  std::string library;  // that the definition was read from
};
struct AclnnText {
  std::string name;  // of both files, without extension
  std::string header, source;
};

// The definition is in the form of registry.h. Throws std::invalid_argument if an operator of that
// kind cannot have such an interface; the text says why.
AclnnText aclnn_text(const nlohmann::json& definition, const AclnnOptions& options);

// AddCustom: add_custom; GRUCell: gru_cell; Conv2D: conv2_d.
std::string snake_name(const std::string& type);
// negative_slope: negativeSlope.
std::string camel_name(const std::string& name);

}  // namespace vinci::op
