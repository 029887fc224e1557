// What the compiler says and the user is told.
#pragma once

#include <string>

namespace vinci::launch {

// Without g++'s warnings that a source defines anew what a header below `folder` defines. Kernels
// outside packages have a GET_TILING_DATA of their own, and g++ has no option against it.
std::string without_redefinitions(const std::string& messages, const std::string& folder);

}  // namespace vinci::launch
