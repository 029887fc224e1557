// The files of an operator package: op_host and op_kernel in any of the layouts that people have.
#pragma once

#include <string>
#include <vector>

#include "op/kernel_files.h"

namespace vinci::launch {

struct PackageFiles {
  std::string name;                  // as the user says it
  std::vector<std::string> host;     // sources with definitions and tiling functions
  std::vector<std::string> kernels;  // sources with kernels
  std::vector<std::string> folders;  // where both look for headers
  op::KernelFiles said;              // of the kernels, and what CMake files say of them
};

// `paths`: a folder, or sources. Which file is what its text decides: definitions and IMPL_OP_* are
// host code, __global__ is a kernel's. Folders of tests, examples and builds are left out. CMake
// files are read as they count for the chip. Throws Error (usage) if there is no definition.
PackageFiles find_package(const std::vector<std::string>& paths, const std::string& soc);

}  // namespace vinci::launch
