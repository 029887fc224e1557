// vinci serve: requests come as lines on stdin, and each becomes a process by fork alone.
#include <fcntl.h>
#include <poll.h>
#include <stdio_ext.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/error.h"
#include "core/memory.h"

namespace vinci::cli {
namespace {

using nlohmann::json;

struct Request {
  std::vector<std::string> words;
  std::string folder, output, errors;
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;
};

Request parse(const std::string& line) {
  try {
    const json request = json::parse(line);
    Request result{
        request.at("argv"), request.at("cwd"), request.at("stdout"), request.at("stderr"), {}};
    for (const auto& [name, value] : request.at("env").items()) {
      result.environment.emplace_back(name, std::nullopt);
      if (!value.is_null()) result.environment.back().second = value.get<std::string>();
    }
    return result;
  } catch (const json::exception& problem) {
    throw usage(fmt::format(
        "serve: a line is {{\"argv\": [...], \"cwd\": \"...\", \"env\": {{...}}, \"stdout\": "
        "\"...\", \"stderr\": \"...\"}}, not {}: {}",
        line, problem.what()));
  }
}

void redirect(const std::string& file, int flags, int descriptor) {
  const int opened = open(file.c_str(), flags | O_CLOEXEC, 0666);
  if (opened < 0) {
    throw usage(fmt::format("serve: {} cannot be opened: {}", file, std::strerror(errno)));
  }
  dup2(opened, descriptor);
  close(opened);
}

// In the process of its own: what a start from a shell would do, then the command.
int execute(Request& request, const Command& command) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  __fpurge(stdin);  // requests that were read ahead
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect(request.errors, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  redirect(request.output, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  if (chdir(request.folder.c_str()) != 0) {
    throw usage(
        fmt::format("serve: {} cannot be entered: {}", request.folder, std::strerror(errno)));
  }
  for (const auto& [name, value] : request.environment) {
    if (value) {
      setenv(name.c_str(), value->c_str(), 1);
    } else {
      unsetenv(name.c_str());
    }
  }
  std::vector<char*> words;
  for (std::string& word : request.words) words.push_back(word.data());
  words.push_back(nullptr);
  return command(int(words.size()) - 1, words.data());
}

// Waits for a run. If nobody will read the answer, nobody needs the run either: it is ended, and
// there is no status.
std::optional<int> status_of(pid_t child) {
  const int process = int(syscall(SYS_pidfd_open, child, 0));
  pollfd events[] = {{process, POLLIN, 0}, {STDOUT_FILENO, 0, 0}};
  while (poll(events, 2, -1) < 0 && errno == EINTR) {
  }
  close(process);
  const bool lonely = (events[1].revents & POLLERR) != 0 && events[0].revents == 0;
  if (lonely) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (lonely) return std::nullopt;
  return status;
}

}  // namespace

int serve(const Command& command) {
  LocalMemory::poison_file();  // made once, for all runs
  for (std::string line; std::getline(std::cin, line);) {
    Request request = parse(line);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) throw Error(Error::Kind::kInternal, "no process is to be had");
    if (child == 0) return execute(request, command);
    const std::optional<int> status = status_of(child);
    if (!status) break;
    const bool exited = WIFEXITED(*status);
    fmt::print("{{\"{}\": {}}}\n", exited ? "code" : "signal",
               exited ? WEXITSTATUS(*status) : WTERMSIG(*status));
    if (std::fflush(stdout) != 0) break;
  }
  return kExitClean;
}

}  // namespace vinci::cli
