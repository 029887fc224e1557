// Scratch sizes and tilings of Pad, UnPad, Transpose and TransData, for host programs.
#pragma once

#include "ascendc/position.h"
#include "ascendc/tensor_shape.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_classes.h"

namespace AscendC {
namespace in_api {

// What the documents give no number for: the data, in whole datablocks.
template <class Shape>
void data_sizes(const Shape& shape, uint32_t type_bytes, uint32_t& most, uint32_t& least) {
  most = least = (uint32_t(shape.GetShapeSize()) * type_bytes + 31) / 32 * 32;
}

}  // namespace in_api

template <class Shape>
void GetPadMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize, uint32_t& maxValue,
                         uint32_t& minValue) {
  in_api::data_sizes(srcShape, typeSize, maxValue, minValue);
}
template <class Shape, class Original, class Tiling>
void PadTilingFunc(const Shape srcShape, const Original oriSrcShape,
                   const uint32_t /*stackBufferSize*/, const uint32_t typeSize, Tiling& tiling) {
  tiling::PadTiling made;
  made.srcHeight = uint32_t(srcShape.GetDim(0));
  made.srcWidth = uint32_t(srcShape.GetDim(1));
  made.srcOriWidth = uint32_t(oriSrcShape.GetDim(1));
  made.blocksPerRow = (made.srcWidth * typeSize + 31) / 32;
  made.heightTiling = made.srcHeight;
  made.heightFractal = 1;
  in_api::take_tiling(made, tiling);
}
template <class Shape>
void GetUnPadMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const Shape& srcShape,
                           const uint32_t typeSize, uint32_t& maxValue, uint32_t& minValue) {
  in_api::data_sizes(srcShape, typeSize, maxValue, minValue);
}
template <class Shape, class Tiling>
void UnPadTilingFunc(const Shape srcShape, const uint32_t /*stackBufferSize*/,
                     const uint32_t /*typeSize*/, Tiling& tiling) {
  tiling::UnPadTiling made;
  made.srcHeight = uint32_t(srcShape.GetDim(0));
  made.srcWidth = made.widthTiling = uint32_t(srcShape.GetDim(1));
  made.widthFractal = 1;
  in_api::take_tiling(made, tiling);
}

// Transpose. srcShape: B, N, S, H / N; of the last kind H, W.
template <class Shape>
void GetTransposeMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize,
                               const uint32_t /*transposeTypeIn*/, uint32_t& maxValue,
                               uint32_t& minValue) {
  in_api::data_sizes(srcShape, typeSize, maxValue, minValue);
}
template <class Shape>
void GetConfusionTransposeMaxMinTmpSize(const Shape& srcShape, const uint32_t typeSize,
                                        const uint32_t transposeTypeIn, uint32_t& maxValue,
                                        uint32_t& minValue) {
  GetTransposeMaxMinTmpSize(srcShape, typeSize, transposeTypeIn, maxValue, minValue);
}
template <class Shape, class Tiling>
void GetTransposeTilingInfo(const Shape& srcShape, const uint32_t stackBufferSize,
                            const uint32_t typeSize, const uint32_t transposeTypeIn,
                            Tiling& tiling) {
  tiling::ConfusionTransposeTiling made;
  const bool matrix = srcShape.GetDimNum() < 4;
  made.param0 = matrix ? 1 : uint32_t(srcShape.GetDim(0));
  made.param1 = matrix ? 1 : uint32_t(srcShape.GetDim(1));
  made.param2 = uint32_t(srcShape.GetDim(matrix ? 0 : 2));
  made.param3 = uint32_t(srcShape.GetDim(matrix ? 1 : 3));
  made.param4 = transposeTypeIn;
  made.param5 = typeSize;
  made.param6 = stackBufferSize;
  in_api::take_tiling(made, tiling);
}
template <class Shape, class Tiling>
void GetConfusionTransposeTilingInfo(const Shape& srcShape, const uint32_t stackBufferSize,
                                     const uint32_t typeSize, const uint32_t transposeTypeIn,
                                     Tiling& tiling) {
  GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, transposeTypeIn, tiling);
}
template <class Shape, class Tiling>
void GetConfusionTransposeOnlyTilingInfo(const Shape& srcShape, const uint32_t stackBufferSize,
                                         const uint32_t typeSize, Tiling& tiling) {
  GetTransposeTilingInfo(srcShape, stackBufferSize, typeSize, 7, tiling);
}

// TransData: false if the formats are none that it takes. Config: TransDataConfig.
template <class Source, class Result, class Config>
bool GetTransDataMaxMinTmpSize(const platform_ascendc::PlatformAscendC&, const Source& srcShape,
                               const Result& dstShape, const TensorDataType /*dataType*/,
                               const Config& config, uint32_t& maxValue, uint32_t& minValue) {
  const bool from = config.dstFormat == DataFormat::NCDHW;
  const DataFormat other = from ? config.srcFormat : config.dstFormat;
  const bool z3d = other == DataFormat::FRACTAL_Z_3D;
  if (!(from || config.srcFormat == DataFormat::NCDHW)) return false;
  if (!z3d && other != DataFormat::NDC1HWC0) return false;
  const auto size = [&](size_t i) {
    return uint32_t(from ? dstShape.GetDim(i) : srcShape.GetDim(i));
  };
  maxValue = minValue = 2 * in_api::trans_data_scratch((z3d ? 0 : 2) + from, size(0), size(1),
                                                       size(2), size(3) * size(4));
  return true;
}

}  // namespace AscendC
