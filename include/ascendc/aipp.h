// LoadImageToLocal and SetAippFunctions: images from GM to L1, cut out, padded and converted on the
// way.
#pragma once

#include "ascendc/load_data.h"
#include "ascendc/tensor.h"
#include "vinci/record/aipp.h"

namespace vinci::isa {
extern const Instruction load_image_to_local;
extern const Instruction set_aipp_functions;
}  // namespace vinci::isa

namespace AscendC {

enum class AippInputFormat : uint8_t {
  YUV420SP_U8 = 0,  // a plane of Y, and one of U and V in turn for each 2 x 2 pixels
  XRGB8888_U8 = 1,
  RGB888_U8 = 4,
  YUV400_U8 = 9,  // Y alone
};

// What stands around the image. Mode 0: the values, one for each channel, left and right only; 1:
// the nearest pixel; 2: a block of the image; 3: the same mirrored.
template <class T>
struct AippPaddingParams {
  uint32_t paddingMode = 0;
  T paddingValueCh0 = T(0);
  T paddingValueCh1 = T(0);
  T paddingValueCh2 = T(0);
  T paddingValueCh3 = T(0);
};

struct AippSwapParams {
  bool isSwapRB = false;
  bool isSwapUV = false;
  bool isSwapAX = false;  // XRGB is RGBX from here on
};

struct AippSingleLineParams {
  bool isSingleLineCopy = false;
};

// int8: x - mean; half: (x - mean - min) * var.
struct AippDataTypeConvParams {
  uint8_t dtcMeanCh0{0};
  uint8_t dtcMeanCh1{0};
  uint8_t dtcMeanCh2{0};
  half dtcMinCh0{0};
  half dtcMinCh1{0};
  half dtcMinCh2{0};
  half dtcVarCh0{1.0};
  half dtcVarCh1{1.0};
  half dtcVarCh2{1.0};
  uint32_t dtcRoundMode{0};
};

// Mode 0: 32 bytes for each pixel; 1: 4 channels.
template <class T>
struct AippChannelPaddingParams {
  uint32_t cPaddingMode = 0;
  T cPaddingValue = T(0);
};

// RGB to YUV, and YUV420SP to RGB; the matrix counts 256ths.
struct AippColorSpaceConvParams {
  bool isEnableCsc = false;
  int16_t cscMatrixR0C0 = 0;
  int16_t cscMatrixR0C1 = 0;
  int16_t cscMatrixR0C2 = 0;
  int16_t cscMatrixR1C0 = 0;
  int16_t cscMatrixR1C1 = 0;
  int16_t cscMatrixR1C2 = 0;
  int16_t cscMatrixR2C0 = 0;
  int16_t cscMatrixR2C1 = 0;
  int16_t cscMatrixR2C2 = 0;
  uint8_t cscBiasIn0 = 0;
  uint8_t cscBiasIn1 = 0;
  uint8_t cscBiasIn2 = 0;
  uint8_t cscBiasOut0 = 0;
  uint8_t cscBiasOut1 = 0;
  uint8_t cscBiasOut2 = 0;
};

// T: the element type of the result.
template <class T>
struct AippParams {
  AippPaddingParams<T> paddingParams;
  AippSwapParams swapParams;
  AippSingleLineParams singleLineParams;
  AippDataTypeConvParams dtcParams;
  AippChannelPaddingParams<T> cPaddingParams;
  AippColorSpaceConvParams cscParams;
};

// All in pixels: sizes 2..4095, starts 0..4095, paddings 0..32.
struct LoadImageToLocalParams {
  LoadImageToLocalParams() = default;
  LoadImageToLocalParams(uint16_t width, uint16_t height, uint16_t column, uint16_t row,
                         uint16_t image_width, uint8_t top, uint8_t bottom, uint8_t left,
                         uint8_t right)
      : horizSize(width),
        vertSize(height),
        horizStartPos(column),
        vertStartPos(row),
        srcHorizSize(image_width),
        topPadSize(top),
        botPadSize(bottom),
        leftPadSize(left),
        rightPadSize(right) {}

  uint16_t horizSize = 0;
  uint16_t vertSize = 0;
  uint16_t horizStartPos = 0;
  uint16_t vertStartPos = 0;
  uint16_t srcHorizSize = 0;
  uint8_t topPadSize = 0;
  uint8_t botPadSize = 0;
  uint8_t leftPadSize = 0;
  uint8_t rightPadSize = 0;
  uint8_t sid = 0;
};

namespace in_api {

template <class T>
void take_conversion(const AippParams<T>& config, vinci::Aipp& to) {
  const AippDataTypeConvParams& from = config.dtcParams;
  const uint8_t mean[] = {from.dtcMeanCh0, from.dtcMeanCh1, from.dtcMeanCh2};
  const half min[] = {from.dtcMinCh0, from.dtcMinCh1, from.dtcMinCh2};
  const half var[] = {from.dtcVarCh0, from.dtcVarCh1, from.dtcVarCh2};
  for (int i = 0; i < 3; ++i) {
    to.mean[i] = mean[i];
    to.min[i] = uint16_t(pad_bits(min[i]));
    to.var[i] = uint16_t(pad_bits(var[i]));
  }
  to.round_mode = from.dtcRoundMode;
}

inline void take_colours(const AippColorSpaceConvParams& from, vinci::Aipp& to) {
  to.converts_colours = from.isEnableCsc;
  const int16_t matrix[3][3] = {{from.cscMatrixR0C0, from.cscMatrixR0C1, from.cscMatrixR0C2},
                                {from.cscMatrixR1C0, from.cscMatrixR1C1, from.cscMatrixR1C2},
                                {from.cscMatrixR2C0, from.cscMatrixR2C1, from.cscMatrixR2C2}};
  const uint8_t in[] = {from.cscBiasIn0, from.cscBiasIn1, from.cscBiasIn2};
  const uint8_t out[] = {from.cscBiasOut0, from.cscBiasOut1, from.cscBiasOut2};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) to.matrix[i][j] = matrix[i][j];
    to.bias_in[i] = in[i];
    to.bias_out[i] = out[i];
  }
}

template <class T, class U>
void set_aipp(const GlobalTensor<T>& src0, const vinci::Operand& src1, AippInputFormat format,
              const AippParams<U>& config) {
  vinci::SetAippRecord record;
  record.instruction = &vinci::isa::set_aipp_functions;
  record.src = vinci::dtype_of<T>;
  vinci::Aipp& to = record.aipp;
  to.src0 = src0.operand();
  to.src1 = src1;
  to.out = vinci::dtype_of<U>;
  to.format = vinci::Aipp::Format(format);
  const AippPaddingParams<U>& padding = config.paddingParams;
  to.padding_mode = padding.paddingMode;
  to.padding[0] = pad_bits(padding.paddingValueCh0);
  to.padding[1] = pad_bits(padding.paddingValueCh1);
  to.padding[2] = pad_bits(padding.paddingValueCh2);
  to.padding[3] = pad_bits(padding.paddingValueCh3);
  to.swap_rb = config.swapParams.isSwapRB;
  to.swap_uv = config.swapParams.isSwapUV;
  to.swap_ax = config.swapParams.isSwapAX;
  to.single_line = config.singleLineParams.isSingleLineCopy;
  take_conversion(config, to);
  to.channel_mode = config.cPaddingParams.cPaddingMode;
  to.channel_value = pad_bits(config.cPaddingParams.cPaddingValue);
  take_colours(config.cscParams, to);
  vinci::issue(record);
}

}  // namespace in_api

// For later LoadImageToLocal calls of this block: where the image lies, and what becomes of it. T
// is uint8_t; U is the type of the result, int8_t, half or, not on Atlas A2/A3, uint8_t.
template <class T, class U>
void SetAippFunctions(const GlobalTensor<T>& src0, AippInputFormat format, AippParams<U> config) {
  in_api::set_aipp(src0, {}, format, config);
}
// Of YUV420SP: src0 has Y, src1 U and V.
template <class T, class U>
void SetAippFunctions(const GlobalTensor<T>& src0, const GlobalTensor<T>& src1,
                      AippInputFormat format, AippParams<U> config) {
  in_api::set_aipp(src0, src1.operand(), format, config);
}

// dst in A1 or B1: [height, width, channels], paddings included.
template <class T>
void LoadImageToLocal(const LocalTensor<T>& dst, const LoadImageToLocalParams& loadDataParams) {
  const LoadImageToLocalParams& p = loadDataParams;
  vinci::issue(vinci::LoadImageRecord{{&vinci::isa::load_image_to_local},
                                      dst.operand(),
                                      p.horizSize,
                                      p.vertSize,
                                      p.horizStartPos,
                                      p.vertStartPos,
                                      p.srcHorizSize,
                                      p.topPadSize,
                                      p.botPadSize,
                                      p.leftPadSize,
                                      p.rightPadSize});
}

}  // namespace AscendC
