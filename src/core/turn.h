// Blocks on several host threads, seen from outside as if they ran one after the other.
//
// Blocks start in order and compute side by side. Whatever a user can see of one, a fault, a print,
// a crash, the end of the kernel, waits until all blocks before it have ended. So the report of a
// run does not depend on the number of threads.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace vinci {

class Turn {
 public:
  // `watcher` is called with the first block that has not ended, in ascending order.
  Turn(int64_t blocks, size_t threads, std::function<void(int64_t)> watcher);

  // The next block for a thread, or -1 if there is none.
  int64_t take(size_t thread);
  // The thread's block has ended by itself.
  void end(size_t thread);
  // No block starts any more, and blocks that wait for their turn wait in vain.
  void cancel() { cancelled_ = true; }
  bool finished() const { return first_ == blocks_; }

  // Waits until all blocks before `block` have ended; false if that will never be. May be called
  // from a signal handler.
  bool wait(int64_t block) const;
  // Hands `signal` to the thread of the first block that has not ended; false if `block` is that
  // block. May be called from a signal handler.
  bool pass_on(int64_t block, int signal) const;

 private:
  struct Thread {
    std::atomic<int64_t> block{-1};
    pthread_t handle{};
  };

  const int64_t blocks_;
  const std::function<void(int64_t)> watcher_;
  std::vector<Thread> threads_;
  std::mutex mutex_;
  std::vector<bool> ended_;
  std::atomic<int64_t> next_{0};
  std::atomic<int64_t> first_{0};  // the first block that has not ended
  std::atomic<bool> cancelled_{false};
};

}  // namespace vinci
