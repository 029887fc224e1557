// LoadData: fractals into L0A and L0B, plain (2D) or gathered from a feature map (3D).
#pragma once

#include "ascendc/tensor.h"
#include "ascendc/tensor_trait.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
extern const Instruction load_data_2d;
extern const Instruction load_data_3d_v1;
extern const Instruction load_data_3d_v2;
extern const Instruction load_data_with_sparse;
extern const Instruction load_data_with_transpose;
extern const Instruction set_fmatrix;
extern const Instruction set_load_data_boundary;
extern const Instruction set_load_data_padding_value;
extern const Instruction set_load_data_repeat;
}  // namespace vinci::isa

namespace AscendC {

// startIndex, srcStride and dstGap count fractals of 512 B. The core keeps 8 bits of the repeats of
// all loads; 16 bits here, so that what it would cut off is told.
struct LoadData2DParams {
  LoadData2DParams() = default;
  LoadData2DParams(uint16_t start, uint16_t repeat, uint16_t src_stride, uint8_t sid_value,
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
  uint16_t repeatTimes = 0;
  uint8_t sid = 0;
  uint8_t addrMode = 0;
};
using LoadData2dParams = LoadData2DParams;

// Of chips that vinci does not know. Kernels for several chips name it; no LoadData here takes it.
struct LoadData2DParamsV2 {
  uint32_t mStartPosition = 0;
  uint32_t kStartPosition = 0;
  uint16_t mStep = 0;
  uint16_t kStep = 0;
  int32_t srcStride = 0;
  uint16_t dstStride = 0;
  bool ifTranspose = false;
  uint8_t sid = 0;
};

// startIndex and srcStride count squares; the gaps count fractals of 512 B. addrMode has no effect.
struct LoadData2dTransposeParams {
  LoadData2dTransposeParams() = default;
  // As the documents print the structure, any number of leading fields may be given.
  LoadData2dTransposeParams(uint16_t start, uint16_t repeat = 0, uint16_t src_stride = 0,
                            uint16_t dst_gap = 0, uint16_t dst_frac_gap = 0, uint8_t addr_mode = 0)
      : startIndex(start),
        repeatTimes(repeat),
        srcStride(src_stride),
        dstGap(dst_gap),
        dstFracGap(dst_frac_gap),
        addrMode(addr_mode) {}

  uint16_t startIndex = 0;
  uint16_t repeatTimes = 0;
  uint16_t srcStride = 0;
  uint16_t dstGap = 0;
  uint16_t dstFracGap = 0;
  uint8_t addrMode = 0;
};

// padList is left, right, top, bottom. Strides, filter and dilation have no usable default.
template <class T>
struct LoadData3DParamsV1 {
  LoadData3DParamsV1() = default;
  LoadData3DParamsV1(const uint8_t pad[4], uint16_t h, uint16_t w, uint16_t c1, uint8_t fetch_w,
                     uint8_t fetch_h, int16_t left_top_w, int16_t left_top_h, uint8_t stride_w,
                     uint8_t stride_h, uint8_t filter_w, uint8_t filter_h, uint8_t dilation_w,
                     uint8_t dilation_h, uint8_t jump, uint8_t mode, uint16_t repeat,
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
  uint16_t repeatTime = 0;
  uint8_t cSize = 0;
  T padValue = T(0);
};

// A block of mExtension x kExtension of the image-to-column matrix, from (mStartPt, kStartPt).
template <class T>
struct LoadData3DParamsV2 {
  LoadData3DParamsV2() = default;
  LoadData3DParamsV2(const uint8_t pad[4], uint16_t h, uint16_t w, uint16_t channels,
                     uint16_t k_extension, uint16_t m_extension, uint16_t k_start, uint16_t m_start,
                     uint8_t stride_w, uint8_t stride_h, uint8_t filter_w, uint8_t filter_h,
                     uint8_t dilation_w, uint8_t dilation_h, bool transpose, bool small_k,
                     T pad_value)
      : LoadData3DParamsV2(pad, h, w, channels, k_extension, m_extension, k_start, m_start,
                           stride_w, stride_h, filter_w, filter_h, dilation_w, dilation_h,
                           transpose, small_k, pad_value, false, false, false) {}
  LoadData3DParamsV2(const uint8_t pad[4], uint16_t h, uint16_t w, uint16_t channels,
                     uint16_t k_extension, uint16_t m_extension, uint16_t k_start, uint16_t m_start,
                     uint8_t stride_w, uint8_t stride_h, uint8_t filter_w, uint8_t filter_h,
                     uint8_t dilation_w, uint8_t dilation_h, bool transpose, bool small_k,
                     T pad_value, bool filter_size_w, bool filter_size_h, bool fmatrix_ctrl)
      : padList{pad[0], pad[1], pad[2], pad[3]},
        l1H(h),
        l1W(w),
        channelSize(channels),
        kExtension(k_extension),
        mExtension(m_extension),
        kStartPt(k_start),
        mStartPt(m_start),
        strideW(stride_w),
        strideH(stride_h),
        filterW(filter_w),
        filterH(filter_h),
        dilationFilterW(dilation_w),
        dilationFilterH(dilation_h),
        enTranspose(transpose),
        enSmallK(small_k),
        padValue(pad_value),
        filterSizeW(filter_size_w),
        filterSizeH(filter_size_h),
        fMatrixCtrl(fmatrix_ctrl) {}

  uint8_t padList[4] = {0, 0, 0, 0};
  uint16_t l1H = 0;
  uint16_t l1W = 0;
  uint16_t channelSize = 0;
  uint16_t kExtension = 0;
  uint16_t mExtension = 0;
  uint16_t kStartPt = 0;
  uint16_t mStartPt = 0;
  uint8_t strideW = 1;
  uint8_t strideH = 1;
  uint8_t filterW = 1;
  uint8_t filterH = 1;
  uint8_t dilationFilterW = 1;
  uint8_t dilationFilterH = 1;
  bool enTranspose = false;
  bool enSmallK = false;  // no longer supported by any chip: no effect
  T padValue = T(0);
  bool filterSizeW = false;  // adds 256 to filterW
  bool filterSizeH = false;
  bool fMatrixCtrl = false;  // the feature map is described by FMATRIX_B
};

// The same with the numbers packed into two words; the feature map and the pad value come from the
// registers.
struct LoadData3DParamsV2Pro {
  LoadData3DParamsV2Pro() = default;
  LoadData3DParamsV2Pro(uint16_t channels, bool transpose, bool small_k, bool filter_size_w,
                        bool filter_size_h, bool fmatrix_ctrl, uint64_t ext_config,
                        uint64_t filter_config)
      : channelSize(channels),
        enTranspose(transpose),
        enSmallK(small_k),
        filterSizeW(filter_size_w),
        filterSizeH(filter_size_h),
        fMatrixCtrl(fmatrix_ctrl),
        extConfig(ext_config),
        filterConfig(filter_config) {}

  uint16_t channelSize = 0;
  bool enTranspose = false;
  bool enSmallK = false;
  bool filterSizeW = false;
  bool filterSizeH = false;
  bool fMatrixCtrl = false;
  uint64_t extConfig = 0;                  // mStartPt, kStartPt, mExtension, kExtension
  uint64_t filterConfig = 0x010101010101;  // dilation h, w; filter h, w; stride h, w
};

// Repeats of LoadData 3D v2: repeatTime blocks, below each other (repeatMode 0, repeatStride in 16
// rows) or side by side (1, in 32 bytes of a row; 64 on the 310B).
struct LoadDataRepeatParam {
  LoadDataRepeatParam() = default;
  LoadDataRepeatParam(uint16_t stride, uint16_t time, uint8_t mode)
      : repeatStride(stride), repeatTime(time), repeatMode(mode) {}

  uint16_t repeatStride = 0;
  uint16_t repeatTime = 1;
  uint8_t repeatMode = 0;
  uint8_t reserved = 0;
};

enum class FmatrixMode : uint8_t { FMATRIX_LEFT, FMATRIX_RIGHT };

// Whether a 3D load writes the FMATRIX and PADDING registers from its parameters first.
struct IsResetLoad3dConfig {
  bool isSetFMatrix = true;
  bool isSetPadding = true;
};
inline constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};

namespace in_api {

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
  __builtin_memcpy(&bits, &value, sizeof(T) < sizeof(bits) ? sizeof(T) : sizeof(bits));
  return bits;
}

// What both 3D loads say about operands, feature map, filter and padding.
template <class Record, class T, class Params>
void describe(Record& record, const LocalTensor<T>& dst, const LocalTensor<T>& src,
              const Params& params, const IsResetLoad3dConfig& config) {
  record.dst = dst.operand();
  record.src = src.operand();
  for (int i = 0; i < 4; ++i) record.pad[i] = params.padList[i];
  record.l1_h = params.l1H;
  record.l1_w = params.l1W;
  record.stride_w = params.strideW;
  record.stride_h = params.strideH;
  record.filter_w = params.filterW;
  record.filter_h = params.filterH;
  record.dilation_w = params.dilationFilterW;
  record.dilation_h = params.dilationFilterH;
  record.set_fmatrix = config.isSetFMatrix;
  record.set_padding = config.isSetPadding;
  record.pad_value = pad_bits(params.padValue);
}

}  // namespace in_api

template <class T>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
              const LoadData2DParams& params) {
  in_api::load_2d(dst.operand(), src.operand(), params);
}
template <class T>
void LoadData(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
              const LoadData2DParams& params) {
  in_api::load_2d(dst.operand(), src.operand(), params);
}

// Squares from A1 or B1 to A2 or B2, each transposed.
template <class T>
void LoadDataWithTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const LoadData2dTransposeParams& params) {
  vinci::issue(vinci::LoadDataTransposeRecord{{&vinci::isa::load_data_with_transpose},
                                              dst.operand(),
                                              src.operand(),
                                              params.startIndex,
                                              params.srcStride,
                                              params.dstGap,
                                              params.dstFracGap,
                                              params.repeatTimes});
}

// 4:2 compressed weights from B1 to B2 with their indices; of params only startIndex and
// repeatTimes count.
template <class T, class U>
void LoadDataWithSparse(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                        const LocalTensor<U>& idx, const LoadData2DParams& params) {
  vinci::issue(vinci::LoadDataSparseRecord{{&vinci::isa::load_data_with_sparse},
                                           dst.operand(),
                                           src.operand(),
                                           idx.operand(),
                                           params.startIndex,
                                           params.repeatTimes,
                                           params.ifTranspose});
}

template <class T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
              const LoadData3DParamsV1<in_api::as_is<T>>& params) {
  vinci::LoadData3DV1Record record;
  record.instruction = &vinci::isa::load_data_3d_v1;
  in_api::describe(record, dst, src, params, defaultConfig);
  record.c1_index = params.c1Index;
  record.fetch_filter_w = params.fetchFilterW;
  record.fetch_filter_h = params.fetchFilterH;
  record.left_top_w = params.leftTopW;
  record.left_top_h = params.leftTopH;
  record.jump_stride = params.jumpStride;
  record.repeat_mode = params.repeatMode;
  record.repeats = params.repeatTime;
  record.c_size = params.cSize;
  vinci::issue(record);
}

template <class T, const IsResetLoad3dConfig& defaultConfig = IS_RESER_LOAD3D_DEFAULT_CONFIG>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
              const LoadData3DParamsV2<in_api::as_is<T>>& params) {
  vinci::LoadData3DV2Record record;
  record.instruction = &vinci::isa::load_data_3d_v2;
  in_api::describe(record, dst, src, params, defaultConfig);
  record.channels = params.channelSize;
  record.k_extension = params.kExtension;
  record.m_extension = params.mExtension;
  record.k_start = params.kStartPt;
  record.m_start = params.mStartPt;
  record.filter_w = uint16_t(record.filter_w + 256 * params.filterSizeW);
  record.filter_h = uint16_t(record.filter_h + 256 * params.filterSizeH);
  record.transpose = params.enTranspose;
  record.small_k = params.enSmallK;
  record.right_fmatrix = params.fMatrixCtrl;
  vinci::issue(record);
}

template <class T>
void LoadData(const LocalTensor<T>& dst, const LocalTensor<T>& src,
              const LoadData3DParamsV2Pro& params) {
  vinci::LoadData3DV2Record record;
  record.instruction = &vinci::isa::load_data_3d_v2;
  record.dst = dst.operand();
  record.src = src.operand();
  record.channels = params.channelSize;
  record.k_extension = uint16_t(params.extConfig);
  record.m_extension = uint16_t(params.extConfig >> 16);
  record.k_start = uint16_t(params.extConfig >> 32);
  record.m_start = uint16_t(params.extConfig >> 48);
  record.stride_w = uint8_t(params.filterConfig);
  record.stride_h = uint8_t(params.filterConfig >> 8);
  record.filter_w = uint16_t(uint8_t(params.filterConfig >> 16) + 256 * params.filterSizeW);
  record.filter_h = uint16_t(uint8_t(params.filterConfig >> 24) + 256 * params.filterSizeH);
  record.dilation_w = uint8_t(params.filterConfig >> 32);
  record.dilation_h = uint8_t(params.filterConfig >> 40);
  record.transpose = params.enTranspose;
  record.small_k = params.enSmallK;
  record.right_fmatrix = params.fMatrixCtrl;
  record.set_fmatrix = false;
  record.set_padding = false;
  vinci::issue(record);
}

// Describes the feature map for later 3D loads whose isSetFMatrix is false.
inline void SetFmatrix(uint16_t l1H, uint16_t l1W, const uint8_t padList[4],
                       const FmatrixMode& mode) {
  vinci::issue(vinci::SetFmatrixRecord{{&vinci::isa::set_fmatrix},
                                       l1H,
                                       l1W,
                                       {padList[0], padList[1], padList[2], padList[3]},
                                       mode == FmatrixMode::FMATRIX_RIGHT});
}

// The pad value for later 3D loads whose isSetPadding is false, or its bits in a number of 64.
template <class T>
void SetLoadDataPaddingValue(const T padValue) {
  using Value = std::conditional_t<sizeof(T) == sizeof(uint64_t), uint16_t, T>;
  vinci::issue(vinci::SetPaddingRecord{{&vinci::isa::set_load_data_padding_value},
                                       vinci::dtype_of<Value>,
                                       in_api::pad_bits(Value(padValue))});
}

// Repeats for later calls of LoadData 3D v2; {0, 1, 0} is one block, as at the start.
inline void SetLoadDataRepeat(const LoadDataRepeatParam& repeatParams) {
  vinci::issue(vinci::SetLoadRepeatRecord{{&vinci::isa::set_load_data_repeat},
                                          repeatParams.repeatStride,
                                          repeatParams.repeatTime,
                                          repeatParams.repeatMode});
}

// Later 3D loads read the first part of L1 as a ring, 3D v1 boundaryValue * 32 bytes of it and 3D
// v2 boundaryValue bytes. 0: all of L1, and no ring.
inline void SetLoadDataBoundary(uint32_t boundaryValue) {
  vinci::issue(vinci::SetLoadBoundaryRecord{{&vinci::isa::set_load_data_boundary}, boundaryValue});
}

}  // namespace AscendC
