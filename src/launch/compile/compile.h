// From a kernel's source file to a shared object, through a cache.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "launch/command.h"
#include "launch/compile/compiler.h"
#include "launch/sandbox/confinement.h"
#include "launch/installation.h"
#include "launch/temporary_folder.h"
#include "soc/soc.h"

namespace vinci::launch {

// Options that every kernel needs on `soc`: the language, debug information, include path and the
// chip's definitions.
std::vector<std::string> kernel_options(const Soc& soc, const Installation& installation);

// Starts a compiler, waits for it and gives its exit code. It may show that it is at work.
using StartCompiler =
    std::function<int(const std::vector<std::string>& command, const Redirection& to)>;

struct CompileOptions {
  std::vector<std::string> words;  // for the compiler
  bool use_cache = true;
  std::vector<std::string> compiler = launch::compiler();
  StartCompiler start = run_command;
  // Takes what the compiler says, again for what comes from the cache, and warnings about the
  // cache.
  std::function<void(const std::string& messages)> tell;
  CoreKind kind = CoreKind::kWhole;  // of the cores that run it
  std::string instance = {};         // of a template: its name and arguments; kInstance finds it
  // Nobody trusts the source: the compiler reads C++ files in its folder and those of -I, the
  // system's, and no others; may take so many seconds of the processor (0: it is not shut in).
  int confined_seconds = 0;
  // Others like it come: the header that they begin with is compiled for the first one already.
  bool is_one_of_many = false;
};

// Options that are of no account to vinci's own headers: definitions, which the compiler compares
// by itself, folders and warnings; libraries.
bool is_of_a_source(const std::string& option);
// Where compiled headers stay.
std::filesystem::path headers_in(const std::filesystem::path& cache);

// The words of its compiler, without a wrapper that would write to a cache of its own if the
// compiler is shut in.
std::vector<std::string> compiler_for(const CompileOptions& options);
// What the compiler of sources that nobody trusts may use; it writes to `folder`.
Confines confines_for(const std::vector<std::string>& sources, const Installation& installation,
                      const CompileOptions& options, const std::string& folder);

struct Compiled {
  std::string shared_object;
  bool from_cache = false;
  std::shared_ptr<const TemporaryFolder> folder;  // it lies there, if it is not in the cache
};

// Compiles `source`, or takes it from the cache if neither it, a header it includes or would now
// include, the options, the compiler nor vinci have changed; chips for which the preprocessor makes
// the same text share what was compiled. Without a cache that can be written it compiles anew, and
// tells so if it was to use one. Throws Error (usage, compile).
Compiled compile_kernel(const std::string& source, const Soc& soc, const Installation& installation,
                        const CompileOptions& options);

}  // namespace vinci::launch
