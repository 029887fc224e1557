// What there is: the chip's numbers, versions and limits.
#include <unistd.h>

#include <mutex>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/runtime.h"
#include "host/memories.h"
#include "host/program.h"
#include "runtime/rt_ffts.h"

namespace vinci::acl {
namespace {

using host::program_soc;

constexpr uint32_t kSyncBytes = 4096;  // of aclrtGetHardwareSyncAddr

const Soc& chip() { return host::chip(program_soc()); }

int64_t host_bytes(int pages) { return int64_t(sysconf(pages)) * sysconf(_SC_PAGESIZE); }

int64_t vector_cores(const Soc& soc) { return soc.aiv_cores > 0 ? soc.aiv_cores : soc.aic_cores; }

// What is known of an attribute; -1: nothing.
int64_t attribute_of(aclrtDevAttr attribute, uint32_t device) {
  constexpr int64_t kMostBlocks = 65535;
  const Soc& soc = chip();
  switch (attribute) {
    case ACL_DEV_ATTR_AICORE_CORE_NUM:
    case ACL_DEV_ATTR_CUBE_CORE_NUM: return soc.aic_cores;
    case ACL_DEV_ATTR_VECTOR_CORE_NUM: return vector_cores(soc);
    case ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE: return soc.size_of(Space::kUb);
    case ACL_DEV_ATTR_MAX_BLOCK_PER_GRID: return kMostBlocks;
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE: return host_bytes(_SC_PHYS_PAGES);
    case ACL_DEV_ATTR_PHY_CHIP_ID: return device;
    case ACL_DEV_ATTR_SMP_ID:
    case ACL_DEV_ATTR_IS_VIRTUAL: return 0;
    case ACL_DEV_ATTR_NPU_ARCH: return soc.arch->npu_arch;
    default: return -1;
  }
}

aclError limit_of(const char* api, aclrtDevResLimitType type, uint32_t* value) {
  if (const aclError code = check_place(api, value); code != ACL_SUCCESS) return code;
  const Soc& soc = chip();
  *value = uint32_t(type == ACL_RT_DEV_RES_CUBE_CORE ? soc.aic_cores : vector_cores(soc));
  return ACL_SUCCESS;
}

aclError same_device(const char* api, int32_t id, int32_t* same) {
  if (const aclError code = check_place(api, same); code != ACL_SUCCESS) return code;
  if (const aclError code = check_device(api, id); code != ACL_SUCCESS) return code;
  *same = id;
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtGetRunMode(aclrtRunMode* mode) {
  if (const aclError code = check_place("aclrtGetRunMode", mode); code != ACL_SUCCESS) return code;
  *mode = ACL_HOST;
  return ACL_SUCCESS;
}

const char* aclrtGetSocName(void) {
  // Without what vinci adds to tell the cores of a chip apart.
  static const std::string name = [] {
    const std::string full(chip().name);
    return full.substr(0, full.find("-Vector"));
  }();
  return name.c_str();
}

aclError aclrtGetDeviceInfo(uint32_t id, aclrtDevAttr attribute, int64_t* value) {
  constexpr const char* kApi = "aclrtGetDeviceInfo";
  if (const aclError code = check_place(kApi, value); code != ACL_SUCCESS) return code;
  if (const aclError code = check_device(kApi, id); code != ACL_SUCCESS) return code;
  const int64_t got = attribute_of(attribute, id);
  if (got < 0) {
    return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, kApi,
                fmt::format("attribute {} is not known of {}", int(attribute), chip().name));
  }
  *value = got;
  return ACL_SUCCESS;
}

aclError aclGetDeviceCapability(uint32_t id, aclDeviceInfo info, int64_t* value) {
  switch (info) {
    case ACL_DEVICE_INFO_AI_CORE_NUM:
      return aclrtGetDeviceInfo(id, ACL_DEV_ATTR_AICORE_CORE_NUM, value);
    case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
      return aclrtGetDeviceInfo(id, ACL_DEV_ATTR_VECTOR_CORE_NUM, value);
    case ACL_DEVICE_INFO_L2_SIZE: return aclrtGetDeviceInfo(id, ACL_DEV_ATTR_L2_CACHE_SIZE, value);
    default:
      return fail(ACL_ERROR_INVALID_PARAM, "aclGetDeviceCapability",
                  fmt::format("information {}", int(info)));
  }
}

// Of the interface that these headers have, not of vinci.
aclError aclrtGetVersion(int32_t* major, int32_t* minor, int32_t* patch) {
  for (const int32_t* place : {major, minor, patch}) {
    if (const aclError code = check_place("aclrtGetVersion", place); code != 0) return code;
  }
  *major = 1;
  *minor = 15;
  *patch = 0;
  return ACL_SUCCESS;
}

// Where cores that synchronise by themselves begin to count. What is there is vinci's own business.
aclError aclrtGetHardwareSyncAddr(void** address) {
  constexpr const char* kApi = "aclrtGetHardwareSyncAddr";
  if (const aclError code = check_place(kApi, address); code != ACL_SUCCESS) return code;
  Context context;
  if (!current_context(kApi, context)) return last_error();
  static std::mutex mutex;
  static std::map<int32_t, void*> addresses;
  const std::lock_guard lock(mutex);
  void*& known = addresses[context.device];
  if (known == nullptr) {
    known = vinci::host::Memories::instance().allocate(context.device, kSyncBytes, kApi, true);
  }
  *address = known;
  return ACL_SUCCESS;
}

int32_t rtGetC2cCtrlAddr(uint64_t* address, uint32_t* bytes) {
  constexpr const char* kApi = "rtGetC2cCtrlAddr";
  if (const aclError code = check_place(kApi, address); code != ACL_SUCCESS) return code;
  if (const aclError code = check_place(kApi, bytes); code != ACL_SUCCESS) return code;
  void* pointer = nullptr;
  if (const aclError code = aclrtGetHardwareSyncAddr(&pointer); code != ACL_SUCCESS) return code;
  *address = reinterpret_cast<uint64_t>(pointer);
  *bytes = kSyncBytes;
  return ACL_SUCCESS;
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t* least, int32_t* greatest) {
  constexpr int32_t kLeast = 7;
  if (least != nullptr) *least = kLeast;
  if (greatest != nullptr) *greatest = 0;
  return ACL_SUCCESS;
}

// Kernels of one device do not reach the GM of another; copies do.
aclError aclrtDeviceCanAccessPeer(int32_t* can, int32_t, int32_t) {
  if (const aclError code = check_place("aclrtDeviceCanAccessPeer", can); code != 0) return code;
  *can = 0;
  return ACL_SUCCESS;
}
aclError aclrtDeviceEnablePeerAccess(int32_t peer, uint32_t) {
  return check_device("aclrtDeviceEnablePeerAccess", peer);
}
aclError aclrtDeviceDisablePeerAccess(int32_t peer) {
  return check_device("aclrtDeviceDisablePeerAccess", peer);
}

aclError aclrtDevicePeerAccessStatus(int32_t id, int32_t peer, int32_t* status) {
  constexpr const char* kApi = "aclrtDevicePeerAccessStatus";
  for (const int32_t one : {id, peer}) {
    if (const aclError code = check_device(kApi, one); code != ACL_SUCCESS) return code;
  }
  if (const aclError code = check_place(kApi, status); code != ACL_SUCCESS) return code;
  *status = 0;
  return ACL_SUCCESS;
}

aclError aclrtGetLogicDevIdByUserDevId(const int32_t id, int32_t* const same) {
  return same_device("aclrtGetLogicDevIdByUserDevId", id, same);
}
aclError aclrtGetUserDevIdByLogicDevId(const int32_t id, int32_t* const same) {
  return same_device("aclrtGetUserDevIdByLogicDevId", id, same);
}
aclError aclrtGetLogicDevIdByPhyDevId(const int32_t id, int32_t* const same) {
  return same_device("aclrtGetLogicDevIdByPhyDevId", id, same);
}
aclError aclrtGetPhyDevIdByLogicDevId(const int32_t id, int32_t* const same) {
  return same_device("aclrtGetPhyDevIdByLogicDevId", id, same);
}
aclError aclrtDeviceGetBareTgid(int32_t* process) {
  constexpr const char* kApi = "aclrtDeviceGetBareTgid";
  if (const aclError code = check_place(kApi, process); code != ACL_SUCCESS) return code;
  *process = getpid();
  return ACL_SUCCESS;
}

// Limits change when a kernel runs, not what it computes.
aclError aclrtSetDeviceResLimit(int32_t id, aclrtDevResLimitType, uint32_t) {
  return check_device("aclrtSetDeviceResLimit", id);
}
aclError aclrtGetDeviceResLimit(int32_t, aclrtDevResLimitType type, uint32_t* value) {
  return limit_of("aclrtGetDeviceResLimit", type, value);
}
aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType, uint32_t) {
  return stream_of("aclrtSetStreamResLimit", stream) != nullptr ? ACL_SUCCESS : last_error();
}
aclError aclrtGetStreamResLimit(aclrtStream, aclrtDevResLimitType type, uint32_t* value) {
  return limit_of("aclrtGetStreamResLimit", type, value);
}

aclError aclrtGetMemInfo(aclrtMemAttr, size_t* free, size_t* total) {
  constexpr const char* kApi = "aclrtGetMemInfo";
  for (const size_t* place : {free, total}) {
    if (const aclError code = check_place(kApi, place); code != ACL_SUCCESS) return code;
  }
  *free = size_t(host_bytes(_SC_AVPHYS_PAGES));
  *total = size_t(host_bytes(_SC_PHYS_PAGES));
  return ACL_SUCCESS;
}

}  // extern "C"
