// posix_spawn, with files for what the program says.
#include "launch/command.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "launch/error.h"

extern char** environ;

namespace vinci::launch {
namespace {

// The environment with messages in English.
std::vector<char*> english_environment() {
  static char english[] = "LC_ALL=C";
  std::vector<char*> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("LC_ALL=")) all.push_back(*variable);
  }
  all.insert(all.end(), {english, nullptr});
  return all;
}

}  // namespace

int run_command(const std::vector<std::string>& command, const Redirection& to) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> english = english_environment();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  const int flags = O_WRONLY | O_CREAT | O_TRUNC;
  if (!to.output.empty()) {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, to.output.c_str(), flags, 0600);
  }
  if (!to.errors.empty() && to.errors == to.output) {
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  } else if (!to.errors.empty()) {
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, to.errors.c_str(), flags, 0600);
  }
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(),
                                  to.english ? english.data() : environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    throw Error(Error::Kind::kCompile, fmt::format("the compiler {} cannot be started: {}",
                                                   command[0], std::strerror(failed)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace vinci::launch
