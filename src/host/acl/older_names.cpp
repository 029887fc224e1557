// runtime/rt.h: the runtime by its own names, on top of those of acl/acl_rt.h.
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include <fmt/format.h>

#include "acl/acl.h"
#include "host/acl/error.h"
#include "host/acl/runtime.h"
#include "runtime/rt.h"

using namespace vinci::acl;

namespace {

// Kernels by the pointers that a program has chosen for them. Never destroyed: streams may outlive it.
struct Stubs {
  std::mutex mutex;
  std::map<const void*, aclrtFuncHandle> functions;
  std::map<std::string, const void*, std::less<>> names;
};

Stubs& stubs() {
  static auto& all = *new Stubs;
  return all;
}

aclrtMemcpyKind kind_of(rtMemcpyKind_t kind) { return aclrtMemcpyKind(int(kind)); }

}  // namespace

extern "C" {

rtError_t rtSetDevice(int32_t device) { return aclrtSetDevice(device); }
rtError_t rtGetDevice(int32_t* device) { return aclrtGetDevice(device); }
rtError_t rtDeviceReset(int32_t device) { return aclrtResetDevice(device); }
rtError_t rtDeviceSynchronize(void) { return aclrtSynchronizeDevice(); }

rtError_t rtGetDeviceCount(int32_t* count) {
  if (const aclError code = check_place("rtGetDeviceCount", count); code != ACL_SUCCESS) return code;
  uint32_t devices = 0;
  const aclError code = aclrtGetDeviceCount(&devices);
  *count = int32_t(devices);
  return code;
}

rtError_t rtGetSocVersion(char* version, const uint32_t maxLen) {
  constexpr const char* kApi = "rtGetSocVersion";
  if (const aclError code = check_place(kApi, version); code != ACL_SUCCESS) return code;
  const std::string name = aclrtGetSocName();
  if (name.size() >= maxLen) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, kApi,
                fmt::format("{} does not fit into {} bytes", name, maxLen));
  }
  std::memcpy(version, name.c_str(), name.size() + 1);
  return ACL_SUCCESS;
}

rtError_t rtGetAiCoreCount(uint32_t* count) {
  if (const aclError code = check_place("rtGetAiCoreCount", count); code != ACL_SUCCESS) return code;
  int64_t cores = 0;
  const aclError code = aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICORE_CORE_NUM, &cores);
  *count = uint32_t(cores);
  return code;
}

rtError_t rtCtxCreate(rtContext_t* context, uint32_t, int32_t device) {
  return aclrtCreateContext(context, device);
}
rtError_t rtCtxDestroy(rtContext_t context) { return aclrtDestroyContext(context); }
rtError_t rtCtxSetCurrent(rtContext_t context) { return aclrtSetCurrentContext(context); }
rtError_t rtCtxGetCurrent(rtContext_t* context) { return aclrtGetCurrentContext(context); }

rtError_t rtMalloc(void** devPtr, uint64_t size, rtMemType_t, const uint16_t) {
  return aclrtMalloc(devPtr, size, ACL_MEM_MALLOC_HUGE_FIRST);
}
rtError_t rtFree(void* devPtr) { return aclrtFree(devPtr); }
rtError_t rtMallocHost(void** hostPtr, uint64_t size, const uint16_t) {
  return aclrtMallocHost(hostPtr, size);
}
rtError_t rtFreeHost(void* hostPtr) { return aclrtFreeHost(hostPtr); }

rtError_t rtMemcpy(void* dst, uint64_t destMax, const void* src, uint64_t cnt,
                   rtMemcpyKind_t kind) {
  return aclrtMemcpy(dst, destMax, src, cnt, kind_of(kind));
}
rtError_t rtMemcpyAsync(void* dst, uint64_t destMax, const void* src, uint64_t cnt,
                        rtMemcpyKind_t kind, rtStream_t stream) {
  return aclrtMemcpyAsync(dst, destMax, src, cnt, kind_of(kind), stream);
}
rtError_t rtMemset(void* devPtr, uint64_t destMax, const uint32_t value, uint64_t cnt) {
  return aclrtMemset(devPtr, destMax, int32_t(value), cnt);
}
rtError_t rtMemsetAsync(void* devPtr, uint64_t destMax, const uint32_t value, uint64_t cnt,
                        rtStream_t stream) {
  return aclrtMemsetAsync(devPtr, destMax, int32_t(value), cnt, stream);
}

rtError_t rtStreamCreate(rtStream_t* stream, int32_t) { return aclrtCreateStream(stream); }
rtError_t rtStreamCreateWithFlags(rtStream_t* stream, int32_t, uint32_t) {
  return aclrtCreateStream(stream);
}
rtError_t rtStreamDestroy(rtStream_t stream) { return aclrtDestroyStream(stream); }
rtError_t rtStreamSynchronize(rtStream_t stream) { return aclrtSynchronizeStream(stream); }
rtError_t rtEventCreate(rtEvent_t* event) { return aclrtCreateEvent(event); }
rtError_t rtEventDestroy(rtEvent_t event) { return aclrtDestroyEvent(event); }
rtError_t rtEventRecord(rtEvent_t event, rtStream_t stream) {
  return aclrtRecordEvent(event, stream);
}
rtError_t rtEventSynchronize(rtEvent_t event) { return aclrtSynchronizeEvent(event); }
rtError_t rtEventElapsedTime(float* milliseconds, rtEvent_t start, rtEvent_t end) {
  return aclrtEventElapsedTime(milliseconds, start, end);
}

rtError_t rtDevBinaryRegister(const rtDevBinary_t* binary, void** handle) {
  constexpr const char* kApi = "rtDevBinaryRegister";
  if (const aclError code = check_place(kApi, binary); code != ACL_SUCCESS) return code;
  aclrtBinaryLoadOption magic{ACL_RT_BINARY_LOAD_OPT_MAGIC, {}};
  magic.value.magic = binary->magic;
  const aclrtBinaryLoadOptions options{&magic, 1};
  return aclrtBinaryLoadFromData(binary->data, binary->length, &options, handle);
}

rtError_t rtDevBinaryUnRegister(void* handle) { return aclrtBinaryUnLoad(handle); }

rtError_t rtFunctionRegister(void* binHandle, const void* stubFunc, const char* stubName,
                             const void* kernelInfoExt, uint32_t) {
  constexpr const char* kApi = "rtFunctionRegister";
  if (const aclError code = check_place(kApi, stubFunc); code != ACL_SUCCESS) return code;
  if (const aclError code = check_place(kApi, stubName); code != ACL_SUCCESS) return code;
  // The kernel's name in the binary; generated launchers give both, and both are the same.
  const auto* name = static_cast<const char*>(kernelInfoExt);
  aclrtFuncHandle function = nullptr;
  const aclError code =
      aclrtBinaryGetFunction(binHandle, name == nullptr ? stubName : name, &function);
  if (code != ACL_SUCCESS) return code;
  const std::lock_guard lock(stubs().mutex);
  stubs().functions[stubFunc] = function;
  stubs().names.insert_or_assign(stubName, stubFunc);
  return ACL_SUCCESS;
}

rtError_t rtGetFunctionByName(const char* stubName, void** stubFunc) {
  constexpr const char* kApi = "rtGetFunctionByName";
  if (const aclError code = check_place(kApi, stubName); code != ACL_SUCCESS) return code;
  if (const aclError code = check_place(kApi, stubFunc); code != ACL_SUCCESS) return code;
  const std::lock_guard lock(stubs().mutex);
  const auto found = stubs().names.find(stubName);
  if (found == stubs().names.end()) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, kApi,
                fmt::format("{} was not given to rtFunctionRegister", stubName));
  }
  *stubFunc = const_cast<void*>(found->second);
  return ACL_SUCCESS;
}

rtError_t rtKernelLaunch(const void* stubFunc, uint32_t blockDim, void* args, uint32_t argsSize,
                         rtSmDesc_t*, rtStream_t stream) {
  aclrtFuncHandle function = nullptr;
  {
    const std::lock_guard lock(stubs().mutex);
    const auto found = stubs().functions.find(stubFunc);
    if (found == stubs().functions.end()) {
      return fail(ACL_ERROR_RT_PARAM_INVALID, "rtKernelLaunch",
                  "the pointer was not given to rtFunctionRegister");
    }
    function = found->second;
  }
  return aclrtLaunchKernelWithHostArgs(function, blockDim, stream, nullptr, args, argsSize, nullptr,
                                       0);
}

}  // extern "C"
