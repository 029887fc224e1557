// The Conv3D object: a core's part of a convolution of volumes.
#pragma once

#include <type_traits>

#include "ascendc/conv3d_names.h"
#include "ascendc/tensor.h"
#include "kernel_tiling/conv3d_tiling.h"
#include "vinci/record/conv3d.h"

namespace vinci::isa {
extern const Instruction conv3d;
}

using ConvCommonApi::ConvFormat;

namespace ConvApi {

using ConvCommonApi::ConvFormat;

template <AscendC::TPosition POSITION, ConvFormat FORMAT, class TYPE>
struct ConvType {
  static constexpr AscendC::TPosition pos = POSITION;
  static constexpr ConvFormat format = FORMAT;
  using T = TYPE;
};

// For faster forms, of which there are none yet.
struct ConvParam {};

}  // namespace ConvApi

namespace Conv3dApi {

struct Conv3dParam : ConvApi::ConvParam {};

// Of an input of half or bfloat16_t.
template <class INPUT_TYPE>
using Conv3dBias = ConvApi::ConvType<
    AscendC::TPosition::GM, ConvFormat::ND,
    std::conditional_t<std::is_same_v<typename INPUT_TYPE::T, half>, half, float>>;

template <class INPUT_TYPE, class WEIGHT_TYPE, class OUTPUT_TYPE,
          class BIAS_TYPE = Conv3dBias<INPUT_TYPE>, class CONV_CFG = Conv3dParam>
class Conv3D {
  static_assert(INPUT_TYPE::format == ConvFormat::NDC1HWC0 &&
                    WEIGHT_TYPE::format == ConvFormat::FRACTAL_Z_3D &&
                    OUTPUT_TYPE::format == ConvFormat::NDC1HWC0 &&
                    BIAS_TYPE::format == ConvFormat::ND,
                "Conv3D: Input and Output in NDC1HWC0, Weight in FRACTAL_Z_3D, Bias in ND");
  static_assert(INPUT_TYPE::pos == AscendC::TPosition::GM &&
                    WEIGHT_TYPE::pos == AscendC::TPosition::GM &&
                    OUTPUT_TYPE::pos == AscendC::TPosition::GM &&
                    BIAS_TYPE::pos == AscendC::TPosition::GM,
                "Conv3D: all tensors lie in GM");

 public:
  using InputT = typename INPUT_TYPE::T;
  using WeightT = typename WEIGHT_TYPE::T;
  using OutputT = typename OUTPUT_TYPE::T;
  using BiasT = typename BIAS_TYPE::T;

  // cubeTiling: a TConv3DApiTiling.
  void Init(const void* __restrict cubeTiling) {
    record_.tiling = *static_cast<const TConv3DApiTiling*>(cubeTiling);
    ++record_.inits;
    SetSingleOutputShape(record_.tiling.singleCoreCo, record_.tiling.singleCoreDo,
                         record_.tiling.singleCoreM);
  }

  void SetInput(const AscendC::GlobalTensor<InputT>& input) {
    record_.input = input.operand();
    record_.has_input = true;
  }
  void SetWeight(const AscendC::GlobalTensor<WeightT>& weight) {
    record_.weight = weight.operand();
    record_.has_weight = true;
  }
  void SetBias(const AscendC::GlobalTensor<BiasT>& bias) {
    record_.bias = bias.operand();
    record_.has_bias = true;
  }
  // diStartPos counts slices of the padded input, mStartPos rows of a plane of the output.
  void SetInputStartPosition(int64_t diStartPos, int64_t mStartPos) {
    record_.first_di = diStartPos;
    record_.first_m = mStartPos;
  }
  void SetSingleOutputShape(uint64_t singleCo, uint64_t singleDo, uint64_t singleM) {
    record_.single_co = singleCo;
    record_.single_do = singleDo;
    record_.single_m = singleM;
  }

  // `output`: the core's first element. enPartialSum is reserved.
  void IterateAll(const AscendC::GlobalTensor<OutputT>& output, bool enPartialSum = false) {
    (void)enPartialSum;
    record_.output = output.operand();
    ++record_.iterations;
    vinci::issue(record_);
  }
  void End() {
    vinci::Conv3dRecord record = record_;
    record.ends = true;
    vinci::issue(record);
  }

 private:
  static constexpr vinci::Conv3dRecord unset() {
    vinci::Conv3dRecord record;
    record.instruction = &vinci::isa::conv3d;
    record.input.dtype = vinci::dtype_of<InputT>;
    record.weight.dtype = vinci::dtype_of<WeightT>;
    record.bias.dtype = vinci::dtype_of<BiasT>;
    record.output.dtype = vinci::dtype_of<OutputT>;
    return record;
  }

  vinci::Conv3dRecord record_ = unset();
};

}  // namespace Conv3dApi
