#include "host/acl/stream.h"

#include <csignal>
#include <utility>

#include "core/crash.h"
#include "host/memories.h"

namespace vinci::acl {
namespace {

thread_local const Stream* stream_of_thread = nullptr;

}  // namespace

Stream::~Stream() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (has_thread_) pthread_join(thread_, nullptr);
}

bool Stream::add(const std::string& name, Task task) {
  const std::lock_guard lock(mutex_);
  if (capture_ != nullptr) {
    capture_->add({name, this, std::move(task)});
    return true;
  }
  if (!has_thread_) {
    // The program's signals are for its own threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    has_thread_ = create_kernel_thread(thread_, run_thread, this);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (!has_thread_) return false;
  }
  host::Memories::instance().begin_use();
  tasks_.push_back(std::move(task));
  changed_.notify_all();
  return true;
}

std::shared_ptr<Capture> Stream::capture() {
  const std::lock_guard lock(mutex_);
  return capture_;
}

void Stream::set_capture(std::shared_ptr<Capture> capture) {
  const std::lock_guard lock(mutex_);
  capture_ = std::move(capture);
}

void* Stream::run_thread(void* stream) {
  const CrashStack stack;  // kernels run on this thread
  hear_crashes();
  stream_of_thread = static_cast<Stream*>(stream);
  static_cast<Stream*>(stream)->run();
  return nullptr;
}

void Stream::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_over_ || !tasks_.empty(); });
    if (tasks_.empty()) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    is_busy_ = true;
    lock.unlock();
    Ending ending = task();
    task = nullptr;  // what it holds goes before anybody hears of its end
    host::Memories::instance().end_use();
    lock.lock();
    is_busy_ = false;
    if (ending_.code == 0) ending_ = std::move(ending);
    changed_.notify_all();
  }
}

bool Stream::is_idle() {
  const std::lock_guard lock(mutex_);
  return tasks_.empty() && !is_busy_;
}

void Stream::drop_tasks() {
  std::deque<Task> dropped;
  {
    const std::lock_guard lock(mutex_);
    dropped.swap(tasks_);
  }
  for (size_t i = 0; i < dropped.size(); ++i) host::Memories::instance().end_use();
  changed_.notify_all();
}

Ending Stream::wait(int64_t milliseconds, bool& expired) {
  std::unique_lock lock(mutex_);
  const auto is_idle = [this] { return tasks_.empty() && !is_busy_; };
  expired = false;
  if (milliseconds < 0) {
    changed_.wait(lock, is_idle);
  } else {
    expired = !changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), is_idle);
  }
  return expired ? Ending{} : std::exchange(ending_, {});
}

bool Stream::is_this_thread() const { return stream_of_thread == this; }

Stream::Task Event::record() {
  uint64_t number = 0;
  {
    const std::lock_guard lock(state_->mutex);
    number = ++state_->recorded;
  }
  return [state = state_, number] {
    const std::lock_guard lock(state->mutex);
    if (number > state->passed) state->passed = number;
    state->when = Clock::now();
    state->changed.notify_all();
    return Ending{};
  };
}

std::function<bool()> Event::wait_for(int64_t milliseconds) {
  uint64_t number = 0;
  {
    const std::lock_guard lock(state_->mutex);
    number = state_->recorded;
  }
  return [state = state_, number, milliseconds] {
    std::unique_lock lock(state->mutex);
    const auto is_passed = [&] { return state->passed >= number; };
    if (milliseconds >= 0) {
      return state->changed.wait_for(lock, std::chrono::milliseconds(milliseconds), is_passed);
    }
    state->changed.wait(lock, is_passed);
    return true;
  };
}

bool Event::time(Clock::time_point& when) {
  const std::lock_guard lock(state_->mutex);
  when = state_->when;
  return state_->recorded != 0 && state_->passed == state_->recorded;
}

bool Event::is_done() {
  const std::lock_guard lock(state_->mutex);
  return state_->recorded == 0 ? is_done_before : state_->passed == state_->recorded;
}

}  // namespace vinci::acl
