// What a TilingParse function is given: the chip, and the struct that tiling functions get later.
#pragma once

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

class TilingParseContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  const char* GetCompiledJson() const { return "{}"; }
  template <typename T>
  T* GetCompiledInfo() const {
    return static_cast<T*>(data_->compile_info);
  }
  fe::PlatFormInfos* GetPlatformInfo() const { return data_->platform; }
};

}  // namespace gert
