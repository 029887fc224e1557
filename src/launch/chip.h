// The chip that a --soc names.
#pragma once

#include <string>

#include "soc/soc.h"

namespace vinci::launch {

// Throws Error (usage) that lists chips and families.
const Soc& chip(const std::string& name);

}  // namespace vinci::launch
