#include "launch/child_process.h"

#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <mutex>
#include <string>

#include <fmt/format.h>

namespace vinci::launch {
namespace {

constexpr size_t kMostLeft = 4;  // each holds memory until it is gone

// Whether the process of a handle is gone; somebody else may have waited for it.
bool is_gone(int handle, int options) {
  siginfo_t info{};
  int got;
  while ((got = waitid(P_PIDFD, id_t(handle), &info, WEXITED | options)) < 0 && errno == EINTR) {
  }
  return got < 0 || info.si_pid != 0;
}

// The children that were left, by their handles: the number of one that somebody else has waited
// for may be another's by now.
void keep_left(int handle) {
  static std::mutex one_at_a_time;
  static std::deque<int> left;
  const std::lock_guard lock(one_at_a_time);
  left.push_back(handle);
  while (is_gone(left.front(), left.size() > kMostLeft ? 0 : WNOHANG)) {
    close(left.front());
    left.pop_front();
    if (left.empty()) return;
  }
}

}  // namespace

ChildProcess::ChildProcess(pid_t id) : id_(id), handle_(int(syscall(SYS_pidfd_open, id, 0))) {}

ChildProcess::~ChildProcess() {
  if (!ended_) {
    signal(SIGKILL);
    while (waitpid(id_, &status_, 0) < 0 && errno == EINTR) {
    }
  }
  if (handle_ >= 0) close(handle_);
}

bool ChildProcess::await(int pipe) {
  // A host without handles of processes is asked again and again.
  pollfd ready[] = {{pipe, POLLIN, 0}, {handle_, POLLIN, 0}};
  if (poll(ready, 2, handle_ < 0 && pipe < 0 ? 1 : 100) <= 0) ready[0].revents = 0;
  return ready[0].revents != 0;
}

bool ChildProcess::has_ended() {
  const pid_t got = waitpid(id_, &status_, WNOHANG);
  ended_ = got == id_ || (got < 0 && errno == ECHILD);  // somebody else may have waited for it
  return ended_;
}

void ChildProcess::leave() {
  if (handle_ < 0) return;
  keep_left(handle_);
  handle_ = -1;
  ended_ = true;
}

void ChildProcess::signal(int number) const { kill(id_, number); }

int ChildProcess::threads() const {
  std::ifstream status(fmt::format("/proc/{}/status", id_));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("Threads:")) return std::atoi(line.c_str() + 8);
  }
  return 0;
}

}  // namespace vinci::launch
