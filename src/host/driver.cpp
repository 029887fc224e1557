#include "host/driver.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <stdexcept>

#include <fmt/format.h>

#include "core/own_library.h"
#include "core/system_folder.h"

extern char** environ;

namespace vinci::host {
namespace {

namespace fs = std::filesystem;

struct Scratch {
  std::mutex mutex;
  std::string folder;  // empty: not made yet
  pid_t owner = 0;     // processes that fork from the program leave it alone
  int count = 0;
};
Scratch& scratch() {
  static Scratch* const made = new Scratch;  // streams may be at work until the very end
  return *made;
}

std::string made_folder() {
  std::string name = (system_folder() / "vinci-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error(fmt::format("{}: {} (TMPDIR says where)", name, std::strerror(errno)));
  }
  return name;
}

// The one beside the library, else the shell's.
std::string compiler_driver() {
  const fs::path own = fs::path(own_library().folder).parent_path() / "bin" / "vinci";
  std::error_code error;
  return fs::exists(own, error) ? own.string() : "vinci";
}

}  // namespace

std::string scratch_folder() {
  const std::lock_guard lock(scratch().mutex);
  if (scratch().folder.empty()) {
    scratch().folder = made_folder();
    scratch().owner = getpid();
  }
  return scratch().folder;
}

std::string new_scratch_folder() {
  const std::string parent = scratch_folder();
  const std::lock_guard lock(scratch().mutex);
  const std::string folder = fmt::format("{}/{}", parent, ++scratch().count);
  fs::create_directory(folder);
  return folder;
}

void remove_scratch() {
  const std::lock_guard lock(scratch().mutex);
  std::error_code error;
  if (scratch().owner == getpid()) fs::remove_all(scratch().folder, error);
}

Driven run_driver(const std::vector<std::string>& words) {
  const std::string log = new_scratch_folder() + "/log";
  std::vector<std::string> all{compiler_driver(), "bisheng"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    throw std::runtime_error(fmt::format("{}: {}", arguments[0], std::strerror(failed)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::ifstream file(log);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128,
          std::string(std::istreambuf_iterator<char>(file), {})};
}

}  // namespace vinci::host
