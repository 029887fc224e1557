// The host code of an operator package's project as a shared library, which uses its own definition
// of everything that it has one of.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "launch/compile/compile.h"

namespace vinci::launch {

// Compiles and links the sources, with what of `others`, one list after the other, they need to be
// linked; or takes the library from the cache if neither they nor a header
// of theirs, the options, the compiler nor vinci have changed. The path of the library: what else
// is known of it may be kept in its folder. Throws Error (compile).
std::string host_library(const std::vector<std::string>& sources,
                         const std::vector<std::vector<std::string>>& others,
                         const std::vector<std::string>& words, const CompileOptions& options);

}  // namespace vinci::launch
