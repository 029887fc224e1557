// Functions that streams have run in threads of the program.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>

#include <pthread.h>
#include <unistd.h>

#include <fmt/format.h>

#include "acl/acl_rt.h"
#include "host/acl/error.h"
#include "host/acl/runtime.h"
#include "host/acl/signals.h"

namespace vinci::acl {
namespace {

struct Report {
  aclrtCallback function;
  void* data;
  std::shared_ptr<bool> is_done;  // guarded by the lock of the signals
};

// What a thread has to run. The identifier is pthread_self() or that of the system.
struct Reader {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Report> reports;
};

struct Subscriptions {
  std::mutex mutex;
  std::map<aclrtStream, uint64_t> thread_of;
  std::map<uint64_t, std::shared_ptr<Reader>> readers;

  void leave(uint64_t thread) {
    for (const auto& [stream, other] : thread_of) {
      if (other == thread) return;
    }
    readers.erase(thread);
  }
};

Subscriptions& subscriptions() {
  static auto* const all = new Subscriptions;
  return *all;
}

// A null stream is the default one of the context, wherever it is said.
aclrtStream handle_of(const char* api, aclrtStream stream) {
  Context context;
  if (stream_of(api, stream) == nullptr || !current_context(api, context)) return nullptr;
  return stream == nullptr ? context.default_stream : stream;
}

std::shared_ptr<Reader> reader_of(aclrtStream handle) {
  const std::lock_guard lock(subscriptions().mutex);
  const auto found = subscriptions().thread_of.find(handle);
  return found == subscriptions().thread_of.end() ? nullptr
                                                  : subscriptions().readers.at(found->second);
}

std::shared_ptr<Reader> reader_of_this_thread() {
  const std::lock_guard lock(subscriptions().mutex);
  for (const uint64_t thread : {uint64_t(pthread_self()), uint64_t(gettid())}) {
    const auto found = subscriptions().readers.find(thread);
    if (found != subscriptions().readers.end()) return found->second;
  }
  return nullptr;
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtSubscribeReport(uint64_t thread, aclrtStream stream) {
  constexpr const char* kApi = "aclrtSubscribeReport";
  const aclrtStream handle = handle_of(kApi, stream);
  if (handle == nullptr) return last_error();
  Subscriptions& all = subscriptions();
  const std::lock_guard lock(all.mutex);
  if (all.thread_of.contains(handle)) {
    return fail(ACL_ERROR_RT_STREAM_SUBSCRIBE, kApi, "the stream has a thread already");
  }
  all.thread_of[handle] = thread;
  std::shared_ptr<Reader>& reader = all.readers[thread];
  if (reader == nullptr) reader = std::make_shared<Reader>();
  return ACL_SUCCESS;
}

aclError aclrtUnSubscribeReport(uint64_t thread, aclrtStream stream) {
  constexpr const char* kApi = "aclrtUnSubscribeReport";
  const aclrtStream handle = handle_of(kApi, stream);
  if (handle == nullptr) return last_error();
  Subscriptions& all = subscriptions();
  const std::lock_guard lock(all.mutex);
  const auto found = all.thread_of.find(handle);
  if (found == all.thread_of.end() || found->second != thread) {
    return fail(ACL_ERROR_RT_THREAD_SUBSCRIBE, kApi,
                fmt::format("thread {} does not run the stream's callbacks", thread));
  }
  all.thread_of.erase(found);
  all.leave(thread);
  return ACL_SUCCESS;
}

aclError aclrtLaunchCallback(aclrtCallback function, void* data, aclrtCallbackBlockType block,
                             aclrtStream stream) {
  constexpr const char* kApi = "aclrtLaunchCallback";
  if (function == nullptr) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, kApi, "the function is null");
  }
  if (block != ACL_CALLBACK_NO_BLOCK && block != ACL_CALLBACK_BLOCK) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, kApi, fmt::format("block type {}", int(block)));
  }
  const aclrtStream handle = handle_of(kApi, stream);
  if (handle == nullptr) return last_error();
  const std::shared_ptr<Reader> reader = reader_of(handle);
  if (reader == nullptr) {
    return refuse(ACL_ERROR_RT_STREAM_NO_CB_REG, kApi, "no thread runs the stream's callbacks",
                  "aclrtSubscribeReport first");
  }
  return add_signal_task(kApi, handle, [=] {
    const auto is_done = std::make_shared<bool>(false);
    {
      const std::lock_guard lock(reader->mutex);
      reader->reports.push_back({function, data, is_done});
    }
    reader->changed.notify_all();
    if (block == ACL_CALLBACK_NO_BLOCK) return Ending{};
    return wait_for_signal(
        kApi, [&] { return *is_done; }, -1);
  });
}

aclError aclrtProcessReport(int32_t milliseconds) {
  constexpr const char* kApi = "aclrtProcessReport";
  if (milliseconds < -1 || milliseconds == 0) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, kApi, fmt::format("timeout {}", milliseconds));
  }
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(milliseconds);
  // The thread may be there before it is subscribed.
  for (;;) {
    Report report{};
    if (const std::shared_ptr<Reader> reader = reader_of_this_thread()) {
      std::unique_lock lock(reader->mutex);
      reader->changed.wait_for(lock, std::chrono::milliseconds(1),
                               [&] { return !reader->reports.empty(); });
      if (!reader->reports.empty()) {
        report = std::move(reader->reports.front());
        reader->reports.pop_front();
      }
    } else {
      usleep(1000);
    }
    if (report.function != nullptr) {
      report.function(report.data);
      signal([&] { *report.is_done = true; });
      return ACL_SUCCESS;
    }
    if (milliseconds != -1 && Clock::now() >= end) {
      return fail(ACL_ERROR_RT_REPORT_TIMEOUT, kApi, "no callback has come");
    }
  }
}

}  // extern "C"
