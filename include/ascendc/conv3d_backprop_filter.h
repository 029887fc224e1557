// The Conv3DBackpropFilter object: a core's part of the gradient of a convolution's weights.
#pragma once

#include "ascendc/conv3d_backprop.h"
#include "kernel_tiling/conv3d_tiling.h"

namespace vinci::isa {
extern const Instruction conv3d_backprop_filter;
}

namespace ConvBackpropApi {

namespace in_api {

template <class INPUT_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_WEIGHT_TYPE>
constexpr vinci::Conv3dBpFilterRecord bp_filter_record() {
  vinci::Conv3dBpFilterRecord record;
  record.instruction = &vinci::isa::conv3d_backprop_filter;
  record.input.dtype = vinci::dtype_of<typename INPUT_TYPE::Type>;
  record.grad_output.dtype = vinci::dtype_of<typename GRAD_OUTPUT_TYPE::Type>;
  record.output.dtype = vinci::dtype_of<typename GRAD_WEIGHT_TYPE::Type>;
  return record;
}

}  // namespace in_api

// Of WEIGHT_TYPE, the type of the weights' shape, nothing is read.
template <class INPUT_TYPE, class WEIGHT_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_WEIGHT_TYPE>
class Conv3DBackpropFilter
    : public in_api::TileByTile<vinci::Conv3dBpFilterRecord, typename GRAD_WEIGHT_TYPE::Type, 1> {
  static_assert(INPUT_TYPE::format == ConvFormat::NDC1HWC0 &&
                    WEIGHT_TYPE::format == ConvFormat::ND &&
                    GRAD_OUTPUT_TYPE::format == ConvFormat::NDC1HWC0 &&
                    GRAD_WEIGHT_TYPE::format == ConvFormat::FRACTAL_Z_3D,
                "Conv3DBackpropFilter: Input and GradOutput in NDC1HWC0, WeightSize in ND, "
                "GradWeight in FRACTAL_Z_3D");
  static_assert(in_api::all_in_gm<INPUT_TYPE, WEIGHT_TYPE, GRAD_OUTPUT_TYPE, GRAD_WEIGHT_TYPE>,
                "Conv3DBackpropFilter: all tensors lie in GM");

  using Base = in_api::TileByTile<vinci::Conv3dBpFilterRecord, typename GRAD_WEIGHT_TYPE::Type, 1>;
  using Base::record_;

 public:
  using SrcT = typename INPUT_TYPE::Type;
  using DstT = typename GRAD_WEIGHT_TYPE::Type;

  Conv3DBackpropFilter()
      : Base(in_api::bp_filter_record<INPUT_TYPE, GRAD_OUTPUT_TYPE, GRAD_WEIGHT_TYPE>()) {}

  void Init(const TConv3DBpFilterTiling* __restrict tiling) {
    record_.tiling = *tiling;
    ++record_.inits;
    SetSingleShape(tiling->singleCoreM, tiling->singleCoreN, tiling->singleCoreK);
    SetStartPosition(0);
  }
  void SetInput(const AscendC::GlobalTensor<SrcT>& input) {
    record_.input = input.operand();
    record_.has_input = true;
  }
  void SetGradOutput(const AscendC::GlobalTensor<typename GRAD_OUTPUT_TYPE::Type>& gradOutput) {
    record_.grad_output = gradOutput.operand();
    record_.has_grad_output = true;
  }
  void SetSingleShape(uint64_t singleCoreM, uint64_t singleCoreN, uint64_t singleCoreK) {
    record_.single_m = singleCoreM;
    record_.single_n = singleCoreN;
    record_.single_k = singleCoreK;
  }
  void SetStartPosition(uint32_t hoStartIdx) { record_.first_ho = hoStartIdx; }
};

}  // namespace ConvBackpropApi
