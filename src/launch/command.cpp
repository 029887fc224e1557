// posix_spawn, with files for what the program says.
#include "launch/command.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "launch/sandbox/confinement.h"
#include "launch/sandbox/descendants.h"
#include "launch/error.h"

extern char** environ;

namespace vinci::launch {
namespace {

std::function<std::string()> why_end;  // of the CommandLimit

// The environment, with messages in English if wanted.
std::vector<char*> environment_for(bool english) {
  static char in_english[] = "LC_ALL=C";
  std::vector<char*> all;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!english || !std::string_view(*variable).starts_with("LC_ALL=")) all.push_back(*variable);
  }
  if (english) all.push_back(in_english);
  all.push_back(nullptr);
  return all;
}

// A compiler removes its files when it is asked to end, but leaves its parts at work. `over` tells
// of its end.
void end(pid_t command, pollfd& over) {
  constexpr int kPatienceMilliseconds = 1000;
  const std::set<pid_t> below = descendants_of(command);
  kill(command, SIGTERM);
  poll(&over, 1, kPatienceMilliseconds);
  kill(command, SIGKILL);
  for (const pid_t process : below) kill(process, SIGKILL);
}

// The status with which a process ends. Throws Error (compile) if it has to be ended.
int wait_for(pid_t command) {
  const int handle = int(syscall(SYS_pidfd_open, command, 0));
  pollfd over{handle, POLLIN, 0};
  int status = 0;
  std::string reason;
  while (true) {
    const pid_t got = waitpid(command, &status, why_end ? WNOHANG : 0);
    const bool has_ended = got == command || (got < 0 && errno != EINTR);
    // What ended with an error may have had the signal, too.
    if (why_end && (!has_ended || status != 0)) reason = why_end();
    if (has_ended) break;
    if (!reason.empty()) end(command, over);
    if (why_end) poll(&over, 1, 100);  // or 0.1 s, on a host without handles of processes
  }
  if (handle >= 0) close(handle);
  if (!reason.empty()) throw Error(Error::Kind::kCompile, reason);
  return status;
}

}  // namespace

namespace {

constexpr int kToFile = O_WRONLY | O_CREAT | O_TRUNC;

// posix_spawnp, with errno for its result.
pid_t start_free(const std::vector<char*>& arguments, const std::vector<char*>& environment,
                 const Redirection& to) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (!to.output.empty()) {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, to.output.c_str(), kToFile, 0600);
  }
  if (!to.errors.empty() && to.errors == to.output) {
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  } else if (!to.errors.empty()) {
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, to.errors.c_str(), kToFile, 0600);
  }
  // vinci may ignore what a program is to hear.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t child = -1;
  errno = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(),
                       environment.data());
  const bool failed = errno != 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed ? -1 : child;
}

// -1: where this process's goes.
int opened(const std::string& path) {
  return path.empty() ? -1 : open(path.c_str(), kToFile | O_CLOEXEC, 0600);
}

pid_t start_shut_in(const Confines& confines, const std::vector<char*>& arguments,
                    const std::vector<char*>& environment, const Redirection& to) {
  const int output = opened(to.output);
  const int errors = to.errors == to.output ? output : opened(to.errors);
  const pid_t child = start_confined(confines, arguments, environment, output, errors);
  const int why = errno;
  if (output >= 0) close(output);
  if (errors >= 0 && errors != output) close(errors);
  errno = why;
  return child;
}

}  // namespace

int run_command(const std::vector<std::string>& command, const Redirection& to) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const std::vector<char*> environment = environment_for(to.english);
  const pid_t child = confines() == nullptr
                          ? start_free(arguments, environment, to)
                          : start_shut_in(*confines(), arguments, environment, to);
  if (child < 0) {
    throw Error(Error::Kind::kCompile, fmt::format("the compiler {} cannot be started: {}",
                                                   command[0], std::strerror(errno)));
  }
  const int status = wait_for(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

CommandLimit::CommandLimit(std::function<std::string()> reason) { why_end = std::move(reason); }

CommandLimit::~CommandLimit() { why_end = nullptr; }

}  // namespace vinci::launch
