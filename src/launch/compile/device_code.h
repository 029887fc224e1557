// What a kernel has that no chip has: the host's library, inline assembly, constructors. Real
// kernels have none of it, and it is what most attacks on a judge are made of.
#pragma once

#include <string>
#include <vector>

#include "launch/build.h"

namespace vinci::launch {

// A phrase for each, as "calls fopen", in order; empty: all of it could be device code. `words` are
// the compiler's.
std::vector<std::string> not_device_code(const Built& built, const std::string& source,
                                         const std::vector<std::string>& words);

// Of one shared object; what its text does not show. Empty for a file that is none.
std::vector<std::string> foreign_parts(const std::string& shared_object);

}  // namespace vinci::launch
