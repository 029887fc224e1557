// What is to be compiled for a call of an operator.
#pragma once

#include "op/call.h"
#include "op/kernel_text.h"
#include "op/tile.h"

namespace vinci::op {

// The kernel's names, as the definition says for its chip: of the source without extension, and of
// the function.
std::string kernel_file_name(const Definition& definition, const Chip& chip);
std::string kernel_function_name(const Definition& definition, const Chip& chip);

// For a tiling key that this thread's tiling function has just said.
KernelRequest kernel_request(const Definition& definition, const Chip& chip, const Row& row,
                             const Tiled& tiled, const std::string& file);

// What a tiling function has filled: the type that GetTilingData said, if any.
struct Filled {
  std::string type;
  uint64_t key = 0;
  size_t bytes = 0;
};
// KernelRequest::host_struct: the plain struct of GetTilingData, or that of the kernel's name and
// the data's size, as the debug information of the host's library has it.
nlohmann::json host_struct(const std::string& library, const Filled& filled,
                           const KernelSource& source);

}  // namespace vinci::op
