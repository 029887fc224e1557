// How the gradients of a convolution of volumes are divided: the numbers that host code computes
// and kernels get, and who computes them.
#pragma once

#include <cstdint>

#include "vinci/conv3d_shape.h"

// In the order in which they lie in memory; Field(type, name).
// clang-format off
#define VINCI_CONV3D_BP_INPUT_TILING(Field)                                                        \
  Field(uint32_t, batch) Field(uint32_t, cin) Field(uint32_t, cout) Field(uint32_t, cout1)         \
  Field(uint32_t, cin1) Field(uint32_t, cout1G) Field(uint32_t, cin1G) Field(uint32_t, c0)         \
  Field(uint32_t, c0Bits) Field(uint32_t, dout) Field(uint32_t, ho) Field(uint32_t, wo)            \
  Field(uint32_t, di) Field(uint32_t, hi) Field(uint32_t, wi) Field(uint32_t, dk)                  \
  Field(uint32_t, hk) Field(uint32_t, wk) Field(uint32_t, group) Field(uint32_t, strideD)          \
  Field(uint32_t, strideH) Field(uint32_t, strideW) Field(uint32_t, padFront)                      \
  Field(uint32_t, padBack) Field(uint32_t, padUp) Field(uint32_t, padDown)                         \
  Field(uint32_t, padLeft) Field(uint32_t, padRight) Field(int32_t, backpropPadTail)               \
  Field(int32_t, backpropPadUp) Field(int32_t, backpropPadDown) Field(int32_t, backpropPadLeft)    \
  Field(int32_t, backpropPadRight) Field(uint32_t, dilationD) Field(uint32_t, dilationH)           \
  Field(uint32_t, dilationW) Field(uint32_t, al0Pbuffer) Field(uint32_t, bl0Pbuffer)               \
  Field(uint32_t, cl0Pbuffer) Field(uint32_t, al1Pbuffer) Field(uint32_t, bl1Pbuffer)              \
  Field(uint32_t, singleCoreGroup) Field(uint32_t, singleCoreCout)                                 \
  Field(uint32_t, singleCoreCout1) Field(uint32_t, singleCoreCin1) Field(uint32_t, singleCoreDin)  \
  Field(uint32_t, singleCoreHo) Field(uint32_t, baseM) Field(uint32_t, baseK)                      \
  Field(uint32_t, baseN) Field(uint32_t, baseD) Field(uint32_t, baseBatch)                         \
  Field(uint32_t, baseGroup) Field(uint32_t, stepM) Field(uint32_t, stepN)                         \
  Field(uint32_t, stepKa) Field(uint32_t, stepKb) Field(uint32_t, stepBatch)                       \
  Field(uint32_t, stepGroup) Field(uint32_t, iterateOrder) Field(uint32_t, hf32Flag)               \
  Field(uint32_t, initOutputFlag) Field(uint32_t, reserved) Field(uint64_t, singleCoreBatch)       \
  Field(uint64_t, singleCoreM) Field(uint64_t, singleCoreCin)
#define VINCI_CONV3D_BP_FILTER_TILING(Field)                                                       \
  Field(uint32_t, batch) Field(uint32_t, cin) Field(uint32_t, cout) Field(uint32_t, cin1G)         \
  Field(uint32_t, cout1G) Field(uint32_t, dout) Field(uint32_t, ho) Field(uint32_t, wo)            \
  Field(uint32_t, di) Field(uint32_t, hi) Field(uint32_t, wi) Field(uint32_t, dk)                  \
  Field(uint32_t, hk) Field(uint32_t, wk) Field(uint32_t, group) Field(uint32_t, strideD)          \
  Field(uint32_t, strideH) Field(uint32_t, strideW) Field(uint32_t, padFront)                      \
  Field(uint32_t, padBack) Field(uint32_t, padUp) Field(uint32_t, padDown)                         \
  Field(uint32_t, padLeft) Field(uint32_t, padRight) Field(uint32_t, dilationD)                    \
  Field(uint32_t, dilationH) Field(uint32_t, dilationW) Field(uint32_t, channelSize)               \
  Field(uint32_t, al0Pbuffer) Field(uint32_t, bl0Pbuffer) Field(uint32_t, cl0Pbuffer)              \
  Field(uint32_t, al1Pbuffer) Field(uint32_t, bl1Pbuffer) Field(uint32_t, baseM)                   \
  Field(uint32_t, baseK) Field(uint32_t, baseN) Field(uint32_t, m0) Field(uint32_t, k0)            \
  Field(uint32_t, n0) Field(uint32_t, stepM) Field(uint32_t, stepN) Field(uint32_t, stepKa)        \
  Field(uint32_t, stepKb) Field(uint32_t, iterateOrder) Field(uint32_t, bl1Bound)                  \
  Field(uint32_t, hf32Flag) Field(uint32_t, singleCoreDK) Field(uint32_t, singleCoreGroup)         \
  Field(uint32_t, singleCoreCout) Field(uint32_t, singleCoreHo) Field(uint64_t, singleCoreBatch)   \
  Field(uint64_t, singleCoreCin) Field(uint64_t, totalL1Size) Field(uint64_t, singleCoreM)         \
  Field(uint64_t, singleCoreN) Field(uint64_t, singleCoreK)
// clang-format on

namespace vinci {

struct Conv3dBpInputTilingData {
#define VINCI_FIELD(type, name) type name = 0;
  VINCI_CONV3D_BP_INPUT_TILING(VINCI_FIELD)
};
static_assert(sizeof(Conv3dBpInputTilingData) == 280);

struct Conv3dBpFilterTilingData {
  VINCI_CONV3D_BP_FILTER_TILING(VINCI_FIELD)
#undef VINCI_FIELD
};
static_assert(sizeof(Conv3dBpFilterTilingData) == 248);

struct Conv3dVolume {
  int64_t n = -1, c = -1, d = -1, h = -1, w = -1;  // -1: not said
};

struct Conv3dBackpropRequest {
  Conv3dVolume input, grad_output;
  Conv3dVolume weight;  // n: channels of the output, c: of the input
  // Sizes stand in the volumes, all else here.
  Conv3dAxis d, h, w;
  // Of an input that is not said: behind what the output's gradient reaches.
  int64_t output_pad_d = 0, output_pad_h = 0, output_pad_w = 0;
  Conv3dMemory memory;
};

// Whether there is one, which `tiling` then has; if not, stderr tells why.
bool conv3d_bp_input_tiling(const Conv3dBackpropRequest& request, Conv3dBpInputTilingData& tiling);
bool conv3d_bp_filter_tiling(const Conv3dBackpropRequest& request,
                             Conv3dBpFilterTilingData& tiling);

}  // namespace vinci
