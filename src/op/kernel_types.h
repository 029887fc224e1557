// The C++ types that kernels have for the types of ge::.
#pragma once

#include <string>

namespace vinci::op {

// "half" for FLOAT16; "unknown" for a type that kernels have none for.
std::string kernel_type_of(int dtype);

}  // namespace vinci::op
