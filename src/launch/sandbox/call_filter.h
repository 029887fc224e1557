// Filters of system calls, as the host's kernel takes them.
#pragma once

#include <linux/filter.h>
#include <seccomp.h>

#include <vector>

namespace vinci::launch {

using CallFilter = std::vector<sock_filter>;

// What is made of libseccomp's filter, which goes; empty: nothing.
CallFilter filter_code(scmp_filter_ctx filter);

}  // namespace vinci::launch
