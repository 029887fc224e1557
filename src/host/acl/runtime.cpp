#include "host/acl/runtime.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "core/cores/rounds.h"
#include "host/acl/error.h"
#include "host/acl/signals.h"

namespace vinci::acl {
namespace {

thread_local void* context_of_thread = nullptr;
thread_local uint32_t task_of_thread = 0;
std::atomic<uint32_t> tasks = 0;

// Until all are idle. When those at work have been waiting for a signal for a while, none will
// come.
void await_streams(const std::vector<std::shared_ptr<Stream>>& streams) {
  constexpr int kPatience = 5;  // looks, 20 ms apart
  for (int stuck = 0; !streams.empty();) {
    int64_t busy = 0;
    for (const auto& stream : streams) {
      bool expired = false;
      stream->wait(std::max<int64_t>(1, 20 / int64_t(streams.size())), expired);
      busy += expired;
    }
    if (busy == 0) return;
    stuck = busy == waiting_for_signals() ? stuck + 1 : 0;
    if (stuck == kPatience) end_waits_for_signals();
  }
}

// A program that returns from main() without a synchronisation hears of its kernels, too.
void await_all(int status, void*) {
  // Not if it gives up, or if a kernel ends the process.
  if (status != 0 || Rounds::of_thread() != nullptr) return;
  std::vector<std::shared_ptr<Stream>> streams;
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    for (const auto& [handle, entry] : Runtime::instance().streams) streams.push_back(entry.stream);
  }
  for (const auto& stream : streams) {
    if (stream->is_this_thread()) return;
  }
  await_streams(streams);
}

}  // namespace

// Never destroyed: streams may be at work until the very end.
Runtime& Runtime::instance() {
  static Runtime* const runtime = [] {
    on_exit(await_all, nullptr);
    return new Runtime;
  }();
  return *runtime;
}

void* Runtime::next_handle() { return reinterpret_cast<void*>(last_handle_ += kHandleStep); }

Context Runtime::make_context(int32_t device) {
  Context context{next_handle(), device, nullptr};
  context.default_stream = make_stream(context, 0, 0);
  contexts[context.handle] = context;
  return context;
}

void* Runtime::make_stream(const Context& context, uint32_t priority, uint32_t flags) {
  void* handle = next_handle();
  streams[handle] = {std::make_shared<Stream>(), context.handle, context.device,
                     int32_t(streams.size()),    priority,       flags};
  return handle;
}

std::vector<std::shared_ptr<Stream>> Runtime::take_context(void* handle) {
  std::vector<std::shared_ptr<Stream>> taken;
  for (auto it = streams.begin(); it != streams.end();) {
    if (it->second.context != handle) {
      ++it;
      continue;
    }
    taken.push_back(std::move(it->second.stream));
    dropped.insert(it->first);
    it = streams.erase(it);
  }
  contexts.erase(handle);
  return taken;
}

bool current_context(const char* api, Context& context) {
  {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex);
    const auto found = runtime.contexts.find(context_of_thread);
    if (found != runtime.contexts.end()) {
      context = found->second;
      return true;
    }
  }
  refuse(ACL_ERROR_RT_CONTEXT_NULL, api, "no device is set in this thread",
         "aclrtSetDevice, aclrtCreateContext or aclrtSetCurrentContext first");
  return false;
}

void set_current_context(void* handle) { context_of_thread = handle; }

std::shared_ptr<Stream> stream_of(const char* api, aclrtStream handle, int32_t* device) {
  Context context;
  if (!current_context(api, context)) return nullptr;
  if (handle == nullptr) handle = context.default_stream;
  {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex);
    const auto found = runtime.streams.find(handle);
    if (found != runtime.streams.end()) {
      if (device != nullptr) *device = found->second.device;
      return found->second.stream;
    }
  }
  refuse(ACL_ERROR_RT_INVALID_HANDLE, api, fmt::format("{} is no stream", handle),
         "what aclrtCreateStream gave, before aclrtDestroyStream");
  return nullptr;
}

uint32_t begin_task() { return task_of_thread = ++tasks; }
uint32_t last_task() { return task_of_thread; }

aclError add_task(const char* api, aclrtStream handle, Stream::Task task) {
  const std::shared_ptr<Stream> stream = stream_of(api, handle);
  if (stream == nullptr) return last_error();
  begin_task();
  if (stream->add(api, std::move(task))) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, api, "the host has no thread left");
}

aclError check_device(const char* api, int64_t id) {
  if (id >= 0 && id < kDevices) return ACL_SUCCESS;
  return refuse(ACL_ERROR_RT_INVALID_DEVICEID, api, fmt::format("device {}", id),
                fmt::format("0..{}", kDevices - 1));
}

aclError check_place(const char* api, const void* place) {
  if (place != nullptr) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the pointer for the result is null");
}

}  // namespace vinci::acl
