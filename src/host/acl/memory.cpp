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
  if (pointer == nullptr || size == 0) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, kApi, "no memory");
  }
  Context context;
  if (!current_context(kApi, context)) return last_error();
  if (Memories::instance().find(pointer)) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi, Memories::instance().standing_of(pointer),
                  "memory of the program's own, not registered yet");
  }
  Memories::instance().lend(context.device, pointer, size, kApi);
  *device = pointer;
  return ACL_SUCCESS;
}
aclError aclrtHostUnregister(void* pointer) {
  return release("aclrtHostUnregister", pointer, true, "what aclrtHostRegister was given, once");
}

aclError aclrtPointerGetAttributes(const void* pointer, aclrtPtrAttributes* attributes) {
  constexpr uint32_t kPageBytes = 4096;
  constexpr const char* kApi = "aclrtPointerGetAttributes";
  if (const aclError code = check_place(kApi, attributes); code != ACL_SUCCESS) return code;
  *attributes = {};
  attributes->pageSize = kPageBytes;
  const std::optional<Memory> memory = Memories::instance().find(pointer);
  attributes->location.type = !memory                   ? ACL_MEM_LOCATION_TYPE_UNREGISTERED
                              : memory->device == kHost ? ACL_MEM_LOCATION_TYPE_HOST
                                                        : ACL_MEM_LOCATION_TYPE_DEVICE;
  if (memory && memory->device != kHost) attributes->location.id = uint32_t(memory->device);
  return ACL_SUCCESS;
}

}  // extern "C"
