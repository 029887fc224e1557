// What programs set and ask again. None of it changes what a kernel computes.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/runtime.h"

namespace vinci::acl {
namespace {

constexpr uint64_t kSecond = 1'000'000;    // us
constexpr uint64_t kInterval = 4'295'000;  // us: 254 of them are the longest limit
constexpr uint64_t kMostIntervals = 254;
std::atomic<uint64_t> kernel_limit = 1091 * kSecond;

// As the chip takes it: whole intervals, 0 for as many as there are.
uint64_t set_limit(uint64_t microseconds) {
  const uint64_t intervals =
      microseconds == 0
          ? kMostIntervals
          : std::clamp<uint64_t>((microseconds - 1) / kInterval + 1, 1, kMostIntervals);
  return kernel_limit = intervals * kInterval;
}

// Parameters of the process, under nullptr, and of contexts.
class Parameters {
 public:
  static Parameters& instance() {
    static Parameters* const all = new Parameters;
    return *all;
  }
  void set(void* context, int option, int64_t value) {
    const std::lock_guard lock(mutex_);
    values_[{context, option}] = value;
  }
  bool get(void* context, int option, int64_t& value) {
    const std::lock_guard lock(mutex_);
    const auto found = values_.find({context, option});
    if (found == values_.end()) return false;
    value = found->second;
    return true;
  }

 private:
  std::mutex mutex_;
  std::map<std::pair<void*, int>, int64_t> values_;
};

aclError set_parameter(const char* api, void* context, aclSysParamOpt option, int64_t value) {
  if (option < ACL_OPT_DETERMINISTIC || option > ACL_OPT_STRONG_CONSISTENCY) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, fmt::format("parameter {}", int(option)));
  }
  Parameters::instance().set(context, option, value);
  return ACL_SUCCESS;
}
aclError get_parameter(const char* api, void* context, aclSysParamOpt option, int64_t* value) {
  if (const aclError code = check_place(api, value); code != ACL_SUCCESS) return code;
  if (Parameters::instance().get(context, option, *value)) return ACL_SUCCESS;
  return fail(ACL_ERROR_RT_SYSPARAMOPT_NOT_SET, api,
              fmt::format("parameter {} was never set", int(option)));
}

// Runs `use` on what is known of a stream, under the lock.
template <class F>
aclError with_entry(const char* api, aclrtStream handle, F use) {
  Context context;
  if (stream_of(api, handle) == nullptr || !current_context(api, context)) return last_error();
  const std::lock_guard lock(Runtime::instance().mutex);
  use(Runtime::instance().streams[handle == nullptr ? context.default_stream : handle]);
  return ACL_SUCCESS;
}

aclError check_attribute(const char* api, aclrtStreamAttr attribute) {
  if (attribute >= ACL_STREAM_ATTR_FAILURE_MODE && attribute <= ACL_STREAM_ATTR_PRIORITY) {
    return ACL_SUCCESS;
  }
  return fail(ACL_ERROR_RT_PARAM_INVALID, api, fmt::format("attribute {}", int(attribute)));
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtSetSysParamOpt(aclSysParamOpt option, int64_t value) {
  return set_parameter("aclrtSetSysParamOpt", nullptr, option, value);
}
aclError aclrtGetSysParamOpt(aclSysParamOpt option, int64_t* value) {
  return get_parameter("aclrtGetSysParamOpt", nullptr, option, value);
}
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt option, int64_t value) {
  constexpr const char* kApi = "aclrtCtxSetSysParamOpt";
  Context context;
  if (!current_context(kApi, context)) return last_error();
  return set_parameter(kApi, context.handle, option, value);
}
aclError aclrtCtxGetSysParamOpt(aclSysParamOpt option, int64_t* value) {
  constexpr const char* kApi = "aclrtCtxGetSysParamOpt";
  Context context;
  if (!current_context(kApi, context)) return last_error();
  return get_parameter(kApi, context.handle, option, value);
}

aclError aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode) {
  constexpr const char* kApi = "aclrtSetDeviceSatMode";
  Context context;
  if (!current_context(kApi, context)) return last_error();
  if (mode == ACL_RT_OVERFLOW_MODE_INFNAN) return ACL_SUCCESS;
  return fail(
      ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kApi,
      fmt::format("mode {}: kernels keep infinities and NaN, unless they set CTRL themselves",
                  int(mode)));
}
aclError aclrtGetDeviceSatMode(aclrtFloatOverflowMode* mode) {
  constexpr const char* kApi = "aclrtGetDeviceSatMode";
  if (const aclError code = check_place(kApi, mode); code != ACL_SUCCESS) return code;
  *mode = ACL_RT_OVERFLOW_MODE_INFNAN;
  return ACL_SUCCESS;
}
aclError aclrtSetTsDevice(aclrtTsId) { return ACL_SUCCESS; }

aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr attribute,
                                 aclrtStreamAttrValue* value) {
  constexpr const char* kApi = "aclrtSetStreamAttribute";
  if (const aclError code = check_place(kApi, value); code != ACL_SUCCESS) return code;
  if (const aclError code = check_attribute(kApi, attribute); code != ACL_SUCCESS) return code;
  return with_entry(kApi, stream, [&](StreamEntry& entry) {
    if (attribute == ACL_STREAM_ATTR_PRIORITY) entry.priority = value->streamPriority;
    entry.attributes[attribute] = *value;
  });
}
aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr attribute,
                                 aclrtStreamAttrValue* value) {
  constexpr const char* kApi = "aclrtGetStreamAttribute";
  if (const aclError code = check_place(kApi, value); code != ACL_SUCCESS) return code;
  if (const aclError code = check_attribute(kApi, attribute); code != ACL_SUCCESS) return code;
  return with_entry(kApi, stream, [&](StreamEntry& entry) {
    *value = entry.attributes[attribute];
    if (attribute == ACL_STREAM_ATTR_PRIORITY) value->streamPriority = entry.priority;
  });
}
aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
  return with_entry("aclrtSetStreamOverflowSwitch", stream, [&](StreamEntry& entry) {
    entry.attributes[ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK].overflowSwitch = flag;
  });
}
aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
  constexpr const char* kApi = "aclrtGetStreamOverflowSwitch";
  if (const aclError code = check_place(kApi, flag); code != ACL_SUCCESS) return code;
  return with_entry(kApi, stream, [&](StreamEntry& entry) {
    *flag = entry.attributes[ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK].overflowSwitch;
  });
}

aclError aclrtSetOpExecuteTimeOut(uint32_t seconds) {
  set_limit(seconds * kSecond);
  return ACL_SUCCESS;
}
aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t milliseconds) {
  set_limit(milliseconds * uint64_t{1000});
  return ACL_SUCCESS;
}
aclError aclrtSetOpExecuteTimeOutV2(uint64_t microseconds, uint64_t* actual) {
  constexpr const char* kApi = "aclrtSetOpExecuteTimeOutV2";
  if (const aclError code = check_place(kApi, actual); code != ACL_SUCCESS) return code;
  *actual = set_limit(microseconds);
  return ACL_SUCCESS;
}
aclError aclrtGetOpTimeoutInterval(uint64_t* interval) {
  constexpr const char* kApi = "aclrtGetOpTimeoutInterval";
  if (const aclError code = check_place(kApi, interval); code != ACL_SUCCESS) return code;
  *interval = kInterval;
  return ACL_SUCCESS;
}
aclError aclrtGetOpExecuteTimeout(uint32_t* const milliseconds) {
  constexpr const char* kApi = "aclrtGetOpExecuteTimeout";
  if (const aclError code = check_place(kApi, milliseconds); code != ACL_SUCCESS) return code;
  *milliseconds = uint32_t(kernel_limit / 1000);
  return ACL_SUCCESS;
}

}  // extern "C"
