// Streams, and what is put onto them but copies and events.
#include <unistd.h>

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "host/findings.h"
#include "host/acl/error.h"
#include "host/acl/exceptions.h"
#include "host/acl/runtime.h"

namespace vinci::acl {
namespace {

aclError create(const char* api, aclrtStream* stream, uint32_t priority, uint32_t flags) {
  if (const aclError code = check_place(api, stream); code != ACL_SUCCESS) return code;
  Context context;
  if (!current_context(api, context)) return last_error();
  const std::lock_guard lock(Runtime::instance().mutex);
  *stream = Runtime::instance().make_stream(context, priority, flags);
  return ACL_SUCCESS;
}

// Its tasks end before it returns.
aclError destroy(const char* api, aclrtStream handle) {
  if (handle == nullptr) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the stream is null");
  Runtime& runtime = Runtime::instance();
  std::shared_ptr<Stream> stream;
  {
    const std::lock_guard lock(runtime.mutex);
    const auto found = runtime.streams.find(handle);
    if (found != runtime.streams.end()) {
      stream = std::move(found->second.stream);
      runtime.streams.erase(found);
    } else if (runtime.dropped.erase(handle) != 0) {
      return ACL_SUCCESS;  // it went with its device or context
    }
  }
  if (stream == nullptr) {
    return refuse(ACL_ERROR_RT_INVALID_HANDLE, api, fmt::format("{} is no stream", handle),
                  "what aclrtCreateStream gave, once");
  }
  bool expired = false;
  stream->wait(-1, expired);
  return ACL_SUCCESS;
}

// What several waits have left of a time limit.
class Deadline {
 public:
  explicit Deadline(int64_t milliseconds) : milliseconds_(milliseconds) {}
  int64_t left() const {
    if (milliseconds_ < 0) return -1;
    const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - start_);
    return std::max<int64_t>(milliseconds_ - passed.count(), 0);
  }

 private:
  const int64_t milliseconds_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

aclError synchronise(const char* api, Stream& stream, const Deadline& deadline) {
  if (stream.is_this_thread()) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, api, "called from a function on the same stream",
                  "synchronisation of streams that do not wait for the caller");
  }
  if (stream.capture() != nullptr) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, api, "the stream is being captured: nothing runs",
                  "synchronisation behind aclmdlRICaptureEnd and an execution");
  }
  bool expired = false;
  const Ending ending = stream.wait(deadline.left(), expired);
  if (expired) {
    return fail(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, api, "the stream was still at work");
  }
  return ending.code == 0 ? ACL_SUCCESS : pass_on(ending.code, ending.text);
}

aclError check_timeout(const char* api, int32_t milliseconds) {
  if (milliseconds >= -1) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_PARAM_INVALID, api, fmt::format("timeout {}", milliseconds));
}

aclError synchronise_stream(const char* api, aclrtStream handle, int32_t milliseconds) {
  if (const aclError code = check_timeout(api, milliseconds); code != ACL_SUCCESS) return code;
  const std::shared_ptr<Stream> stream = stream_of(api, handle);
  return stream == nullptr ? last_error() : synchronise(api, *stream, Deadline(milliseconds));
}

// All streams of the device, of whatever context.
aclError synchronise_device(const char* api, int32_t milliseconds) {
  if (const aclError code = check_timeout(api, milliseconds); code != ACL_SUCCESS) return code;
  Context context;
  if (!current_context(api, context)) return last_error();
  std::vector<std::shared_ptr<Stream>> streams;
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    for (const auto& [handle, entry] : Runtime::instance().streams) {
      if (entry.device == context.device) streams.push_back(entry.stream);
    }
  }
  const Deadline deadline(milliseconds);
  aclError first = ACL_SUCCESS;
  std::string text;
  for (const auto& stream : streams) {
    const aclError code = synchronise(api, *stream, deadline);
    if (first != ACL_SUCCESS || code == ACL_SUCCESS) continue;
    first = code;
    text = aclGetRecentErrMsg();
  }
  return first == ACL_SUCCESS ? ACL_SUCCESS : pass_on(first, text);
}

// A copy of what is known of a stream.
bool entry_of(const char* api, aclrtStream handle, StreamEntry& entry) {
  Context context;
  if (stream_of(api, handle) == nullptr || !current_context(api, context)) return false;
  const std::lock_guard lock(Runtime::instance().mutex);
  entry = Runtime::instance().streams[handle == nullptr ? context.default_stream : handle];
  return true;
}

template <class T, class M>
aclError get(const char* api, aclrtStream handle, T* place, M StreamEntry::*member) {
  if (const aclError code = check_place(api, place); code != ACL_SUCCESS) return code;
  StreamEntry entry;
  if (!entry_of(api, handle, entry)) return last_error();
  *place = entry.*member;
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtCreateStream(aclrtStream* stream) {
  return create("aclrtCreateStream", stream, 0, 0);
}
aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flags) {
  return create("aclrtCreateStreamWithConfig", stream, priority, flags);
}
aclError aclrtDestroyStream(aclrtStream stream) { return destroy("aclrtDestroyStream", stream); }
aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return destroy("aclrtDestroyStreamForce", stream);
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  return synchronise_stream("aclrtSynchronizeStream", stream, -1);
}
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t milliseconds) {
  return synchronise_stream("aclrtSynchronizeStreamWithTimeout", stream, milliseconds);
}
aclError aclrtSynchronizeDevice(void) { return synchronise_device("aclrtSynchronizeDevice", -1); }
aclError aclrtSynchronizeDeviceWithTimeout(int32_t milliseconds) {
  return synchronise_device("aclrtSynchronizeDeviceWithTimeout", milliseconds);
}

// A kernel that has begun runs to its end.
aclError aclrtStreamAbort(aclrtStream handle) {
  constexpr const char* kApi = "aclrtStreamAbort";
  const std::shared_ptr<Stream> stream = stream_of(kApi, handle);
  if (stream == nullptr) return last_error();
  stream->drop_tasks();
  return synchronise_stream(kApi, handle, -1);
}
aclError aclrtGetStreamAvailableNum(uint32_t* count) {
  constexpr size_t kMostStreams = 1984;
  constexpr const char* kApi = "aclrtGetStreamAvailableNum";
  if (const aclError code = check_place(kApi, count); code != ACL_SUCCESS) return code;
  const std::lock_guard lock(Runtime::instance().mutex);
  *count = uint32_t(kMostStreams - std::min(kMostStreams, Runtime::instance().streams.size()));
  return ACL_SUCCESS;
}

aclError aclrtStreamQuery(aclrtStream handle, aclrtStreamStatus* status) {
  constexpr const char* kApi = "aclrtStreamQuery";
  if (const aclError code = check_place(kApi, status); code != ACL_SUCCESS) return code;
  const std::shared_ptr<Stream> stream = stream_of(kApi, handle);
  if (stream == nullptr) return last_error();
  *status = stream->is_idle() ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
  return ACL_SUCCESS;
}
aclError aclrtStreamGetId(aclrtStream stream, int32_t* id) {
  return get("aclrtStreamGetId", stream, id, &StreamEntry::number);
}
aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
  return get("aclrtStreamGetPriority", stream, priority, &StreamEntry::priority);
}
aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  return get("aclrtStreamGetFlags", stream, flags, &StreamEntry::flags);
}
// A stream goes on after a fault; the program hears of it either way.
aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t) {
  return stream_of("aclrtSetStreamFailureMode", stream) != nullptr ? ACL_SUCCESS : last_error();
}

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc function, void* arguments) {
  constexpr const char* kApi = "aclrtLaunchHostFunc";
  if (function == nullptr) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, kApi, "the function is null");
  }
  return add_task(kApi, stream, [=] {
    function(arguments);
    return Ending{};
  });
}

}  // extern "C"

aclError vinci::acl::enqueue(aclrtStream handle, const char* name, const std::string& compiled_for,
                             const Grid& grid, std::function<void()> before,
                             std::function<void()> kernel) {
  constexpr int64_t kMostBlocks = 65535;
  if (grid.blocks < 1 || grid.blocks > kMostBlocks) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, name, fmt::format("{} blocks", grid.blocks),
                  fmt::format("1..{}", kMostBlocks));
  }
  int32_t device = 0;
  const std::shared_ptr<Stream> stream = stream_of(name, handle, &device);
  if (stream == nullptr) return last_error();
  const std::string soc(host::chip(host::soc_of(compiled_for)).name);
  StreamEntry entry;
  if (!entry_of(name, handle, entry)) return last_error();
  aclrtExceptionInfo info{begin_task(), uint32_t(entry.number), uint32_t(gettid()),
                          uint32_t(device), 0};
  host::count_launch();
  const bool added = stream->add(name, [=, called = std::string(name), before = std::move(before),
                                        kernel = std::move(kernel)] {
    if (before) before();
    const Ending ending = host::run_kernel(device, soc, called, grid, kernel);
    if (ending.code != 0) {
      aclrtExceptionInfo failed = info;
      failed.code = uint32_t(ending.code);
      tell_exception(failed);
    }
    return ending;
  });
  return added ? ACL_SUCCESS
               : fail(ACL_ERROR_RT_NO_STREAM_RESOURCE, name, "the host has no thread left");
}

// What a launch in a program becomes.
int32_t vinci::host::enqueue_kernel(void* stream, const char* name, const Grid& grid,
                                    std::function<void()> kernel) {
  return enqueue(stream, name, program_soc(), grid, nullptr, std::move(kernel));
}
