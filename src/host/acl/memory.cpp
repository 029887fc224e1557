// aclrtMalloc and its kind.
#include <cstdlib>
#include <new>
#include <string_view>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/runtime.h"
#include "host/memories.h"
#include "host/program.h"
#include "vinci/device.h"

namespace vinci::acl {
namespace {

using host::kHost;
using host::Memories;
using host::Memory;

// Programs rely on zeros, though nobody promises them.
bool gives_zeros() {
  static const char* const poison = std::getenv("VINCI_POISON");
  return poison == nullptr || *poison == '\0' || std::string_view(poison) == "0";
}

aclError allocate(const char* api, void** pointer, size_t size, int32_t device) {
  if (const aclError code = check_place(api, pointer); code != ACL_SUCCESS) return code;
  if (size == 0) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "0 bytes");
  try {
    *pointer = Memories::instance().allocate(device, size, api, gives_zeros());
    if (device != kHost) host::memory_of(device).follow_reads(*pointer, gives_zeros(), true);
    return ACL_SUCCESS;
  } catch (const std::bad_alloc&) {
    *pointer = nullptr;
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, api,
                fmt::format("{} bytes are not to be had", size));
  }
}

aclError allocate_on_device(const char* api, void** pointer, size_t size) {
  Context context;
  if (!current_context(api, context)) return last_error();
  return allocate(api, pointer, size, context.device);
}

aclError release(const char* api, const void* pointer, bool on_device, const char* legal) {
  if (pointer == nullptr) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "the pointer is null");
  const std::optional<Memory> memory = Memories::instance().find(pointer);
  const bool fits = memory && reinterpret_cast<uint64_t>(pointer) == memory->start &&
                    (memory->device != kHost) == on_device;
  if (fits && Memories::instance().release(pointer)) return ACL_SUCCESS;
  return refuse(ACL_ERROR_RT_PARAM_INVALID, api, Memories::instance().standing_of(pointer), legal);
}

// Attributes change nothing; one may name another device than the thread's.
aclError check_attributes(const char* api, const aclrtMallocConfig* config) {
  if (config == nullptr) return ACL_SUCCESS;
  if (config->attrs == nullptr && config->numAttrs != 0) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, api, "no attributes where some are said to be");
  }
  for (size_t i = 0; i < config->numAttrs; ++i) {
    const aclrtMallocAttribute& attribute = config->attrs[i];
    if (attribute.attr != ACL_RT_MEM_ATTR_DEVICE_ID) continue;
    Context context;
    if (!current_context(api, context)) return last_error();
    if (attribute.value.deviceId == uint32_t(context.device)) continue;
    return fail(ACL_ERROR_RT_PARAM_INVALID, api,
                fmt::format("memory of device {} in a thread of device {}",
                            attribute.value.deviceId, context.device));
  }
  return ACL_SUCCESS;
}

aclError allocate_with(const char* api, void** pointer, size_t size,
                       const aclrtMallocConfig* config) {
  const aclError code = check_attributes(api, config);
  return code == ACL_SUCCESS ? allocate_on_device(api, pointer, size) : code;
}

// Memory of the host that kernels of the current device may use, or (not `is_mapped`) only pinned.
aclError register_host(const char* api, void* pointer, uint64_t size, bool is_mapped) {
  if (pointer == nullptr || size == 0) return fail(ACL_ERROR_RT_PARAM_INVALID, api, "no memory");
  Context context;
  if (!current_context(api, context)) return last_error();
  const std::optional<Memory> memory = Memories::instance().find(pointer);
  if (memory && memory->device != kHost) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, api, Memories::instance().standing_of(pointer),
                  "memory of the host");
  }
  if (Memories::instance().map_host(is_mapped ? context.device : kHost, pointer, size, api)) {
    return ACL_SUCCESS;
  }
  return fail(ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED, api,
              fmt::format("{} is registered already", pointer));
}

constexpr const char* kDeviceMemory = "what aclrtMalloc gave, once";
constexpr const char* kHostMemory = "what aclrtMallocHost gave, once";

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtMalloc(void** pointer, size_t size, aclrtMemMallocPolicy) {
  return allocate_on_device("aclrtMalloc", pointer, size);
}
aclError aclrtMallocAlign32(void** pointer, size_t size, aclrtMemMallocPolicy) {
  return allocate_on_device("aclrtMallocAlign32", pointer, size);
}
aclError aclrtMallocCached(void** pointer, size_t size, aclrtMemMallocPolicy) {
  return allocate_on_device("aclrtMallocCached", pointer, size);
}
aclError aclrtMallocWithCfg(void** pointer, size_t size, aclrtMemMallocPolicy,
                            aclrtMallocConfig* config) {
  return allocate_with("aclrtMallocWithCfg", pointer, size, config);
}
aclError aclrtMallocForTaskScheduler(void** pointer, size_t size, aclrtMemMallocPolicy,
                                     aclrtMallocConfig* config) {
  return allocate_with("aclrtMallocForTaskScheduler", pointer, size, config);
}
aclError aclrtMemFlush(void*, size_t) { return ACL_SUCCESS; }
aclError aclrtMemInvalidate(void*, size_t) { return ACL_SUCCESS; }

aclError aclrtFree(void* pointer) { return release("aclrtFree", pointer, true, kDeviceMemory); }
aclError aclrtFreeWithDevSync(void* pointer) {
  const aclError code = aclrtSynchronizeDevice();
  const aclError freed = release("aclrtFreeWithDevSync", pointer, true, kDeviceMemory);
  return freed == ACL_SUCCESS ? code : freed;
}

// Threads without a device may have host memory.
aclError aclrtMallocHost(void** pointer, size_t size) {
  return allocate("aclrtMallocHost", pointer, size, kHost);
}
aclError aclrtMallocHostWithCfg(void** pointer, uint64_t size, aclrtMallocConfig* config) {
  constexpr const char* kApi = "aclrtMallocHostWithCfg";
  const aclError code = check_attributes(kApi, config);
  return code == ACL_SUCCESS ? allocate(kApi, pointer, size, kHost) : code;
}
aclError aclrtFreeHost(void* pointer) {
  return release("aclrtFreeHost", pointer, false, kHostMemory);
}
aclError aclrtFreeHostWithDevSync(void* pointer) {
  const aclError code = aclrtSynchronizeDevice();
  const aclError freed = release("aclrtFreeHostWithDevSync", pointer, false, kHostMemory);
  return freed == ACL_SUCCESS ? code : freed;
}

aclError aclrtHostRegister(void* pointer, uint64_t size, aclrtHostRegisterType, void** device) {
  constexpr const char* kApi = "aclrtHostRegister";
  if (const aclError code = check_place(kApi, device); code != ACL_SUCCESS) return code;
  const aclError code = register_host(kApi, pointer, size, true);
  if (code == ACL_SUCCESS) *device = pointer;
  return code;
}
aclError aclrtHostRegisterV2(void* pointer, uint64_t size, uint32_t flags) {
  constexpr const char* kApi = "aclrtHostRegisterV2";
  constexpr uint32_t kKnown = ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED;
  if (flags == 0 || (flags & ~kKnown) != 0) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kApi, fmt::format("flags {:#x}", flags));
  }
  return register_host(kApi, pointer, size, (flags & ACL_HOST_REG_MAPPED) != 0);
}
aclError aclrtHostGetDevicePointer(void* pointer, void** device, uint32_t) {
  constexpr const char* kApi = "aclrtHostGetDevicePointer";
  if (const aclError code = check_place(kApi, device); code != ACL_SUCCESS) return code;
  const std::optional<Memory> memory = Memories::instance().mapped(pointer);
  if (!memory || memory->device == kHost) {
    return fail(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, kApi,
                fmt::format("{} is not mapped into a device", pointer));
  }
  *device = pointer;
  return ACL_SUCCESS;
}
aclError aclrtHostUnregister(void* pointer) {
  if (Memories::instance().unmap_host(pointer)) return ACL_SUCCESS;
  return refuse(ACL_ERROR_HOST_MEMORY_NOT_REGISTERED, "aclrtHostUnregister",
                fmt::format("{} is not registered", pointer),
                "what aclrtHostRegister was given, once");
}

aclError aclrtPointerGetAttributes(const void* pointer, aclrtPtrAttributes* attributes) {
  constexpr uint32_t kPageBytes = 4096;
  constexpr const char* kApi = "aclrtPointerGetAttributes";
  if (const aclError code = check_place(kApi, attributes); code != ACL_SUCCESS) return code;
  *attributes = {};
  attributes->pageSize = kPageBytes;
  const std::optional<Memory> memory = Memories::instance().find(pointer);
  const bool of_host =
      memory ? memory->device == kHost : Memories::instance().mapped(pointer).has_value();
  attributes->location.type = of_host  ? ACL_MEM_LOCATION_TYPE_HOST
                              : memory ? ACL_MEM_LOCATION_TYPE_DEVICE
                                       : ACL_MEM_LOCATION_TYPE_UNREGISTERED;
  if (memory && memory->device != kHost) attributes->location.id = uint32_t(memory->device);
  return ACL_SUCCESS;
}

}  // extern "C"
