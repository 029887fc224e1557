// How a function of the host runtime fails: its code, and the text for aclGetRecentErrMsg.
#pragma once

#include <string>

#include "acl/acl_base.h"

namespace vinci::acl {

// Remembers code and text for this thread, and returns the code. For what a program may well ask
// and then do without.
aclError fail(aclError code, const char* api, const std::string& text);
// The same, and a fault (V8004) at the caller's line: the program is wrong.
aclError refuse(aclError code, const char* api, const std::string& text, std::string legal);
// The same for what a kernel left; told already.
aclError pass_on(aclError code, std::string text);

aclError last_error();

}  // namespace vinci::acl
