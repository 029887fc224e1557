// Conv3DBpInputTiling: host code says of what convolution it wants the gradient of the input, and
// gets how that is cut.
#pragma once

#include "lib/conv_backprop/tiling_base.h"

namespace ConvBackpropApi {

class Conv3DBpInputTilingBase : public in_api::TilingBase {
 public:
  Conv3DBpInputTilingBase() = default;
  explicit Conv3DBpInputTilingBase(const platform_ascendc::PlatformAscendC& ascendcPlatform)
      : TilingBase(ascendcPlatform) {}
  explicit Conv3DBpInputTilingBase(const PlatformInfo& platform) : TilingBase(platform) {}

  // False for sizes below 1, which change nothing.
  bool SetWeightShape(int64_t cout, int64_t cin, int64_t d, int64_t h, int64_t w) {
    return set(request_.weight, {cout, cin, d, h, w});
  }
  // Not for transposed convolutions, of which it is the result.
  bool SetInputShape(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
    return set(request_.input, {n, c, d, h, w});
  }
  bool SetGradOutputShape(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
    return set(request_.grad_output, {n, c, d, h, w});
  }
  // For transposed convolutions.
  bool SetOutputPadding(int64_t outputPadD, int64_t outputPadH, int64_t outputPadW) {
    if (outputPadD < 0 || outputPadH < 0 || outputPadW < 0) return false;
    request_.output_pad_d = outputPadD;
    request_.output_pad_h = outputPadH;
    request_.output_pad_w = outputPadW;
    return true;
  }

 protected:
  // nullptr: the types are those of a product that there is.
  const char* wrong_type() const {
    if (!is_map(grad_output_)) return "GradOutput is not FLOAT16 or BF16, in NDC1HWC0 in GM";
    const ConvDtype type = grad_output_.dtype;
    if (weight_ != Tensor{TPosition::GM, ConvFormat::FRACTAL_Z_3D, type}) {
      return "Weight is not of GradOutput's type, in FRACTAL_Z_3D in GM";
    }
    if (!is_result(input_, ConvFormat::NDC1HWC0, type)) {
      return "Input is not of GradOutput's type, in NDC1HWC0 in GM";
    }
    return nullptr;
  }
};

class Conv3DBpInputTiling : public Conv3DBpInputTilingBase {
 public:
  using Conv3DBpInputTilingBase::Conv3DBpInputTilingBase;

  // 0, or -1 where there is none, which stderr tells.
  int64_t GetTiling(optiling::Conv3DBackpropInputTilingData& tiling) { return make(tiling); }
  int64_t GetTiling(AscendC::tiling::Conv3DBackpropInputTilingData& tiling) { return make(tiling); }

 private:
  template <class Tiling>
  int64_t make(Tiling& tiling) {
    if (const char* reason = wrong_type()) return refuse(reason);
    AscendC::tiling::TConv3DBackpropInputTiling made;
    if (!vinci::conv3d_bp_input_tiling(request_, made)) return -1;
    AscendC::in_api::take_tiling(made, tiling.conv3DDxTiling);
    return 0;
  }
};

}  // namespace ConvBackpropApi
