// The workspace of a kernel in GM: first the system's part, then the kernel's own.
#pragma once

#include <cstdint>

#include "ascendc/keyword.h"
#include "vinci/door.h"
#include "vinci/workspace.h"

namespace vinci {

// Whether the kernel is an operator package's, which is told behind this header: no more than what
// is common to all kernels stands before it, so that it is compiled once for them.
template <class T>
inline constexpr bool kIsOfPackage = false;

}  // namespace vinci

namespace AscendC {

// The start of the workspace, for functions that need the system's part of it.
inline void SetSysWorkspace(GM_ADDR workspace) { vinci::set_system_workspace(workspace); }
inline void SetSysWorkspaceForce(GM_ADDR workspace) { vinci::set_system_workspace(workspace); }
// The kernel's part. To a kernel of an operator package that is passed already.
template <class T = void>
GM_ADDR GetUserWorkspace(GM_ADDR workspace) {
  if constexpr (vinci::kIsOfPackage<T>) return workspace;
  return workspace == nullptr ? nullptr : workspace + vinci::kSystemWorkspaceBytes;
}

}  // namespace AscendC

// nullptr until SetSysWorkspace.
inline GM_ADDR GetSysWorkSpacePtr() { return static_cast<GM_ADDR>(vinci::system_workspace()); }

namespace AscendC {
using ::GetSysWorkSpacePtr;

// Where messages between AIVs and AICs lie: an address, and no more.
class KfcWorkspace {
 public:
  KfcWorkspace(GM_ADDR workspace) : workspace_(workspace) {}
  void UpdateKfcWorkspace(uint32_t offset) { workspace_ += offset; }
  GM_ADDR GetKfcWorkspace() { return workspace_; }
  // Where the messages of the next group begin.
  GM_ADDR GetMsgStart() { return workspace_; }

 private:
  GM_ADDR workspace_;
};

}  // namespace AscendC
