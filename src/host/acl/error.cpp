#include "host/acl/error.h"

#include <cstdarg>
#include <utility>

#include <fmt/format.h>

#include "acl/acl_rt.h"
#include "host/findings.h"

namespace vinci::acl {
namespace {

struct LastError {
  aclError code = ACL_SUCCESS;
  std::string text;
};
thread_local LastError last;

}  // namespace

aclError pass_on(aclError code, std::string text) {
  last = {code, std::move(text)};
  return code;
}

aclError fail(aclError code, const char* api, const std::string& text) {
  return pass_on(code, fmt::format("{}: {}", api, text));
}

aclError refuse(aclError code, const char* api, const std::string& text, std::string legal) {
  host::tell_wrong_call(fmt::format("{}: {} (returns {})", api, text, code), std::move(legal));
  return fail(code, api, text);
}

aclError last_error() { return last.code; }

}  // namespace vinci::acl

using namespace vinci::acl;

extern "C" {

const char* aclGetRecentErrMsg(void) { return last.text.empty() ? nullptr : last.text.c_str(); }

aclError aclrtPeekAtLastError(aclrtLastErrLevel) { return last_error(); }

aclError aclrtGetLastError(aclrtLastErrLevel) { return std::exchange(last.code, ACL_SUCCESS); }

void aclAppLog(aclLogLevel, const char*, const char*, uint32_t, const char*, ...) {}

}  // extern "C"
