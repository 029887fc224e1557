// The tools that a launch brings along.
#pragma once

#include <memory>
#include <vector>

#include "vinci/tool.h"

namespace vinci {

// Those of `--check full`, in the order in which they see events.
std::vector<std::unique_ptr<Tool>> full_tools();

// Those that judge vinci itself, not the kernel: named by VINCI_SELF_CHECK. Their instructions run
// one block after the other.
std::vector<std::unique_ptr<Tool>> self_tools();

}  // namespace vinci
