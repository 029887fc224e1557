// Elements of a tensor that do not lie side by side.
#pragma once

#include <string>

#include "host/acl/nn/objects.h"

namespace vinci::acl {

// What is wrong with copying a tensor's elements: they are no whole bytes, or lie outside of device
// memory. Empty: nothing.
std::string problem_with_view(const aclTensor& tensor);
// Its elements side by side, in order, to `to`; and back.
void gather_view(const aclTensor& tensor, void* to);
void scatter_view(const aclTensor& tensor, const void* from);

uint64_t bytes_of(const aclTensor& tensor);

}  // namespace vinci::acl
