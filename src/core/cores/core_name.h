// How messages call one core of a launch.
#pragma once

#include <string>

#include <fmt/format.h>

#include "vinci/grid.h"

namespace vinci {

// "block 0", "AIC of block 0", "AIV 1 of block 0"
inline std::string name_of_core(const Grid& grid, int64_t core) {
  const std::string block = fmt::format("block {}", grid.block_of(core));
  if (grid.is_whole()) return block;
  const int number = grid.number_of(core);
  return fmt::format("{}{} of {}", grid.kind_of(core) == CoreKind::kAic ? "AIC" : "AIV",
                     number < 0 ? "" : fmt::format(" {}", number), block);
}

}  // namespace vinci
