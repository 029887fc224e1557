// What the tiling classes of a convolution's gradients share.
#pragma once

#include <cstdint>
#include <cstdio>

#include "lib/conv/host_parts.h"
#include "tiling/tiling_classes.h"

namespace ConvBackpropApi {

using ConvCommonApi::ConvDtype;
using ConvCommonApi::ConvFormat;
using ConvCommonApi::TPosition;

struct PlatformInfo {
  platform_ascendc::SocVersion socVersion;
  uint64_t l1Size = 0, l0CSize = 0, ubSize = 0, l0ASize = 0, l0BSize = 0;
};

namespace in_api {

class TilingBase {
 public:
  void SetPadding(int64_t padFront, int64_t padBack, int64_t padUp, int64_t padDown,
                  int64_t padLeft, int64_t padRight) {
    request_.d.before = padFront;
    request_.d.after = padBack;
    request_.h.before = padUp;
    request_.h.after = padDown;
    request_.w.before = padLeft;
    request_.w.after = padRight;
  }
  void SetStride(int64_t strideD, int64_t strideH, int64_t strideW) {
    request_.d.stride = strideD;
    request_.h.stride = strideH;
    request_.w.stride = strideW;
  }
  void SetDilation(int64_t dilationD, int64_t dilationH, int64_t dilationW) {
    request_.d.dilation = dilationD;
    request_.h.dilation = dilationH;
    request_.w.dilation = dilationW;
  }

  void SetWeightType(TPosition pos, ConvFormat format, ConvDtype dtype) {
    weight_ = {pos, format, dtype};
  }
  void SetInputType(TPosition pos, ConvFormat format, ConvDtype dtype) {
    input_ = {pos, format, dtype};
  }
  void SetGradOutputType(TPosition pos, ConvFormat format, ConvDtype dtype) {
    grad_output_ = {pos, format, dtype};
  }

 protected:
  using Tensor = ConvCommonApi::in_api::Tensor;

  // Of Atlas A2/A3, where L1 has 256 bytes that are not the kernel's.
  TilingBase() { request_.memory = {(512 << 10) - 256, 64 << 10, 64 << 10, 128 << 10, 1 << 10}; }
  explicit TilingBase(const platform_ascendc::PlatformAscendC& platform) {
    request_.memory = ConvCommonApi::in_api::memory_of(platform);
  }
  explicit TilingBase(const PlatformInfo& platform) {
    request_.memory = {int64_t(platform.l1Size), int64_t(platform.l0ASize),
                       int64_t(platform.l0BSize), int64_t(platform.l0CSize), 0};
  }
  virtual ~TilingBase() = default;

  static bool set(vinci::Conv3dVolume& volume, const vinci::Conv3dVolume& sizes) {
    if (sizes.n < 1 || sizes.c < 1 || sizes.d < 1 || sizes.h < 1 || sizes.w < 1) return false;
    volume = sizes;
    return true;
  }
  // Results come through CO1, which hosts may name, too.
  static bool is_result(const Tensor& tensor, ConvFormat format, ConvDtype dtype) {
    return (tensor.position == TPosition::GM || tensor.position == TPosition::CO1) &&
           tensor.format == format && tensor.dtype == dtype;
  }
  // FLOAT16 or BF16, in NDC1HWC0 in GM.
  static bool is_map(const Tensor& tensor) {
    return tensor.position == TPosition::GM && tensor.format == ConvFormat::NDC1HWC0 &&
           (tensor.dtype == ConvDtype::FLOAT16 || tensor.dtype == ConvDtype::BF16);
  }
  // What GetTiling returns where something is wrong.
  static int64_t refuse(const char* reason) {
    std::fprintf(stderr, "vinci: GetTiling: %s\n", reason);
    return -1;
  }

  vinci::Conv3dBackpropRequest request_;
  Tensor weight_{TPosition::GM, ConvFormat::FRACTAL_Z_3D, ConvDtype::FLOAT16};
  Tensor input_{TPosition::GM, ConvFormat::NDC1HWC0, ConvDtype::FLOAT16};
  Tensor grad_output_{TPosition::GM, ConvFormat::NDC1HWC0, ConvDtype::FLOAT16};
};

}  // namespace in_api
}  // namespace ConvBackpropApi

// Examples of the documents say it, too.
namespace Convolution3DBackprop = ConvBackpropApi;
