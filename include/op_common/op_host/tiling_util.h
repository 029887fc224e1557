// What tiling functions ask of shapes and of the chip.
#pragma once

#include "op_common/op_host/tiling_namespaces.h"
#include "util/math_util.h"
#include "util/platform_util.h"
#include "util/shape_util.h"

namespace Ops {
namespace Base {

// Whether vector instructions work on registers.
template <typename Context>
bool IsRegbaseSocVersion(const Context* context) {
  return platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetVecRegLen() != 0;
}

}  // namespace Base
}  // namespace Ops

VINCI_IN_TILING_NAMESPACES(using Ops::Base::EnsureNotScalar; using Ops::Base::IsRegbaseSocVersion;)
