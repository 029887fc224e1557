// TPosition and what goes with it.
#pragma once

#include "vinci/position.h"

namespace AscendC {

using TPosition = vinci::Position;
using QuePosition = vinci::Position;

enum class CacheMode : uint8_t {
  CACHE_MODE_DISABLE,
  CACHE_MODE_NORMAL,
  CACHE_MODE_LAST,
  CACHE_MODE_PERSISTENT
};
enum class CacheRwMode : uint8_t { READ = 1, WRITE, RW };

// The shape that a kernel may attach to a tensor. It changes no instruction.
enum class DataFormat : uint8_t { ND, NZ, NCHW, NC1HWC0, NHWC, NCDHW, NDC1HWC0, FRACTAL_Z_3D };

// What TransData does.
struct TransDataConfig {
  DataFormat srcFormat;
  DataFormat dstFormat;
};

// A kernel that keeps no shapes says so before it includes this, to save the core's stack. A tensor
// keeps as many all the same, for headers are compiled without it, too.
#ifndef K_MAX_SHAPE_DIM
#define K_MAX_SHAPE_DIM 8
#endif
inline constexpr int kMostDimensions = 8;

struct ShapeInfo {
  ShapeInfo() = default;
  ShapeInfo(uint8_t dims, const uint32_t* sizes, DataFormat format = DataFormat::ND)
      : ShapeInfo(dims, sizes, dims, sizes, format) {}
  ShapeInfo(uint8_t dims, const uint32_t* sizes, uint8_t original_dims,
            const uint32_t* original_sizes, DataFormat format = DataFormat::ND)
      : shapeDim(dims), originalShapeDim(original_dims), dataFormat(format) {
    for (int i = 0; i < dims && i < kMostDimensions; ++i) shape[i] = sizes[i];
    for (int i = 0; i < original_dims && i < kMostDimensions; ++i) {
      originalShape[i] = original_sizes[i];
    }
  }

  uint8_t shapeDim = 0;
  uint8_t originalShapeDim = 0;
  uint32_t shape[kMostDimensions] = {};
  uint32_t originalShape[kMostDimensions] = {};
  DataFormat dataFormat = DataFormat::ND;
};

// The elements of a shape.
inline int GetShapeSize(const ShapeInfo& shapeInfo) {
  int size = 1;
  for (int i = 0; i < shapeInfo.shapeDim && i < kMostDimensions; ++i) size *= shapeInfo.shape[i];
  return size;
}

}  // namespace AscendC
