// There is nothing to measure here that would tell anything of a chip: all of it succeeds.
#include "acl/acl_prof.h"

#include <cstdint>
#include <functional>
#include <string_view>

extern "C" {

aclError aclprofInit(const char*, size_t) { return ACL_SUCCESS; }
aclError aclprofFinalize(void) { return ACL_SUCCESS; }
aclError aclprofSetConfig(aclprofConfigType, const char*, size_t) { return ACL_SUCCESS; }
aclprofConfig* aclprofCreateConfig(uint32_t*, uint32_t, aclprofAicoreMetrics,
                                   const aclprofAicoreEvents*, uint64_t) {
  static char config;  // an address for programs that look whether they got one
  return reinterpret_cast<aclprofConfig*>(&config);
}
aclError aclprofDestroyConfig(const aclprofConfig*) { return ACL_SUCCESS; }
aclError aclprofStart(const aclprofConfig*) { return ACL_SUCCESS; }
aclError aclprofStop(const aclprofConfig*) { return ACL_SUCCESS; }

void* aclprofCreateStamp(void) {
  static char stamp;
  return &stamp;
}
void aclprofDestroyStamp(void*) {}
aclError aclprofSetStampTraceMessage(void*, const char*, uint32_t) { return ACL_SUCCESS; }
aclError aclprofMark(void*) { return ACL_SUCCESS; }
aclError aclprofMarkEx(const char*, size_t, aclrtStream) { return ACL_SUCCESS; }
aclError aclprofPush(void*) { return ACL_SUCCESS; }
aclError aclprofPop(void) { return ACL_SUCCESS; }
aclError aclprofRangeStart(void*, uint32_t* id) {
  if (id != nullptr) *id = 0;
  return ACL_SUCCESS;
}
aclError aclprofRangeStop(uint32_t) { return ACL_SUCCESS; }
uint64_t aclprofStr2Id(const char* message) {
  return message == nullptr ? 0 : std::hash<std::string_view>{}(message);
}
aclError aclprofRangePushEx(aclprofEventAttributes*) { return ACL_SUCCESS; }
aclError aclprofRangePop(void) { return ACL_SUCCESS; }

}  // extern "C"
