// TConv3DApiTiling as kernels get it.
#pragma once

#include "vinci/conv3d_tiling.h"

namespace AscendC::tiling {

using TConv3DApiTiling = vinci::Conv3dTilingData;

}  // namespace AscendC::tiling

using AscendC::tiling::TConv3DApiTiling;
