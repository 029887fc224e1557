// Conv2D and its tiling: a convolution of one feature map in L1. Deprecated by its documents.
//
// initY: 0 overwrites dstLocal and 1 adds to it, as the running library does. The documents say the
// reverse: define VINCI_CONV2D_INITY_AS_DOCUMENTED before kernel_operator.h is included, or on the
// command line, to have it their way.
#pragma once

#include "ascendc/tensor.h"
#include "vinci/record/conv2d.h"

namespace vinci::isa {
extern const Instruction conv2d;
}

namespace AscendC {

using vinci::Conv2dParams;
using vinci::Conv2dTilling;
using vinci::kConv2dDilation;
using vinci::kConv2dImgSize;
using vinci::kConv2dkernelSize;
using vinci::kConv2dPad;
using vinci::kConv2dStride;
using vinci::LoopMode;

namespace in_api {

#ifdef VINCI_CONV2D_INITY_AS_DOCUMENTED
inline constexpr bool kInitYAsDocumented = true;
#else
inline constexpr bool kInitYAsDocumented = false;
#endif

}  // namespace in_api

// T is the feature map's type. Works on a core and in host code.
template <class T>
Conv2dTilling GetConv2dTiling(const Conv2dParams& conv2dParams) {
  return vinci::conv2d_tiling(conv2dParams, vinci::dtype_of<T>);
}

// dstLocal in CO1 or CO2, featureMap in A1, weight in B1. Uses L0A and L0B from their start, and
// for CO2 also L0C.
template <class dst_T, class src_T>
void Conv2D(const LocalTensor<dst_T>& dstLocal, const LocalTensor<src_T>& featureMap,
            const LocalTensor<src_T>& weight, const Conv2dParams& conv2dParams,
            const Conv2dTilling& tilling) {
  vinci::issue(vinci::Conv2dRecord{{&vinci::isa::conv2d},
                                   dstLocal.operand(),
                                   featureMap.operand(),
                                   weight.operand(),
                                   conv2dParams,
                                   tilling,
                                   in_api::kInitYAsDocumented});
}

}  // namespace AscendC
