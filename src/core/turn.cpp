// Waiting is polling: it must work in a signal handler, and it is rare.
#include "core/turn.h"

#include <unistd.h>

#include <csignal>

namespace vinci {
namespace {

constexpr useconds_t kPollMicroseconds = 50;

}  // namespace

Turn::Turn(int64_t blocks, size_t threads, std::function<void(int64_t)> watcher)
    : blocks_(blocks), watcher_(std::move(watcher)), threads_(threads), ended_(size_t(blocks)) {
  if (blocks > 0) watcher_(0);
}

int64_t Turn::take(size_t thread) {
  if (cancelled_) return -1;
  const int64_t block = next_++;
  if (block >= blocks_) return -1;
  threads_[thread].handle = pthread_self();
  threads_[thread].block = block;
  return block;
}

void Turn::end(size_t thread) {
  const std::lock_guard lock(mutex_);
  ended_[size_t(threads_[thread].block.exchange(-1))] = true;
  while (first_ < blocks_ && ended_[size_t(first_)]) {
    const int64_t next = first_ + 1;
    if (next < blocks_) watcher_(next);  // before anything can be seen of that block
    first_ = next;
  }
}

bool Turn::wait(int64_t block) const {
  while (first_ < block) {
    if (cancelled_) return false;
    usleep(kPollMicroseconds);
  }
  return true;
}

bool Turn::pass_on(int64_t block, int signal) const {
  // For a moment no thread may have the first block: the one before has just ended.
  for (; !cancelled_ && first_ < blocks_; usleep(kPollMicroseconds)) {
    const int64_t first = first_;
    if (first == block) return false;
    for (const Thread& thread : threads_) {
      if (thread.block != first) continue;
      pthread_kill(thread.handle, signal);
      return true;
    }
  }
  return true;
}

}  // namespace vinci
