// Memory with a key, by which it is found again: in this process alone.
#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/runtime.h"

namespace vinci::acl {
namespace {

constexpr size_t kKeyBytes = 65;  // with the zero at its end

struct Shared {
  void* start = nullptr;
  bool for_anyone = false;
  std::vector<int32_t> processes;  // that may import it
  int imports = 0;
};
struct AllShared {
  std::mutex mutex;
  std::map<std::string, Shared> by_key;
  uint64_t count = 0;
};
AllShared& all_shared() {
  static AllShared* const made = new AllShared;
  return *made;
}

aclError check_key(const char* api, const char* key) {
  if (key != nullptr) return ACL_SUCCESS;
  return refuse(ACL_ERROR_RT_PARAM_INVALID, api, "the key is a null pointer", "a key");
}

// Calls f(what it stands for) with the lock held.
template <class F>
aclError with_key(const char* api, const char* key, F f) {
  if (const aclError code = check_key(api, key); code != ACL_SUCCESS) return code;
  {
    const std::lock_guard lock(all_shared().mutex);
    const auto found = all_shared().by_key.find(key);
    if (found != all_shared().by_key.end()) return f(found->second);
  }
  return refuse(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, api,
                fmt::format("{} is no key of this process, and other processes' memory is not to "
                            "be had",
                            std::string(key).substr(0, kKeyBytes)),
                "what aclrtIpcMemGetExportKey gave here, before aclrtIpcMemClose");
}

}  // namespace
}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtIpcMemGetExportKey(void* pointer, size_t size, char* key, size_t length,
                                 uint64_t flags) {
  constexpr const char* kApi = "aclrtIpcMemGetExportKey";
  if (const aclError code = check_key(kApi, key); code != ACL_SUCCESS) return code;
  if (length != kKeyBytes) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi, fmt::format("len {}", length),
                  fmt::format("{}", kKeyBytes));
  }
  if (flags > ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION) {
    return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi, fmt::format("flags {:#x}", flags), "0, 1");
  }
  if (const aclError code = check_memory(kApi, "devPtr", pointer, size, true);
      code != ACL_SUCCESS) {
    return code;
  }
  const std::lock_guard lock(all_shared().mutex);
  const std::string made = fmt::format("{:032d}{:032d}", getpid(), ++all_shared().count);
  std::copy_n(made.c_str(), kKeyBytes, key);
  Shared& shared = all_shared().by_key[made];
  shared.start = pointer;
  shared.for_anyone = flags == ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION;
  return ACL_SUCCESS;
}
aclError aclrtIpcMemSetImportPid(const char* key, int32_t* processes, size_t count) {
  constexpr const char* kApi = "aclrtIpcMemSetImportPid";
  if (const aclError code = check_place(kApi, processes); code != ACL_SUCCESS) return code;
  return with_key(kApi, key, [&](Shared& shared) {
    shared.processes.insert(shared.processes.end(), processes, processes + count);
    return ACL_SUCCESS;
  });
}
aclError aclrtIpcMemImportByKey(void** pointer, const char* key, uint64_t) {
  constexpr const char* kApi = "aclrtIpcMemImportByKey";
  if (const aclError code = check_place(kApi, pointer); code != ACL_SUCCESS) return code;
  return with_key(kApi, key, [&](Shared& shared) {
    const auto& allowed = shared.processes;
    if (!shared.for_anyone &&
        std::find(allowed.begin(), allowed.end(), getpid()) == allowed.end()) {
      return refuse(ACL_ERROR_RT_PARAM_INVALID, kApi,
                    fmt::format("process {} was not allowed to import it", getpid()),
                    "after aclrtIpcMemSetImportPid, or with the flag that disables validation");
    }
    *pointer = shared.start;
    ++shared.imports;
    return ACL_SUCCESS;
  });
}
// Whoever imported it closes it first, and then who made the key.
aclError aclrtIpcMemClose(const char* key) {
  return with_key("aclrtIpcMemClose", key, [&](Shared& shared) {
    if (shared.imports > 0) {
      --shared.imports;
    } else {
      all_shared().by_key.erase(key);
    }
    return ACL_SUCCESS;
  });
}

}  // extern "C"
