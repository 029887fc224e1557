// The Conv3DBackpropInput object: a core's part of the gradient of a convolution's input, which is
// a transposed convolution, too.
#pragma once

#include "ascendc/conv3d_backprop.h"
#include "kernel_tiling/conv3d_tiling.h"

namespace vinci::isa {
extern const Instruction conv3d_backprop_input;
}

namespace ConvBackpropApi {

namespace in_api {

template <class WEIGHT_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_INPUT_TYPE>
constexpr vinci::Conv3dBpInputRecord bp_input_record() {
  vinci::Conv3dBpInputRecord record;
  record.instruction = &vinci::isa::conv3d_backprop_input;
  record.weight.dtype = vinci::dtype_of<typename WEIGHT_TYPE::Type>;
  record.grad_output.dtype = vinci::dtype_of<typename GRAD_OUTPUT_TYPE::Type>;
  record.output.dtype = vinci::dtype_of<typename GRAD_INPUT_TYPE::Type>;
  record.is_ncdhw = GRAD_INPUT_TYPE::format == ConvFormat::NCDHW;
  return record;
}

}  // namespace in_api

// Of INPUT_TYPE, the type of the input's shape, nothing is read.
template <class WEIGHT_TYPE, class INPUT_TYPE, class GRAD_OUTPUT_TYPE, class GRAD_INPUT_TYPE>
class Conv3DBackpropInput
    : public in_api::TileByTile<vinci::Conv3dBpInputRecord, typename GRAD_INPUT_TYPE::Type, 0> {
  static_assert(WEIGHT_TYPE::format == ConvFormat::FRACTAL_Z_3D &&
                    INPUT_TYPE::format == ConvFormat::ND &&
                    GRAD_OUTPUT_TYPE::format == ConvFormat::NDC1HWC0 &&
                    (GRAD_INPUT_TYPE::format == ConvFormat::NDC1HWC0 ||
                     GRAD_INPUT_TYPE::format == ConvFormat::NCDHW),
                "Conv3DBackpropInput: Weight in FRACTAL_Z_3D, InputSize in ND, GradOutput and "
                "GradInput in NDC1HWC0");
  static_assert(in_api::all_in_gm<WEIGHT_TYPE, INPUT_TYPE, GRAD_OUTPUT_TYPE, GRAD_INPUT_TYPE>,
                "Conv3DBackpropInput: all tensors lie in GM");

  using Base = in_api::TileByTile<vinci::Conv3dBpInputRecord, typename GRAD_INPUT_TYPE::Type, 0>;
  using Base::record_;

 public:
  using SrcT = typename GRAD_OUTPUT_TYPE::Type;
  using DstT = typename GRAD_INPUT_TYPE::Type;

  Conv3DBackpropInput()
      : Base(in_api::bp_input_record<WEIGHT_TYPE, GRAD_OUTPUT_TYPE, GRAD_INPUT_TYPE>()) {}

  void Init(const TConv3DBackpropInputTiling* __restrict tiling) {
    record_.tiling = *tiling;
    ++record_.inits;
    const uint64_t points = uint64_t(tiling->hk) * tiling->wk;
    SetSingleShape(tiling->singleCoreM, tiling->singleCoreCout * points,
                   uint32_t(tiling->singleCoreCin));
    SetStartPosition(0, -tiling->backpropPadUp);
  }
  void SetWeight(const AscendC::GlobalTensor<typename WEIGHT_TYPE::Type>& weight) {
    record_.weight = weight.operand();
    record_.has_weight = true;
  }
  void SetGradOutput(const AscendC::GlobalTensor<SrcT>& gradOutput) {
    record_.grad_output = gradOutput.operand();
    record_.has_grad_output = true;
  }
  void SetSingleShape(uint64_t singleShapeM, uint64_t singleShapeK, uint32_t singleShapeN) {
    record_.single_m = singleShapeM;
    record_.single_k = singleShapeK;
    record_.single_n = singleShapeN;
  }
  // curHoStartIdx counts lines of GradOutput as they lie strideH apart; the padding is before 0.
  void SetStartPosition(uint32_t curDinStartIdx, int32_t curHoStartIdx) {
    record_.first_din = curDinStartIdx;
    record_.first_ho = curHoStartIdx;
  }
};

}  // namespace ConvBackpropApi
