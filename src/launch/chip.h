// The chip that a --soc names.
#pragma once

#include <string>
#include <vector>

#include "soc/soc.h"

namespace vinci::launch {

// Throws Error (usage) that lists chips and families.
const Soc& chip(const std::string& name);

// For a compiler: the chip's name and what its memories have for InitBuffer, as vinci's own headers
// ask for them, and `definitions`.
std::vector<std::string> chip_options(const Soc& soc, const std::vector<std::string>& definitions);

}  // namespace vinci::launch
