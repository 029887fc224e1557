// While a kernel's file is loaded the system's loader opens files, and constructors of the kernel
// run: which of them calls is told by where the call stands.
#pragma once

#include <span>

#include "launch/sandbox/call_filter.h"

namespace vinci::launch {

// The calls among `openings` trap but from the loader's own code; so does a new handler of SIGSYS,
// by which a kernel would hear of it itself, and a look at a file by its path. Of all others `rest`
// decides: one filter is made known in less time than two. Only `rest`: the loader's code is not to
// be found.
CallFilter loader_filter(std::span<const int> openings, const CallFilter& rest);

}  // namespace vinci::launch
