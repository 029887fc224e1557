// LoadData: fractals into L0A and L0B, plain (2D) or gathered from a feature map (3D).
#pragma once

#include "ascendc/tensor.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
extern const Instruction load_data_2d;
extern const Instruction load_data_3d_v1;
}  // namespace vinci::isa

namespace AscendC {

// startIndex, srcStride and dstGap count fractals of 512 B.
struct LoadData2DParams {
  LoadData2DParams() = default;
  LoadData2DParams(uint16_t start, uint8_t repeat, uint16_t src_stride, uint8_t sid_value,
                   uint16_t dst_gap, bool transpose, uint8_t addr_mode)
      : startIndex(start),
        dstGap(dst_gap),
        srcStride(src_stride),
        ifTranspose(transpose),
        repeatTimes(repeat),
        sid(sid_value),
        addrMode(addr_mode) {}

  uint16_t startIndex = 0;
  uint16_t dstGap = 0;
  uint16_t srcStride = 0;
  bool ifTranspose = false;
  uint8_t repeatTimes = 0;
  uint8_t sid = 0;
  uint8_t addrMode = 0;
};
using LoadData2dParams = LoadData2DParams;

// padList is left, right, top, bottom. Strides, filter and dilation have no usable default.
template <class T>
struct LoadData3DParamsV1 {
  LoadData3DParamsV1() = default;
  LoadData3DParamsV1(const uint8_t pad[4], uint16_t h, uint16_t w, uint16_t c1, uint8_t fetch_w,
                     uint8_t fetch_h, int16_t left_top_w, int16_t left_top_h, uint8_t stride_w,
                     uint8_t stride_h, uint8_t filter_w, uint8_t filter_h, uint8_t dilation_w,
                     uint8_t dilation_h, uint8_t jump, uint8_t mode, uint8_t repeat,
                     uint8_t c_size, T pad_value)
      : padList{pad[0], pad[1], pad[2], pad[3]},
        l1H(h),
        l1W(w),
        c1Index(c1),
        fetchFilterW(fetch_w),
        fetchFilterH(fetch_h),
        leftTopW(left_top_w),
        leftTopH(left_top_h),
        strideW(stride_w),
        strideH(stride_h),
        filterW(filter_w),
        filterH(filter_h),
        dilationFilterW(dilation_w),
        dilationFilterH(dilation_h),
        jumpStride(jump),
        repeatMode(mode),
        repeatTime(repeat),
        cSize(c_size),
        padValue(pad_value) {}

  uint8_t padList[4] = {0, 0, 0, 0};
  uint16_t l1H = 0;
  uint16_t l1W = 0;
  uint16_t c1Index = 0;
  uint8_t fetchFilterW = 0;
  uint8_t fetchFilterH = 0;
  int16_t leftTopW = 0;
  int16_t leftTopH = 0;
  uint8_t strideW = 0;
  uint8_t strideH = 0;
  uint8_t filterW = 0;
  uint8_t filterH = 0;
  uint8_t dilationFilterW = 0;
  uint8_t dilationFilterH = 0;
  uint8_t jumpStride = 0;
  uint8_t repeatMode = 0;
  uint8_t repeatTime = 0;
  uint8_t cSize = 0;
  T padValue = T(0);
};

// Whether a 3D load writes the FMATRIX and PADDING registers from its parameters first.
struct IsResetLoad3dConfig {
  bool isSetFMatrix = true;
  bool isSetPadding = true;
};
inline constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};

namespace detail {

inline void load_2d(const vinci::Operand& dst, const vinci::Operand& src,
                    const LoadData2DParams& params) {
  vinci::issue(vinci::LoadData2DRecord{{&vinci::isa::load_data_2d},
                                       dst,
                                       src,
                                       params.startIndex,
                                       params.srcStride,
                                       params.dstGap,
                                       params.repeatTimes,
                                       params.addrMode,
                                       params.ifTranspose});
}

template <class T>
uint32_t pad_bits(const T& value) {
  uint32_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

}  // namespace detail

template <class T>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
              const LoadData2DParams& params) {
  detail::load_2d(dst.operand(), src.operand(), params);
}
template <class T>
void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
              const LoadData2DParams& params) {
  detail::load_2d(dst.operand(), src.operand(), params);
}

template <class T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
              const LoadData3DParamsV1<T>& params) {
  vinci::LoadData3DV1Record record;
  record.instruction = &vinci::isa::load_data_3d_v1;
  record.dst = dst.operand();
  record.src = src.operand();
  for (int i = 0; i < 4; ++i) record.pad[i] = params.padList[i];
  record.l1_h = params.l1H;
  record.l1_w = params.l1W;
  record.c1_index = params.c1Index;
  record.fetch_filter_w = params.fetchFilterW;
  record.fetch_filter_h = params.fetchFilterH;
  record.left_top_w = params.leftTopW;
  record.left_top_h = params.leftTopH;
  record.stride_w = params.strideW;
  record.stride_h = params.strideH;
  record.filter_w = params.filterW;
  record.filter_h = params.filterH;
  record.dilation_w = params.dilationFilterW;
  record.dilation_h = params.dilationFilterH;
  record.jump_stride = params.jumpStride;
  record.repeat_mode = params.repeatMode;
  record.repeats = params.repeatTime;
  record.c_size = params.cSize;
  record.set_fmatrix = defaultConfig.isSetFMatrix;
  record.set_padding = defaultConfig.isSetPadding;
  record.pad_value = detail::pad_bits(params.padValue);
  vinci::issue(record);
}

}  // namespace AscendC
