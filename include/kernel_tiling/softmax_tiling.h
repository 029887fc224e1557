// SoftMaxTiling: how rows are divided into parts that fit the scratch memory. vinci needs no parts;
// kernels read the fields.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernel_tiling/tiling_struct.h"

#define VINCI_SOFT_MAX_TILING(Field)                                                            \
  Field(uint32_t, srcM) Field(uint32_t, srcK) Field(uint32_t, srcSize) Field(uint32_t, outMaxM) \
      Field(uint32_t, outMaxK) Field(uint32_t, outMaxSize) Field(uint32_t, splitM)              \
          Field(uint32_t, splitK) Field(uint32_t, splitSize) Field(uint32_t, reduceM)           \
              Field(uint32_t, reduceK) Field(uint32_t, reduceSize) Field(uint32_t, rangeM)      \
                  Field(uint32_t, tailM) Field(uint32_t, tailSplitSize)                         \
                      Field(uint32_t, tailReduceSize)

namespace AscendC::tiling {

VINCI_LIBRARY_TILING(SoftMaxTiling, VINCI_SOFT_MAX_TILING)
using LogSoftMaxTiling = SoftMaxTiling;

}  // namespace AscendC::tiling

using AscendC::tiling::LogSoftMaxTiling;
using AscendC::tiling::SoftMaxTiling;

namespace AscendC::in_api {

// What a row takes of the scratch memory, in words of four bytes. `block`: elements of 32 bytes.
enum class SoftMaxKind : uint8_t { kPlain, kFlash, kFlashV2, kFlashV3, kGrad, kGradFront };
constexpr uint32_t softmax_row(SoftMaxKind kind, uint32_t columns, uint32_t block, bool update,
                               bool half) {
  switch (kind) {
    case SoftMaxKind::kFlash: return update ? 4 * block + 2 * columns : block + columns + 64;
    case SoftMaxKind::kFlashV2: return half ? 2 * block + columns + 64 : block + 64;
    case SoftMaxKind::kFlashV3: return 4 * block + 2 * columns + 64;
    case SoftMaxKind::kGrad: return 2 * block + (half ? 3 : 1) * columns + 64;
    case SoftMaxKind::kGradFront: return half ? 2 * block + 3 * columns + 64 : block + columns + 64;
    default: return block + columns + 64;
  }
}

// All rows in parts of as many as `words` words hold. Parts of more than 8 rows are whole eights;
// of basic blocks they also divide all rows and stay below 16384 elements.
constexpr SoftMaxTiling softmax_tiling(uint32_t rows, uint32_t columns, uint32_t block,
                                       uint32_t words, uint32_t row_words, bool basic) {
  uint32_t part = std::min(rows, words / row_words);
  if (part < rows && part > 8) part = part / 8 * 8;
  if (basic && part >= 8) {
    part = part / 8 * 8;
    while (part > 8 && (rows % part != 0 || part * columns >= 16384)) part -= 8;
  }
  part = std::max<uint32_t>(part, 1);
  SoftMaxTiling tiling;
  tiling.srcM = rows;
  tiling.srcK = columns;
  tiling.srcSize = rows * columns;
  tiling.outMaxM = rows;
  tiling.outMaxK = tiling.reduceK = block;
  tiling.outMaxSize = rows * block;
  tiling.splitM = tiling.reduceM = part;
  tiling.splitK = columns;
  tiling.splitSize = part * columns;
  tiling.reduceSize = part * block;
  tiling.rangeM = rows / part;
  tiling.tailM = rows % part;
  tiling.tailSplitSize = tiling.tailM * columns;
  tiling.tailReduceSize = tiling.tailM * block;
  return tiling;
}

}  // namespace AscendC::in_api
