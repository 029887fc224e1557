// A tiling function as a class: its steps, and the order in which they are asked.
#pragma once

#include <memory>

#include "log/log.h"
#include "op_common/op_host/tiling_namespaces.h"
#include "register/op_impl_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "util/math_util.h"
#include "util/platform_util.h"
#include "util/shape_util.h"

namespace Ops {
namespace Base {

// What many keep of the chip.
struct AiCoreParams {
  uint64_t ubSize = 0;
  union {
    uint64_t blockDim = 0;
    uint64_t numBlocks;  // as newer sources have it
  };
  uint64_t aicNum = 0;
  uint64_t l1Size = 0;
  uint64_t l0aSize = 0;
  uint64_t l0bSize = 0;
  uint64_t l0cSize = 0;
};

class TilingBaseClass {
 public:
  explicit TilingBaseClass(gert::TilingContext* context) : context_(context) {}
  virtual ~TilingBaseClass() = default;
  virtual void Reset(gert::TilingContext* context) { context_ = context; }

  // GRAPH_PARAM_INVALID: another class is to try.
  ge::graphStatus DoTiling() {
    ge::graphStatus status = GetShapeAttrsInfo();
    if (status != ge::GRAPH_SUCCESS) return status;
    status = GetPlatformInfo();
    if (status != ge::GRAPH_SUCCESS) return status;
    if (!IsCapable()) return ge::GRAPH_PARAM_INVALID;
    status = DoOpTiling();
    if (status != ge::GRAPH_SUCCESS) return status;
    status = DoLibApiTiling();
    if (status != ge::GRAPH_SUCCESS) return status;
    status = GetWorkspaceSize();
    if (status != ge::GRAPH_SUCCESS) return status;
    status = PostTiling();
    if (status != ge::GRAPH_SUCCESS) return status;
    context_->SetTilingKey(GetTilingKey());
    DumpTilingInfo();
    return ge::GRAPH_SUCCESS;
  }

 protected:
  virtual ge::graphStatus GetShapeAttrsInfo() = 0;
  virtual ge::graphStatus GetPlatformInfo() = 0;
  virtual bool IsCapable() = 0;
  virtual ge::graphStatus DoOpTiling() = 0;
  virtual ge::graphStatus DoLibApiTiling() = 0;
  virtual ge::graphStatus GetWorkspaceSize() = 0;
  virtual ge::graphStatus PostTiling() = 0;
  virtual uint64_t GetTilingKey() const = 0;
  virtual void DumpTilingInfo() {}

  uint32_t CalcTschBlockDim(uint32_t slices, uint32_t aics, uint32_t aivs) const {
    const platform_ascendc::PlatformAscendC chip(context_->GetPlatformInfo());
    return chip.CalcTschBlockDim(slices, aics, aivs);
  }

  gert::TilingContext* context_ = nullptr;
  std::unique_ptr<platform_ascendc::PlatformAscendC> ascendcPlatform_;
  uint32_t blockDim_ = 0;
  uint64_t workspaceSize_ = 0;
  uint64_t tilingKey_ = 0;
  AiCoreParams aicoreParams_;
};

}  // namespace Base
}  // namespace Ops

VINCI_IN_TILING_NAMESPACES(using Ops::Base::AiCoreParams; using Ops::Base::TilingBaseClass;)
