// The kernel lists a thread's children in a file below /proc.
#include "launch/sandbox/descendants.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

std::set<pid_t> children_of(pid_t process) {
  std::set<pid_t> children;
  std::error_code error;
  for (const auto& task : fs::directory_iterator(fmt::format("/proc/{}/task", process), error)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;) children.insert(child);
  }
  return children;
}

}  // namespace

std::set<pid_t> descendants_of(pid_t process) {
  std::set<pid_t> all;
  for (const pid_t child : children_of(process)) {
    all.insert(child);
    all.merge(descendants_of(child));
  }
  return all;
}

Orphanage::Orphanage() : before_(children_of(getpid())) { prctl(PR_SET_CHILD_SUBREAPER, 1); }

Orphanage::~Orphanage() {
  // Each that ends may leave more.
  while (true) {
    bool is_empty = true;
    for (const pid_t child : children_of(getpid())) {
      if (before_.contains(child)) continue;
      is_empty = false;
      kill(child, SIGKILL);
      while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
    if (is_empty) break;
  }
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

}  // namespace vinci::launch
