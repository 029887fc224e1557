// Tilings of Conv3D and its gradients as kernels get them.
#pragma once

#include "vinci/conv3d_backprop_tiling.h"
#include "vinci/conv3d_tiling.h"

namespace AscendC::tiling {

using TConv3DApiTiling = vinci::Conv3dTilingData;
using TConv3DBackpropInputTiling = vinci::Conv3dBpInputTilingData;

// What GetTiling fills.
struct Conv3DBackpropInputTilingData {
  TConv3DBackpropInputTiling conv3DDxTiling;
};

}  // namespace AscendC::tiling

using AscendC::tiling::Conv3DBackpropInputTilingData;
using AscendC::tiling::TConv3DApiTiling;
using AscendC::tiling::TConv3DBackpropInputTiling;
