// What the commands that run kernels share: their options' meaning, compiling, running.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/explore.h"
#include "cli/result.h"
#include "launch/build.h"
#include "launch/compile/compile.h"
#include "launch/launch.h"
#include "soc/soc.h"

namespace vinci::cli {

// Checks what options say in words, before anything is compiled. Throws Error (usage).
// What is checked.
Checks checks_of(const RunOptions& options);
void check_words(const RunOptions& options);
// `of_compiler` is what --cce-auto-sync among the compiler's options says.
Order order_of(const RunOptions& options, std::optional<bool> of_compiler);

// Tells what the host lacks. Throws Error (usage) if all of it is required.
launch::Sandbox sandbox_of(const RunOptions& options);
// Tells what a kernel has that no chip has, where nobody trusts it. Throws Error (compile) if that
// is refused. `source` was compiled; `name` is what the user knows it by.
void look_at_device_code(const RunOptions& options, const launch::Built& built,
                         const std::string& source, const std::string& name);

// As the options want it, and until when (for launch::CommandLimit). The options must stay.
launch::CompileOptions compiling(const RunOptions& options, const Soc& soc);
std::function<std::string()> limit_of(const RunOptions& options);

// Runs something with a watch that shows what happens, and ends it on signals.
launch::Outcome watched(const launch::Launch& launch,
                        const std::function<launch::Outcome(const launch::Watch&)>& run);

// Runs under further schedules; what they find becomes the result's.
void explore(Exploration& exploration, Result& result,
             const std::function<launch::Outcome(const launch::Launch&)>& run);

// Saves and compares outputs and tells what was found: everything behind the last run. The exit
// code.
int conclude(Result& result, const std::vector<Expectation>& expectations,
             Suppressions& suppressions, bool quiet);

}  // namespace vinci::cli
