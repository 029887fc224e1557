// Kernels that start processes, which live for a minute. The number of each is told on stdout.
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "kernel_operator.h"

namespace {

void tell_and_sleep() {
  std::printf("%d\n", int(getpid()));
  std::fflush(stdout);
  for (int i = 0; i < 600; ++i) usleep(100000);
  _exit(0);
}

}  // namespace

// A child, its child, and one of a session of its own that nobody waits for. Then `how`: 0 returns,
// 1 does not, 2 crashes, 3 leaves by _exit, 4 is killed.
extern "C" __global__ __aicore__ void starts_processes(int32_t how) {
  std::fflush(stdout);
  if (fork() == 0) {
    if (fork() == 0) tell_and_sleep();
    tell_and_sleep();
  }
  if (fork() == 0) {
    setsid();
    if (fork() == 0) tell_and_sleep();
    _exit(0);
  }
  usleep(300000);
  if (how == 1)
    for (volatile int i = 0;; ++i) {
    }
  if (how == 2) std::abort();
  if (how == 3) _exit(0);
  if (how == 4) raise(SIGKILL);
}
