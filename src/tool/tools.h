// The tools that a launch brings along.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "vinci/checks.h"
#include "vinci/tool.h"

namespace vinci {

class Races;

// With Checks::pipes_in_order: all the same, what a pipe need not have done is looked for, as a
// part of the kernel orders its pipes itself. A bit of Checks::tools.
inline constexpr uint32_t kOrdersPipesInPart = uint32_t(1) << 28;

// Those that come with these checks, in the order in which they see events.
std::vector<std::unique_ptr<Tool>> tools_of(const Checks& checks);

// Whether the tool of this name is among them.
bool has_tool(const Checks& checks, std::string_view name);

// The one that follows the order of pipes; nullptr if it is not among them.
const Races* races_among(std::span<const std::unique_ptr<Tool>> tools);

// Those that judge vinci itself, not the kernel: named by VINCI_SELF_CHECK. Their instructions run
// one block after the other.
std::vector<std::unique_ptr<Tool>> self_tools();

}  // namespace vinci
