// The C interface of an operator, made from its definition: aclnn_<snake>.h and .cpp.
// Names and types: docs/spec/aclnn.md.
#pragma once

#include <string>
#include <vector>

#include "op/definitions.h"

namespace vinci::op {

struct AclnnOptions {
  std::string file_prefix = "aclnn", function_prefix = "aclnn";
  std::string library;  // that the definition was read from
  std::vector<std::string> chips = {};  // that the package is built for; none: all it defines
};
struct AclnnText {
  std::string name;  // of both files, without extension
  std::string header, source;
};

// The parameters are those of the definition's first chip. Throws Error if an operator of that kind
// cannot have such an interface.
AclnnText aclnn_text(const Definition& definition, const AclnnOptions& options);

}  // namespace vinci::op
