// aclrtlaunch_KERNEL(blocks, stream, arguments...): the function and the header that builds of the
// older style make for each kernel.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/compile/dialect.h"

namespace vinci::launch {

struct StubOptions {
  bool functions = false;  // whether a source gets them
  // The kernel's last parameter, or with `have_tiling` the one before it, is the workspace: the
  // kernel gets what of it is behind the system's part.
  bool have_workspace = false, have_tiling = false;
};

// C++ that makes instances of kernels that are templates known to programs, to stand at the end of
// a source with these kernels. In the host's pass the variable kLowered + "0" (1, ...) points to
// each.
std::string instance_entries(const std::vector<std::string>& instances,
                             const std::vector<KernelText>& kernels, Pass pass);
inline constexpr const char* kLowered = "vinci_lowered_";

// C++ that defines them, to stand behind a source with these kernels.
std::string launch_functions(const std::vector<KernelText>& kernels, const StubOptions& options);

// Writes aclrtlaunch_KERNEL.h into `folder` for each kernel of preprocessed text. Throws Error
// (compile) if a file cannot be written.
void write_launch_headers(std::string_view text, const std::string& folder);

}  // namespace vinci::launch
