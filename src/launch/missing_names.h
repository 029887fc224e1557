// Names of Ascend C that vinci lacks, told from a compiler's errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vinci::launch {

// Public names of Ascend C that the errors of g++ or clang (in English) find undeclared, and that
// vinci's headers do not hold either; each once, in the order of the errors.
std::vector<std::string> missing_names(std::string_view errors,
                                       const std::string& include_directory);

// A sentence for each such name.
std::vector<std::string> about_missing_names(std::string_view errors,
                                             const std::string& include_directory);

// The same after `command`, a call of a compiler, failed. Asks the compiler again.
std::vector<std::string> about_missing_names(const std::vector<std::string>& command,
                                             const std::string& include_directory);

}  // namespace vinci::launch
