// The function of the program that hears of kernels that fail.
#pragma once

#include <cstdint>

#include "acl/acl_rt.h"

struct aclrtExceptionInfo {
  uint32_t task = 0, stream = 0, thread = 0, device = 0, code = 0;
};

namespace vinci::acl {

void tell_exception(aclrtExceptionInfo info);

}  // namespace vinci::acl
