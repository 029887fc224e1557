// The arguments of a call's first phase, as the operator's definition means them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/acl/nn/executor.h"
#include "op/call.h"
#include "vinci/op/aclnn.h"

namespace vinci::acl {

struct Arguments {
  std::vector<Slot> inputs, outputs;
  std::vector<std::optional<nlohmann::json>> attributes;

  // All outputs are there and have no elements.
  bool writes_nothing() const;
};

// ACLNN_SUCCESS, or a code with the error told.
aclnnStatus take_arguments(const char* api, const op::Definition& definition, const op::Chip& chip,
                           std::span<const op::AclnnArgument> given, Arguments& result);

// Marks the tensors that are put side by side, and tells of those that nobody makes so.
aclnnStatus mark_copies(const char* api, const op::Chip& chip, Arguments& arguments);

// The same for the operator's functions. Their data is that of the arguments, which must stay.
op::Call call_of(const Arguments& arguments, const std::string& soc);

}  // namespace vinci::acl
