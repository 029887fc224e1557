// Events.
#include <chrono>

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

aclError create(const char* api, aclrtEvent* event) {
  if (const aclError code = check_place(api, event); code != ACL_SUCCESS) return code;
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex);
  *event = runtime.next_handle();
  runtime.events[*event] = std::make_shared<Event>();
  return ACL_SUCCESS;
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
aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t) {
  return create("aclrtCreateEventExWithFlag", event);
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
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent handle) {
  constexpr const char* kApi = "aclrtStreamWaitEvent";
  const std::shared_ptr<Event> event = event_of(kApi, handle);
  const std::shared_ptr<Stream> on = event == nullptr ? nullptr : stream_of(kApi, stream);
  if (on == nullptr) return last_error();
  join_capture(on, event->capture.lock());
  return add_task(kApi, stream, event->wait());
}
// Waits are for the record that was there when they were given, so there is nothing to reset.
aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  constexpr const char* kApi = "aclrtResetEvent";
  if (event_of(kApi, event) == nullptr || stream_of(kApi, stream) == nullptr) return last_error();
  return ACL_SUCCESS;
}
aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent handle, int32_t timeout) {
  constexpr const char* kApi = "aclrtStreamWaitEventWithTimeout";
  const std::shared_ptr<Event> event = event_of(kApi, handle);
  if (event == nullptr) return last_error();
  const auto wait = event->wait_for(timeout);
  return add_task(kApi, stream, [wait] {
    if (wait()) return Ending{};
    return Ending{ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
                  "aclrtStreamWaitEventWithTimeout: the event has not happened"};
  });
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
aclError aclrtQueryEventStatus(aclrtEvent handle, aclrtEventRecordedStatus* status) {
  constexpr const char* kApi = "aclrtQueryEventStatus";
  if (const aclError code = check_place(kApi, status); code != ACL_SUCCESS) return code;
  const std::shared_ptr<Event> event = event_of(kApi, handle);
  if (event == nullptr) return last_error();
  Event::Clock::time_point when;
  *status =
      event->time(when) ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
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
