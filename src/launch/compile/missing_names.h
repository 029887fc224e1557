// Names of Ascend C that vinci lacks, and headers beside it, told from a compiler's errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/installation.h"

namespace vinci::launch {

// A sentence for each header of a library that packages build on and vinci has not, and for each
// public name of Ascend C that the errors of g++ or clang (in English) find
// undeclared, and that vinci's headers do not hold either; in the order of the errors.
std::vector<std::string> about_missing_names(std::string_view errors,
                                             const Installation& installation);

// What a compiler says in English after `command`, a call of it, failed. Asks it again.
std::string errors_in_english(const std::vector<std::string>& command);

}  // namespace vinci::launch
