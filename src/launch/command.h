// Starting the compiler.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace vinci::launch {

// Where a program's stdout and stderr go; empty: where this process's go. They may be one file.
struct Redirection {
  std::string output, errors;
  bool english = false;  // what it says there is English
};

// While it exists, all commands of this process are ended, with what they started, as soon as
// `reason` gives one; run_command throws it as Error (compile). It is asked some ten times a
// second and after signals. One at a time.
class CommandLimit {
 public:
  explicit CommandLimit(std::function<std::string()> reason);
  ~CommandLimit();
  CommandLimit(const CommandLimit&) = delete;
  CommandLimit& operator=(const CommandLimit&) = delete;
};

// Starts a program and waits for it. Returns its exit code; throws Error (compile) if it cannot be
// started.
int run_command(const std::vector<std::string>& command, const Redirection& to = {});

}  // namespace vinci::launch
