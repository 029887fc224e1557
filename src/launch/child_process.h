// The handle of a forked process: waiting for it, asking it, ending it.
#pragma once

#include <sys/types.h>

namespace vinci::launch {

// A child that does not outlive this object, unless it is left to end by itself.
class ChildProcess {
 public:
  explicit ChildProcess(pid_t id);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  // Waits until there is something to read, or the process has ended, or some time has passed.
  // Whether there is something to read. `pipe` may be -1.
  bool await(int pipe);
  bool has_ended();
  // Of a child that has nothing left to do but to end, which takes longer than a small kernel: it is
  // waited for when a later one is left, and does not outlive the process either.
  void leave();
  void signal(int number) const;
  int threads() const;
  int status() const { return status_; }  // as of waitpid, once it has ended

 private:
  const pid_t id_;
  int handle_;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace vinci::launch
