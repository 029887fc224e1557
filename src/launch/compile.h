// From a kernel's source file to a shared object, through a cache.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "launch/command.h"
#include "launch/installation.h"
#include "soc/soc.h"

namespace vinci::launch {

// The host compiler: $CXX, or the one that vinci was built with.
std::string compiler();

// Options that every kernel needs on `soc`: the language, debug information, include path and the
// chip's definitions.
std::vector<std::string> kernel_options(const Soc& soc, const Installation& installation);

// Starts a compiler, waits for it and gives its exit code. It may show that it is at work, and
// catch what the compiler says.
using StartCompiler = std::function<int(const std::vector<std::string>& command)>;

struct CompileOptions {
  std::vector<std::string> words = {};  // for the compiler
  bool use_cache = true;
  StartCompiler start = [](const auto& command) { return run_command(command); };
};

struct Compiled {
  std::string shared_object;
  bool from_cache = false;
};

// Compiles `source`, or takes it from the cache if neither it, a header it includes or would now
// include, the options, the compiler nor vinci have changed; chips for which the preprocessor makes
// the same text share what was compiled. Throws Error (usage, compile).
Compiled compile_kernel(const std::string& source, const Soc& soc, const Installation& installation,
                        const CompileOptions& options);

}  // namespace vinci::launch
