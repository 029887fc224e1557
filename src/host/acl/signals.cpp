// Notifies, and values in device memory.
#include "host/acl/signals.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <vector>

#include <fmt/format.h>

#include "acl/acl_rt.h"
#include "host/acl/error.h"
#include "host/acl/runtime.h"
#include "host/findings.h"

namespace vinci::acl {
namespace {

struct Signals {
  std::mutex mutex;
  std::condition_variable changed;
  int64_t waiting = 0;
  bool is_over = false;
};

// Never destroyed: streams may wait until the very end.
Signals& signals() {
  static Signals* const all = new Signals;
  return *all;
}

struct Notify {
  uint32_t number = 0;
  bool is_set = false;
};

// Guarded by the Runtime's mutex; the notifies themselves by that of the signals.
std::map<void*, std::shared_ptr<Notify>>& notifies() {
  static auto* const all = new std::map<void*, std::shared_ptr<Notify>>;
  return *all;
}

std::shared_ptr<Notify> notify_of(const char* api, aclrtNotify handle) {
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    const auto found = notifies().find(handle);
    if (found != notifies().end()) return found->second;
  }
  refuse(ACL_ERROR_RT_INVALID_HANDLE, api, fmt::format("{} is no notify", handle),
         "what aclrtCreateNotify gave, before aclrtDestroyNotify");
  return nullptr;
}

aclError check_value(const char* api, const void* place, uint32_t flag, uint32_t most) {
  if (flag > most) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, fmt::format("flag {}", flag));
  }
  if (reinterpret_cast<uintptr_t>(place) % sizeof(uint64_t) != 0) {
    return refuse(ACL_ERROR_RT_ADDR_UNALIGNED, api, fmt::format("devAddr is {}", place),
                  "a multiple of 8");
  }
  return check_memory(api, "devAddr", place, sizeof(uint64_t), true);
}

bool holds(uint64_t found, uint64_t value, uint32_t flag) {
  switch (flag) {
    case ACL_VALUE_WAIT_GEQ: return int64_t(found - value) >= 0;
    case ACL_VALUE_WAIT_EQ: return found == value;
    case ACL_VALUE_WAIT_AND: return (found & value) != 0;
    default: return ~(found | value) != 0;
  }
}

}  // namespace

Ending wait_for_signal(const char* api, const std::function<bool()>& is_ready,
                       int64_t milliseconds) {
  using Clock = std::chrono::steady_clock;
  // Kernels and the program may write a value without a word.
  constexpr std::chrono::milliseconds kLook(1);
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(signals().mutex);
  ++signals().waiting;
  Ending ending;
  while (!is_ready()) {
    if (signals().is_over) {
      ending = {ACL_ERROR_RT_WAIT_TIMEOUT,
                fmt::format("{}: the program has ended, and what it waits for has not come", api)};
      break;
    }
    if (milliseconds >= 0 && Clock::now() - start >= std::chrono::milliseconds(milliseconds)) {
      ending = {ACL_ERROR_RT_WAIT_TIMEOUT, fmt::format("{}: the time is over", api)};
      break;
    }
    signals().changed.wait_for(lock, kLook);
  }
  --signals().waiting;
  return ending;
}

void signal(const std::function<void()>& act) {
  {
    const std::lock_guard lock(signals().mutex);
    act();
  }
  signals().changed.notify_all();
}

int64_t waiting_for_signals() {
  const std::lock_guard lock(signals().mutex);
  return signals().waiting;
}

void end_waits_for_signals() {
  host::tell_wrong_call("the program has ended, while streams wait for what has not come",
                        "a notify, value or callback for each wait");
  signal([] { signals().is_over = true; });
}

aclError add_signal_task(const char* api, aclrtStream handle, Stream::Task task) {
  const std::shared_ptr<Stream> stream = stream_of(api, handle);
  if (stream == nullptr) return last_error();
  if (stream->capture() != nullptr) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, api, "the stream is being captured");
  }
  return add_task(api, handle, std::move(task));
}

}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t) {
  constexpr const char* kApi = "aclrtCreateNotify";
  if (const aclError code = check_place(kApi, notify); code != ACL_SUCCESS) return code;
  Context context;
  if (!current_context(kApi, context)) return last_error();
  static uint32_t last_number = 0;
  const std::lock_guard lock(Runtime::instance().mutex);
  *notify = Runtime::instance().next_handle();
  notifies()[*notify] = std::make_shared<Notify>(Notify{last_number++, false});
  return ACL_SUCCESS;
}

aclError aclrtDestroyNotify(aclrtNotify handle) {
  constexpr const char* kApi = "aclrtDestroyNotify";
  if (handle == nullptr) return fail(ACL_ERROR_RT_PARAM_INVALID, kApi, "the notify is null");
  if (notify_of(kApi, handle) == nullptr) return last_error();
  const std::lock_guard lock(Runtime::instance().mutex);
  notifies().erase(handle);
  return ACL_SUCCESS;
}

aclError aclrtRecordNotify(aclrtNotify handle, aclrtStream stream) {
  constexpr const char* kApi = "aclrtRecordNotify";
  const std::shared_ptr<Notify> notify = notify_of(kApi, handle);
  if (notify == nullptr) return last_error();
  return add_signal_task(kApi, stream, [notify] {
    signal([&] { notify->is_set = true; });
    return Ending{};
  });
}

aclError aclrtWaitAndResetNotify(aclrtNotify handle, aclrtStream stream, uint32_t seconds) {
  constexpr const char* kApi = "aclrtWaitAndResetNotify";
  const std::shared_ptr<Notify> notify = notify_of(kApi, handle);
  if (notify == nullptr) return last_error();
  return add_signal_task(kApi, stream, [notify, seconds] {
    const auto take = [&] { return std::exchange(notify->is_set, false); };
    return wait_for_signal(kApi, take, seconds == 0 ? -1 : int64_t(seconds) * 1000);
  });
}

aclError aclrtGetNotifyId(aclrtNotify handle, uint32_t* number) {
  constexpr const char* kApi = "aclrtGetNotifyId";
  if (const aclError code = check_place(kApi, number); code != ACL_SUCCESS) return code;
  const std::shared_ptr<Notify> notify = notify_of(kApi, handle);
  if (notify == nullptr) return last_error();
  *number = notify->number;
  return ACL_SUCCESS;
}

aclError aclrtNotifyBatchReset(aclrtNotify* handles, size_t count) {
  constexpr const char* kApi = "aclrtNotifyBatchReset";
  if (handles == nullptr || count == 0) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, kApi, "no notifies");
  }
  std::vector<std::shared_ptr<Notify>> all;
  for (size_t i = 0; i < count; ++i) {
    all.push_back(notify_of(kApi, handles[i]));
    if (all.back() == nullptr) return last_error();
  }
  signal([&] {
    for (const auto& notify : all) notify->is_set = false;
  });
  return ACL_SUCCESS;
}

aclError aclrtValueWrite(void* place, uint64_t value, uint32_t flag, aclrtStream stream) {
  constexpr const char* kApi = "aclrtValueWrite";
  if (const aclError code = check_value(kApi, place, flag, 0); code != ACL_SUCCESS) return code;
  return add_task(kApi, stream, [place, value] {
    signal([&] { std::atomic_ref(*static_cast<uint64_t*>(place)).store(value); });
    return Ending{};
  });
}

aclError aclrtValueWait(void* place, uint64_t value, uint32_t flag, aclrtStream stream) {
  constexpr const char* kApi = "aclrtValueWait";
  if (const aclError code = check_value(kApi, place, flag, ACL_VALUE_WAIT_NOR);
      code != ACL_SUCCESS) {
    return code;
  }
  return add_signal_task(kApi, stream, [=] {
    return wait_for_signal(
        kApi,
        [=] { return holds(std::atomic_ref(*static_cast<uint64_t*>(place)).load(), value, flag); },
        -1);
  });
}

}  // extern "C"
