#include "host/acl/exceptions.h"

#include <atomic>

#include "host/acl/error.h"
#include "host/acl/runtime.h"

namespace vinci::acl {
namespace {

constexpr uint32_t kUnknown = 0xFFFFFFFF;

std::atomic<aclrtExceptionInfoCallback> callback = nullptr;

uint32_t part_of(const aclrtExceptionInfo* info, uint32_t aclrtExceptionInfo::*member) {
  return info == nullptr ? kUnknown : info->*member;
}

}  // namespace

void tell_exception(aclrtExceptionInfo info) {
  if (const aclrtExceptionInfoCallback function = callback) function(&info);
}

}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback function) {
  callback = function;
  return ACL_SUCCESS;
}
uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return part_of(info, &aclrtExceptionInfo::task);
}
uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return part_of(info, &aclrtExceptionInfo::stream);
}
uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return part_of(info, &aclrtExceptionInfo::thread);
}
uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return part_of(info, &aclrtExceptionInfo::device);
}
uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info) {
  return part_of(info, &aclrtExceptionInfo::code);
}

aclError aclrtGetThreadLastTaskId(uint32_t* task) {
  if (const aclError code = check_place("aclrtGetThreadLastTaskId", task); code != 0) return code;
  *task = last_task();
  return ACL_SUCCESS;
}

}  // extern "C"
