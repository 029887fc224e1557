// Starting the compiler.
#pragma once

#include <string>
#include <vector>

namespace vinci::launch {

// Where a program's stdout and stderr go; empty: where this process's go. They may be one file.
struct Redirection {
  std::string output, errors;
  bool english = false;  // what it says there is English
};

// Starts a program and waits for it. Returns its exit code; throws Error (compile) if it cannot be
// started.
int run_command(const std::vector<std::string>& command, const Redirection& to = {});

}  // namespace vinci::launch
