// Conv3dTilingApi: host code says what it convolves, and gets how one core's part is cut.
#pragma once

#include <cstdint>
#include <cstdio>

#include "lib/conv/host_parts.h"
#include "tiling/tiling_classes.h"

namespace Conv3dTilingApi {

struct PlatformInfo {
  platform_ascendc::SocVersion socVersion;
  uint64_t l1Size = 0, l0CSize = 0, ubSize = 0, l0ASize = 0, l0BSize = 0, btSize = 0, fbSize = 0;
};

class Conv3dTilingBase {
 public:
  using TPosition = ConvCommonApi::TPosition;
  using ConvFormat = ConvCommonApi::ConvFormat;
  using ConvDtype = ConvCommonApi::ConvDtype;

  explicit Conv3dTilingBase(const platform_ascendc::PlatformAscendC& ascendcPlatform) {
    request_.memory = ConvCommonApi::in_api::memory_of(ascendcPlatform);
  }
  explicit Conv3dTilingBase(const PlatformInfo& platform) {
    request_.memory = {int64_t(platform.l1Size), int64_t(platform.l0ASize),
                       int64_t(platform.l0BSize), int64_t(platform.l0CSize),
                       int64_t(platform.btSize)};
  }
  virtual ~Conv3dTilingBase() = default;

  void SetOrgWeightShape(int64_t orgCo, int64_t orgKd, int64_t orgKh, int64_t orgKw) {
    shape().co = orgCo;
    shape().d.kernel = orgKd;
    shape().h.kernel = orgKh;
    shape().w.kernel = orgKw;
  }
  void SetOrgInputShape(int64_t orgCi, int64_t orgDi, int64_t orgHi, int64_t orgWi) {
    shape().ci = orgCi;
    shape().d.size = orgDi;
    shape().h.size = orgHi;
    shape().w.size = orgWi;
  }
  // A core has all of Cin and of the kernel.
  void SetSingleWeightShape(int64_t singleCi, int64_t singleKd, int64_t singleKh,
                            int64_t singleKw) {
    single_weight_ = {singleCi, singleKd, singleKh, singleKw};
  }
  void SetSingleOutputShape(int64_t singleCo, int64_t singleDo, int64_t singleM) {
    request_.part.co = singleCo;
    request_.part.depth = singleDo;
    request_.part.m = singleM;
  }
  void SetPadding(int64_t padHead, int64_t padTail, int64_t padUp, int64_t padDown, int64_t padLeft,
                  int64_t padRight) {
    shape().d.before = padHead;
    shape().d.after = padTail;
    shape().h.before = padUp;
    shape().h.after = padDown;
    shape().w.before = padLeft;
    shape().w.after = padRight;
  }
  void SetDilation(int64_t dilationD, int64_t dilationH, int64_t dilationW) {
    shape().d.dilation = dilationD;
    shape().h.dilation = dilationH;
    shape().w.dilation = dilationW;
  }
  void SetStride(int64_t strideD, int64_t strideH, int64_t strideW) {
    shape().d.stride = strideD;
    shape().h.stride = strideH;
    shape().w.stride = strideW;
  }
  void SetGroups(int64_t groups) { shape().groups = groups; }

  void SetInputType(const TPosition pos, const ConvFormat format, const ConvDtype dtype) {
    input_ = {pos, format, dtype};
  }
  void SetWeightType(const TPosition pos, const ConvFormat format, const ConvDtype dtype) {
    weight_ = {pos, format, dtype};
  }
  void SetBiasType(const TPosition pos, const ConvFormat format, const ConvDtype dtype) {
    bias_ = {pos, format, dtype};
    request_.has_bias = true;
  }
  void SetOutputType(const TPosition pos, const ConvFormat format, const ConvDtype dtype) {
    output_ = {pos, format, dtype};
  }

 protected:
  using Tensor = ConvCommonApi::in_api::Tensor;
  struct SingleWeight {
    int64_t ci = -1, d = -1, h = -1, w = -1;
    bool operator!=(const SingleWeight& other) const {
      return ci != other.ci || d != other.d || h != other.h || w != other.w;
    }
  };

  // nullptr: it can be convolved as far as its types and its one core go.
  const char* wrong() const {
    const bool is_half = input_.dtype == ConvDtype::FLOAT16;
    const ConvDtype type = is_half ? ConvDtype::FLOAT16 : ConvDtype::BF16;
    if (input_ != Tensor{TPosition::GM, ConvFormat::NDC1HWC0, type}) {
      return "Input is not FLOAT16 or BF16, in NDC1HWC0 in GM";
    }
    if (weight_ != Tensor{TPosition::GM, ConvFormat::FRACTAL_Z_3D, type}) {
      return "Weight is not of Input's type, in FRACTAL_Z_3D in GM";
    }
    if (output_ != Tensor{TPosition::CO1, ConvFormat::NDC1HWC0, type}) {
      return "Output is not of Input's type, in NDC1HWC0 in CO1";
    }
    const ConvDtype bias = is_half ? ConvDtype::FLOAT16 : ConvDtype::FLOAT32;
    if (request_.has_bias && bias_ != Tensor{TPosition::GM, ConvFormat::ND, bias}) {
      return "Bias is not ND in GM, of FLOAT16 beside FLOAT16 and FLOAT32 beside BF16";
    }
    const vinci::Conv3dShape& s = request_.shape;
    if (single_weight_ != SingleWeight{s.ci, s.d.kernel, s.h.kernel, s.w.kernel}) {
      return "SetSingleWeightShape has other sizes than SetOrgInputShape and SetOrgWeightShape";
    }
    return nullptr;
  }

  vinci::Conv3dTilingRequest request_;

 private:
  vinci::Conv3dShape& shape() { return request_.shape; }

  SingleWeight single_weight_;
  Tensor input_{TPosition::GM, ConvFormat::NDC1HWC0, ConvDtype::FLOAT16};
  Tensor weight_{TPosition::GM, ConvFormat::FRACTAL_Z_3D, ConvDtype::FLOAT16};
  Tensor bias_{TPosition::GM, ConvFormat::ND, ConvDtype::FLOAT16};
  Tensor output_{TPosition::CO1, ConvFormat::NDC1HWC0, ConvDtype::FLOAT16};
};

class Conv3dTiling : public Conv3dTilingBase {
 public:
  using Conv3dTilingBase::Conv3dTilingBase;

  // 0, or -1 where there is none, which stderr tells.
  int64_t GetTiling(optiling::TConv3DApiTiling& tiling) { return make(tiling); }
  int64_t GetTiling(AscendC::tiling::TConv3DApiTiling& tiling) { return make(tiling); }

 private:
  template <class Tiling>
  int64_t make(Tiling& tiling) {
    if (const char* reason = wrong()) {
      std::fprintf(stderr, "vinci: GetTiling: %s\n", reason);
      return -1;
    }
    AscendC::tiling::TConv3DApiTiling made;
    if (!vinci::conv3d_tiling(request_, made)) return -1;
    AscendC::in_api::take_tiling(made, tiling);
    return 0;
  }
};

}  // namespace Conv3dTilingApi
