// The types of kernels, as KERNEL_TYPE_... and the qualifiers of kernels name them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "vinci/grid.h"

namespace vinci {

struct KernelType {
  std::string_view name;  // without the beginning KERNEL_TYPE_
  int aic, aiv;           // of a block
};
// Those of chips that have AICs and AIVs apart.
std::span<const KernelType> kernel_types();

// One block of a type's cores; nothing if no such type has them.
std::optional<Grid> block_of_type(std::string_view name);

}  // namespace vinci
