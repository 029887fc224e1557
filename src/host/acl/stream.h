// Streams and events: what a stream is given happens in order, beside what others are given.
#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "host/acl/capture.h"
#include "host/program.h"

namespace vinci::acl {

// A thread of its own, which starts with the first task.
class Stream {
 public:
  using Task = std::function<Ending()>;

  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  // Waits for what it was given. Not on its own thread.
  ~Stream();

  // False: no thread is to be had. `name` is of the function or kernel.
  bool add(const std::string& name, Task task);
  // What keeps the tasks that this stream is given, instead of running them; nullptr: nothing does.
  std::shared_ptr<Capture> capture();
  void set_capture(std::shared_ptr<Capture> capture);
  bool is_idle();
  // What has not begun will not.
  void drop_tasks();
  // Waits until all that it was given has ended, and takes how the first of those ended that failed
  // since the last call. `milliseconds` -1: as long as it takes; else `expired` says that the time
  // was over before.
  Ending wait(int64_t milliseconds, bool& expired);
  // Whether the caller is one of this stream's tasks.
  bool is_this_thread() const;

 private:
  static void* run_thread(void* stream);
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Task> tasks_;
  bool is_busy_ = false, is_over_ = false, has_thread_ = false;
  pthread_t thread_{};
  Ending ending_;
  std::shared_ptr<Capture> capture_;
};

// Recorded in a stream, waited for by others and by the host.
class Event {
 public:
  using Clock = std::chrono::steady_clock;

  // The task that a stream passes; waits that were given before are for the record before.
  Stream::Task record();
  // Of the stream that recorded it last: a stream that waits for it is captured with that one.
  std::weak_ptr<Capture> capture;
  // Waits until the record that is the last one now has been passed, for so many milliseconds at
  // most (-1: no limit). False: the time was over before.
  std::function<bool()> wait_for(int64_t milliseconds);
  bool await(int64_t milliseconds) { return wait_for(milliseconds)(); }
  // When that was; false: not yet, or never recorded.
  bool time(Clock::time_point& when);
  bool is_done();
  // Whether it counts as done before it is recorded.
  bool is_done_before = false;
  bool has_key = false;  // for aclrtIpcGetEventHandle

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    uint64_t recorded = 0, passed = 0;
    Clock::time_point when;
  };
  // Tasks may outlive the event.
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace vinci::acl
