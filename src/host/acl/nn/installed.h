// The operators that packages have installed where the environment says.
#pragma once

namespace vinci::acl {

// Loads the libraries of ASCEND_CUSTOM_OPP_PATH and of ASCEND_OPP_PATH, once in a process.
void load_installed_operators();

}  // namespace vinci::acl
