// Conv3dBpFilterTiling: host code says of what convolution it wants the gradient of the weights,
// and gets how that is cut.
#pragma once

#include "lib/conv_backprop/tiling_base.h"

namespace ConvBackpropApi {

class Conv3dBpFilterTilingBase : public in_api::TilingBase {
 public:
  Conv3dBpFilterTilingBase() { weight_.dtype = ConvDtype::FLOAT32; }
  explicit Conv3dBpFilterTilingBase(const platform_ascendc::PlatformAscendC& ascendcPlatform)
      : TilingBase(ascendcPlatform) {
    weight_.dtype = ConvDtype::FLOAT32;
  }
  explicit Conv3dBpFilterTilingBase(const PlatformInfo& platform) : TilingBase(platform) {
    weight_.dtype = ConvDtype::FLOAT32;
  }

  void SetWeightShape(int64_t cout, int64_t cin, int64_t d, int64_t h, int64_t w) {
    request_.weight = {cout, cin, d, h, w};
  }
  void SetInputShape(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
    request_.input = {n, c, d, h, w};
  }
  void SetGradOutputShape(int64_t n, int64_t c, int64_t d, int64_t h, int64_t w) {
    request_.grad_output = {n, c, d, h, w};
  }

 protected:
  // nullptr: the types are those of a product that there is.
  const char* wrong_type() const {
    if (!is_map(input_)) return "Input is not FLOAT16 or BF16, in NDC1HWC0 in GM";
    if (grad_output_ != input_) return "GradOutput is not of Input's type, in NDC1HWC0 in GM";
    if (!is_result(weight_, ConvFormat::FRACTAL_Z_3D, ConvDtype::FLOAT32)) {
      return "Weight is not FLOAT32, in FRACTAL_Z_3D in GM";
    }
    return nullptr;
  }
};

class Conv3dBpFilterTiling : public Conv3dBpFilterTilingBase {
 public:
  using Conv3dBpFilterTilingBase::Conv3dBpFilterTilingBase;

  // 0, or -1 where there is none, which stderr tells.
  int64_t GetTiling(optiling::Conv3DBackpropFilterTilingData& tiling) { return make(tiling); }
  int64_t GetTiling(AscendC::tiling::Conv3DBackpropFilterTilingData& tiling) {
    return make(tiling);
  }

 private:
  template <class Tiling>
  int64_t make(Tiling& tiling) {
    if (const char* reason = wrong_type()) return refuse(reason);
    AscendC::tiling::TConv3DBpFilterTiling made;
    if (!vinci::conv3d_bp_filter_tiling(request_, made)) return -1;
    AscendC::in_api::take_tiling(made, tiling.dwTiling);
    return 0;
  }
};

}  // namespace ConvBackpropApi
