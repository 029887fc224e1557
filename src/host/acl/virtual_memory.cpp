// Addresses that are reserved first, and get memory later: a file in memory for each handle.
#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <mutex>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/runtime.h"
#include "host/memories.h"

namespace vinci::acl {
namespace {

using host::Memories;

constexpr size_t kGranularity = size_t{2} << 20;

struct Physical {
  int file = -1;
  size_t bytes = 0;
  int32_t device = 0;
};
struct Virtual {
  std::mutex mutex;
  std::map<void*, size_t> reserved;  // by address, in bytes
  std::map<void*, size_t> mapped;
  std::map<void*, Physical> physical;  // by handle
};
Virtual& all() {
  static Virtual* const made = new Virtual;
  return *made;
}

void* hide(void* address, size_t bytes, int fixed) {
  return mmap(address, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1,
              0);
}

bool is_reserved(const void* address, size_t bytes) {
  const auto at = reinterpret_cast<uintptr_t>(address);
  for (const auto& [start, size] : all().reserved) {
    const auto first = reinterpret_cast<uintptr_t>(start);
    if (at >= first && at - first <= size && bytes <= size - (at - first)) return true;
  }
  return false;
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtReserveMemAddress(void** address, size_t size, size_t, void*, uint64_t) {
  constexpr const char* kApi = "aclrtReserveMemAddress";
  if (const aclError code = check_place(kApi, address); code != ACL_SUCCESS) return code;
  if (size == 0) return fail(ACL_ERROR_RT_PARAM_INVALID, kApi, "0 bytes");
  // As much more as it takes to begin at a multiple.
  void* start = hide(nullptr, size + kGranularity, 0);
  if (start == MAP_FAILED) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, kApi,
                fmt::format("{} bytes of addresses are not to be had", size));
  }
  const auto first = reinterpret_cast<uintptr_t>(start);
  const size_t before = (kGranularity - first % kGranularity) % kGranularity;
  if (before != 0) munmap(start, before);
  *address = reinterpret_cast<void*>(first + before);
  munmap(static_cast<char*>(*address) + size, kGranularity - before);
  const std::lock_guard lock(all().mutex);
  all().reserved[*address] = size;
  return ACL_SUCCESS;
}

aclError aclrtReleaseMemAddress(void* address) {
  constexpr const char* kApi = "aclrtReleaseMemAddress";
  {
    const std::lock_guard lock(all().mutex);
    const auto found = all().reserved.find(address);
    if (found != all().reserved.end()) {
      munmap(found->first, found->second);
      all().reserved.erase(found);
      return ACL_SUCCESS;
    }
  }
  return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi, fmt::format("{} is not reserved", address),
                "what aclrtReserveMemAddress gave, once");
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size,
                             const aclrtPhysicalMemProp* properties, uint64_t) {
  constexpr const char* kApi = "aclrtMallocPhysical";
  for (const void* place : {static_cast<const void*>(handle), static_cast<const void*>(properties)})
    if (const aclError code = check_place(kApi, place); code != ACL_SUCCESS) return code;
  if (size == 0 || size % kGranularity != 0) {
    return fail(ACL_ERROR_RT_PARAM_INVALID, kApi,
                fmt::format("{} bytes are not a multiple of {}", size, kGranularity));
  }
  const auto device = int32_t(properties->location.id);
  if (const aclError code = check_device(kApi, device); code != ACL_SUCCESS) return code;
  const int file = memfd_create(kApi, MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, off_t(size)) != 0) {
    if (file >= 0) close(file);
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, kApi,
                fmt::format("{} bytes are not to be had", size));
  }
  {
    const std::lock_guard lock(Runtime::instance().mutex);
    *handle = Runtime::instance().next_handle();
  }
  const std::lock_guard lock(all().mutex);
  all().physical[*handle] = {file, size, device};
  return ACL_SUCCESS;
}

// What is mapped stays so.
aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
  constexpr const char* kApi = "aclrtFreePhysical";
  {
    const std::lock_guard lock(all().mutex);
    const auto found = all().physical.find(handle);
    if (found != all().physical.end()) {
      close(found->second.file);
      all().physical.erase(found);
      return ACL_SUCCESS;
    }
  }
  return refuse(ACL_ERROR_RT_INVALID_HANDLE, kApi, fmt::format("{} is no memory", handle),
                "what aclrtMallocPhysical gave, once");
}

aclError aclrtMapMem(void* address, size_t size, size_t offset, aclrtDrvMemHandle handle,
                     uint64_t) {
  constexpr const char* kApi = "aclrtMapMem";
  const std::lock_guard lock(all().mutex);
  const auto found = all().physical.find(handle);
  if (found == all().physical.end()) {
    return refuse(ACL_ERROR_RT_INVALID_HANDLE, kApi, fmt::format("{} is no memory", handle),
                  "what aclrtMallocPhysical gave");
  }
  const Physical& physical = found->second;
  if (offset != 0 || size == 0 || size > physical.bytes || size % kGranularity != 0 ||
      !is_reserved(address, size) || vinci::host::Memories::instance().find(address)) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi,
                  fmt::format("{} bytes from {} of a handle of {} at {}", size, offset,
                              physical.bytes, address),
                  "what the handle has, from its start, at reserved addresses without memory");
  }
  if (mmap(address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, physical.file, 0) ==
      MAP_FAILED) {
    return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, kApi, "the host refuses");
  }
  vinci::host::Memories::instance().lend(physical.device, address, size, kApi);
  all().mapped[address] = size;
  return ACL_SUCCESS;
}

aclError aclrtUnmapMem(void* address) {
  constexpr const char* kApi = "aclrtUnmapMem";
  {
    const std::lock_guard lock(all().mutex);
    const auto found = all().mapped.find(address);
    if (found != all().mapped.end()) {
      vinci::host::Memories::instance().release(address);
      hide(address, found->second, MAP_FIXED);
      all().mapped.erase(found);
      return ACL_SUCCESS;
    }
  }
  return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi, fmt::format("{} is not mapped", address),
                "what aclrtMapMem was given, once");
}

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp*, aclrtMemGranularityOptions,
                                          size_t* granularity) {
  constexpr const char* kApi = "aclrtMemGetAllocationGranularity";
  if (const aclError code = check_place(kApi, granularity); code != ACL_SUCCESS) return code;
  *granularity = kGranularity;
  return ACL_SUCCESS;
}

}  // extern "C"
