// What host and device must agree on about a kernel's workspace.
#pragma once

#include <cstdint>

namespace vinci {

// The system's part, which lies before the kernel's own. Documents tell nobody its size: programs
// ask GetLibApiWorkSpaceSize.
constexpr uint64_t kSystemWorkspaceBytes = 16 << 20;

}  // namespace vinci
