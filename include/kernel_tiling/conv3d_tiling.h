// Tilings of Conv3D and its gradients as kernels get them.
#pragma once

#include "vinci/conv3d_backprop_tiling.h"
#include "vinci/conv3d_tiling.h"

namespace AscendC::tiling {

using TConv3DApiTiling = vinci::Conv3dTilingData;
using TConv3DBackpropInputTiling = vinci::Conv3dBpInputTilingData;
using TConv3DBpFilterTiling = vinci::Conv3dBpFilterTilingData;

// What GetTiling fills.
struct Conv3DBackpropInputTilingData {
  TConv3DBackpropInputTiling conv3DDxTiling;
};
struct Conv3DBackpropFilterTilingData {
  TConv3DBpFilterTiling dwTiling;
};

}  // namespace AscendC::tiling

using AscendC::tiling::TConv3DApiTiling;
using AscendC::tiling::TConv3DBackpropInputTiling;
using AscendC::tiling::TConv3DBpFilterTiling;
// A package may register one of these as its own: then kernels see that one.
#ifndef VINCI_STRUCT_Conv3DBackpropFilterTilingData
using AscendC::tiling::Conv3DBackpropFilterTilingData;
#endif
#ifndef VINCI_STRUCT_Conv3DBackpropInputTilingData
using AscendC::tiling::Conv3DBackpropInputTilingData;
#endif
