// Events.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/runtime.h"

namespace vinci::acl {
namespace {

std::shared_ptr<Event> event_of(const char* api, aclrtEvent handle) {
  {
    Runtime& runtime = Runtime::instance();
    const std::lock_guard lock(runtime.mutex);
    const auto found = runtime.events.find(handle);
    if (found != runtime.events.end()) return found->second;
  }
  refuse(ACL_ERROR_RT_INVALID_HANDLE, api, fmt::format("{} is no event", handle),
         "what aclrtCreateEvent gave, before aclrtDestroyEvent");
  return nullptr;
}

aclError create(const char* api, aclrtEvent* event, bool is_done_before = false,
                bool has_key = false) {
  if (const aclError code = check_place(api, event); code != ACL_SUCCESS) return code;
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex);
  *event = runtime.next_handle();
  runtime.events[*event] = std::make_shared<Event>();
  runtime.events[*event]->is_done_before = is_done_before;
  runtime.events[*event]->has_key = has_key;
  return ACL_SUCCESS;
}

// How long a stream waits for an event of which its wait says nothing: aclrtSetOpWaitTimeout.
std::atomic<int64_t> wait_limit{-1};

// A wait of `stream`, for ever where `milliseconds` is negative.
aclError wait_on(const char* api, aclrtStream stream, aclrtEvent handle, int64_t milliseconds) {
  const std::shared_ptr<Event> event = event_of(api, handle);
  const std::shared_ptr<Stream> on = event == nullptr ? nullptr : stream_of(api, stream);
  if (on == nullptr) return last_error();
  join_capture(on, event->capture.lock());
  return add_task(api, stream, [wait = event->wait_for(milliseconds), api] {
    if (wait()) return Ending{};
    return Ending{ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
                  fmt::format("{}: the event has not happened", api)};
  });
}

struct EventKey {
  int32_t process;
  aclrtEvent handle;
};

// Flags of records and waits that are to be seen from outside a captured graph.
aclError refuse_external(const char* api) {
  return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, api, "events outside of a captured graph");
}

aclError await(const char* api, aclrtEvent handle, int64_t milliseconds) {
  const std::shared_ptr<Event> event = event_of(api, handle);
  if (event == nullptr) return last_error();
  if (event->await(milliseconds)) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, api, "the event has not happened");
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtCreateEvent(aclrtEvent* event) { return create("aclrtCreateEvent", event); }
aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t) {
  return create("aclrtCreateEventWithFlag", event);
}
aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
  return create("aclrtCreateEventExWithFlag", event, true, (flag & ACL_EVENT_IPC) != 0);
}

// The key is who made it, and the event's handle there.
aclError aclrtIpcGetEventHandle(aclrtEvent handle, aclrtIpcEventHandle* key) {
  constexpr const char* kApi = "aclrtIpcGetEventHandle";
  if (const aclError code = check_place(kApi, key); code != ACL_SUCCESS) return code;
  const std::shared_ptr<Event> event = event_of(kApi, handle);
  if (event == nullptr) return last_error();
  if (!event->has_key) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi, "an event without ACL_EVENT_IPC",
                  "an event of aclrtCreateEventExWithFlag with ACL_EVENT_IPC");
  }
  *key = {};
  const EventKey made{getpid(), handle};
  std::memcpy(key->reserved, &made, sizeof(made));
  return ACL_SUCCESS;
}
// Another handle of the same event.
aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle key, aclrtEvent* handle) {
  constexpr const char* kApi = "aclrtIpcOpenEventHandle";
  if (const aclError code = check_place(kApi, handle); code != ACL_SUCCESS) return code;
  EventKey made;
  std::memcpy(&made, key.reserved, sizeof(made));
  if (made.process != getpid()) {
    return refuse(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kApi,
                  fmt::format("an event of process {}, and this is {}", made.process, getpid()),
                  "an event of this process");
  }
  const std::shared_ptr<Event> event = event_of(kApi, made.handle);
  if (event == nullptr) return last_error();
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex);
  *handle = runtime.next_handle();
  runtime.events[*handle] = event;
  return ACL_SUCCESS;
}

aclError aclrtDestroyEvent(aclrtEvent handle) {
  constexpr const char* kApi = "aclrtDestroyEvent";
  if (handle == nullptr) return fail(ACL_ERROR_RT_PARAM_INVALID, kApi, "the event is null");
  if (event_of(kApi, handle) == nullptr) return last_error();
  const std::lock_guard lock(Runtime::instance().mutex);
  Runtime::instance().events.erase(handle);
  return ACL_SUCCESS;
}

aclError aclrtRecordEvent(aclrtEvent handle, aclrtStream stream) {
  constexpr const char* kApi = "aclrtRecordEvent";
  const std::shared_ptr<Event> event = event_of(kApi, handle);
  const std::shared_ptr<Stream> on = event == nullptr ? nullptr : stream_of(kApi, stream);
  if (on == nullptr) return last_error();
  event->capture = on->capture();
  return add_task(kApi, stream, event->record());
}
aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag) {
  if (flag != ACL_EVENT_RECORD_DEFAULT) return refuse_external("aclrtRecordEventWithFlag");
  return aclrtRecordEvent(event, stream);
}
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return wait_on("aclrtStreamWaitEvent", stream, event, wait_limit);
}
// Waits are for the record that was there when they were given, so there is nothing to reset.
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  constexpr const char* kApi = "aclrtResetEvent";
  if (event_of(kApi, event) == nullptr || stream_of(kApi, stream) == nullptr) return last_error();
  return ACL_SUCCESS;
}
// Of no time at all: for ever.
aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return wait_on("aclrtStreamWaitEventWithTimeout", stream, event, timeout == 0 ? -1 : timeout);
}
aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, int32_t timeout,
                                      uint32_t flag) {
  constexpr const char* kApi = "aclrtStreamWaitEventWithFlag";
  if (flag != ACL_EVENT_WAIT_DEFAULT) return refuse_external(kApi);
  return wait_on(kApi, stream, event, timeout == 0 ? -1 : timeout);
}
aclError aclrtSetOpWaitTimeout(uint32_t seconds) {
  wait_limit = seconds == 0 ? -1 : int64_t{1000} * seconds;
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return await("aclrtSynchronizeEvent", event, -1);
}
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t milliseconds) {
  return await("aclrtSynchronizeEventWithTimeout", event, milliseconds);
}

aclError aclrtQueryEvent(aclrtEvent handle, aclrtEventStatus* status) {
  constexpr const char* kApi = "aclrtQueryEvent";
  if (const aclError code = check_place(kApi, status); code != ACL_SUCCESS) return code;
  const std::shared_ptr<Event> event = event_of(kApi, handle);
  if (event == nullptr) return last_error();
  *status = event->await(0) ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
  return ACL_SUCCESS;
}
aclError aclrtQueryEventWaitStatus(aclrtEvent handle, aclrtEventWaitStatus* status) {
  constexpr const char* kApi = "aclrtQueryEventWaitStatus";
  if (const aclError code = check_place(kApi, status); code != ACL_SUCCESS) return code;
  const std::shared_ptr<Event> event = event_of(kApi, handle);
  if (event == nullptr) return last_error();
  *status = event->await(0) ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
  return ACL_SUCCESS;
}
aclError aclrtGetEventId(aclrtEvent handle, uint32_t* id) {
  constexpr const char* kApi = "aclrtGetEventId";
  if (const aclError code = check_place(kApi, id); code != ACL_SUCCESS) return code;
  if (event_of(kApi, handle) == nullptr) return last_error();
  *id = uint32_t(reinterpret_cast<uintptr_t>(handle) / kHandleStep);
  return ACL_SUCCESS;
}
aclError aclrtGetEventAvailNum(uint32_t* count) {
  constexpr size_t kMostEvents = 65536;
  constexpr const char* kApi = "aclrtGetEventAvailNum";
  if (const aclError code = check_place(kApi, count); code != ACL_SUCCESS) return code;
  const std::lock_guard lock(Runtime::instance().mutex);
  *count = uint32_t(kMostEvents - std::min(kMostEvents, Runtime::instance().events.size()));
  return ACL_SUCCESS;
}
aclError aclrtQueryEventStatus(aclrtEvent handle, aclrtEventRecordedStatus* status) {
  constexpr const char* kApi = "aclrtQueryEventStatus";
  if (const aclError code = check_place(kApi, status); code != ACL_SUCCESS) return code;
  const std::shared_ptr<Event> event = event_of(kApi, handle);
  if (event == nullptr) return last_error();
  *status =
      event->is_done() ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent start, aclrtEvent end) {
  constexpr const char* kApi = "aclrtEventElapsedTime";
  if (const aclError code = check_place(kApi, ms); code != ACL_SUCCESS) return code;
  const std::shared_ptr<Event> from = event_of(kApi, start), to = event_of(kApi, end);
  if (from == nullptr || to == nullptr) return last_error();
  Event::Clock::time_point first, last;
  if (!from->time(first) || !to->time(last)) {
    return fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, kApi, "an event has not happened");
  }
  *ms = std::chrono::duration<float, std::milli>(last - first).count();
  return ACL_SUCCESS;
}

aclError aclrtEventGetTimestamp(aclrtEvent handle, uint64_t* timestamp) {
  constexpr const char* kApi = "aclrtEventGetTimestamp";
  if (const aclError code = check_place(kApi, timestamp); code != ACL_SUCCESS) return code;
  const std::shared_ptr<Event> event = event_of(kApi, handle);
  if (event == nullptr) return last_error();
  Event::Clock::time_point when;
  if (!event->time(when)) {
    return fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, kApi, "the event has not happened");
  }
  using std::chrono::microseconds;
  *timestamp = uint64_t(std::chrono::duration_cast<microseconds>(when.time_since_epoch()).count());
  return ACL_SUCCESS;
}

}  // extern "C"
