// The program, devices and contexts.
#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/runtime.h"

namespace vinci::acl {
namespace {

aclError finalize(bool all) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex);
  if (runtime.initialised == 0) {
    return fail(ACL_ERROR_REPEAT_FINALIZE, "aclFinalize", "nothing is initialised");
  }
  runtime.initialised = all ? 0 : runtime.initialised - 1;
  return ACL_SUCCESS;
}

// Its tasks end before it returns.
aclError reset(const char* api, int32_t id, bool all) {
  if (const aclError code = check_device(api, id); code != ACL_SUCCESS) return code;
  Runtime& runtime = Runtime::instance();
  std::vector<std::shared_ptr<Stream>> streams;
  const std::lock_guard lock(runtime.mutex);
  Runtime::Opened& opened = runtime.opened[id];
  if (opened.count > 0) opened.count = all ? 0 : opened.count - 1;
  if (opened.count > 0 || opened.context == nullptr) return ACL_SUCCESS;
  streams = runtime.take_context(opened.context);
  opened.context = nullptr;
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

// The configuration concerns dumps and profiles, of which there are none.
aclError aclInit(const char*) {
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex);
  if (++runtime.initialised == 1) return ACL_SUCCESS;
  return fail(ACL_ERROR_REPEAT_INITIALIZE, "aclInit", "called again before aclFinalize");
}

aclError aclFinalize(void) { return finalize(true); }

aclError aclFinalizeReference(uint64_t* count) {
  const aclError code = finalize(false);
  if (count != nullptr) {
    const std::lock_guard lock(Runtime::instance().mutex);
    *count = uint64_t(Runtime::instance().initialised);
  }
  return code;
}

aclError aclrtSetDevice(int32_t id) {
  if (const aclError code = check_device("aclrtSetDevice", id); code != ACL_SUCCESS) return code;
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex);
  Runtime::Opened& opened = runtime.opened[id];
  ++opened.count;
  if (opened.context == nullptr) opened.context = runtime.make_context(id).handle;
  set_current_context(opened.context);
  return ACL_SUCCESS;
}

aclError aclrtResetDevice(int32_t id) { return reset("aclrtResetDevice", id, false); }
aclError aclrtResetDeviceForce(int32_t id) { return reset("aclrtResetDeviceForce", id, true); }

aclError aclrtGetDevice(int32_t* id) {
  if (const aclError code = check_place("aclrtGetDevice", id); code != ACL_SUCCESS) return code;
  Context context;
  if (!current_context("aclrtGetDevice", context)) return last_error();
  *id = context.device;
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  if (const aclError code = check_place("aclrtGetDeviceCount", count); code != ACL_SUCCESS)
    return code;
  *count = kDevices;
  return ACL_SUCCESS;
}

aclError aclrtQueryDeviceStatus(int32_t id, aclrtDeviceStatus* status) {
  constexpr const char* kApi = "aclrtQueryDeviceStatus";
  if (const aclError code = check_place(kApi, status); code != ACL_SUCCESS) return code;
  if (const aclError code = check_device(kApi, id); code != ACL_SUCCESS) return code;
  *status = ACL_RT_DEVICE_STATUS_NORMAL;
  return ACL_SUCCESS;
}

aclError aclrtCreateContext(aclrtContext* context, int32_t id) {
  constexpr const char* kApi = "aclrtCreateContext";
  if (const aclError code = check_place(kApi, context); code != ACL_SUCCESS) return code;
  if (const aclError code = check_device(kApi, id); code != ACL_SUCCESS) return code;
  const std::lock_guard lock(Runtime::instance().mutex);
  *context = Runtime::instance().make_context(id).handle;
  set_current_context(*context);
  return ACL_SUCCESS;
}

aclError aclrtDestroyContext(aclrtContext handle) {
  Runtime& runtime = Runtime::instance();
  std::vector<std::shared_ptr<Stream>> streams;
  {
    const std::lock_guard lock(runtime.mutex);
    if (runtime.contexts.contains(handle)) {
      streams = runtime.take_context(handle);
      return ACL_SUCCESS;
    }
  }
  if (handle == nullptr) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, "aclrtDestroyContext", "the context is null");
  }
  return refuse(ACL_ERROR_RT_CONTEXT_NULL, "aclrtDestroyContext",
                fmt::format("{} is no context", handle), "what aclrtCreateContext gave, once");
}

aclError aclrtSetCurrentContext(aclrtContext handle) {
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    if (Runtime::instance().contexts.contains(handle)) {
      set_current_context(handle);
      return ACL_SUCCESS;
    }
  }
  return refuse(ACL_ERROR_RT_CONTEXT_NULL, "aclrtSetCurrentContext",
                fmt::format("{} is no context", handle),
                "what aclrtCreateContext or aclrtGetCurrentContext gave");
}

aclError aclrtGetCurrentContext(aclrtContext* result) {
  constexpr const char* kApi = "aclrtGetCurrentContext";
  if (const aclError code = check_place(kApi, result); code != ACL_SUCCESS) return code;
  Context context;
  if (!current_context(kApi, context)) return last_error();
  *result = context.handle;
  return ACL_SUCCESS;
}

aclError aclrtGetPrimaryCtxState(int32_t id, uint32_t*, int32_t* active) {
  constexpr const char* kApi = "aclrtGetPrimaryCtxState";
  if (const aclError code = check_place(kApi, active); code != ACL_SUCCESS) return code;
  if (const aclError code = check_device(kApi, id); code != ACL_SUCCESS) return code;
  Runtime& runtime = Runtime::instance();
  const std::lock_guard lock(runtime.mutex);
  *active = runtime.opened[id].context != nullptr;
  return ACL_SUCCESS;
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  constexpr const char* kApi = "aclrtCtxGetCurrentDefaultStream";
  if (const aclError code = check_place(kApi, stream); code != ACL_SUCCESS) return code;
  Context context;
  if (!current_context(kApi, context)) return last_error();
  *stream = context.default_stream;
  return ACL_SUCCESS;
}

}  // extern "C"
