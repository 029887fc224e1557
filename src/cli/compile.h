// From a kernel's source file to a shared object, through a cache.
#pragma once

#include <string>
#include <vector>

#include "soc/soc.h"

namespace vinci::cli {

// Where vinci's headers and library are, relative to the running program.
std::string include_directory();
std::string library_directory();

// The host compiler: $CXX, or the one that vinci was built with.
std::string compiler();

// Options that every kernel needs on `soc`: the language, debug information, include path and the
// chip's definitions.
std::vector<std::string> kernel_options(const Soc& soc);

struct Compiled {
  std::string shared_object;
  bool from_cache = false;
};

// Compiles `source`, or takes it from the cache if neither it, a header it includes or would now
// include, the options, the compiler nor vinci have changed; chips for which the preprocessor makes
// the same text share what was compiled. The compiler's messages go to stderr; unless
// `quiet` it says on a terminal that it is working. Throws Error (compile).
Compiled compile_kernel(const std::string& source, const Soc& soc,
                        const std::vector<std::string>& options, bool use_cache, bool quiet);

}  // namespace vinci::cli
