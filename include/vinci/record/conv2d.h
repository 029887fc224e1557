// Conv2D: its parameters and its tiling, spelled as the documents spell them, and its record.
#pragma once

#include "vinci/record.h"

namespace vinci {

inline constexpr uint32_t kConv2dImgSize = 2;
inline constexpr uint32_t kConv2dkernelSize = 2;
inline constexpr uint32_t kConv2dStride = 2;
inline constexpr uint32_t kConv2dPad = 4;
inline constexpr uint32_t kConv2dDilation = 2;

// What is convolved: ranges in docs/spec/conv2d.md.
struct Conv2dParams {
  Conv2dParams() = default;
  Conv2dParams(const uint32_t (&img)[kConv2dImgSize], const uint32_t (&kernel)[kConv2dkernelSize],
               const uint32_t (&step)[kConv2dStride], uint32_t in, uint32_t out,
               const uint32_t (&pads)[kConv2dPad], const uint32_t (&dilations)[kConv2dDilation],
               uint32_t init_y, uint32_t partial_sum)
      : imgShape{img[0], img[1]},
        kernelShape{kernel[0], kernel[1]},
        stride{step[0], step[1]},
        cin(in),
        cout(out),
        padList{pads[0], pads[1], pads[2], pads[3]},
        dilation{dilations[0], dilations[1]},
        initY(init_y),
        partialSum(partial_sum) {}

  uint32_t imgShape[kConv2dImgSize] = {0, 0};        // H, W
  uint32_t kernelShape[kConv2dkernelSize] = {0, 0};  // Kh, Kw
  uint32_t stride[kConv2dStride] = {0, 0};           // along H, along W
  uint32_t cin = 0;                                  // C0 * C1
  uint32_t cout = 0;
  uint32_t padList[kConv2dPad] = {0, 0, 0, 0};  // left, right, top, bottom
  uint32_t dilation[kConv2dDilation] = {0, 0};  // along H, along W
  uint32_t initY = 0;
  uint32_t partialSum = 0;
};

// The order of the loops over tiles: the axis that is not named outermost, then the two letters'.
enum class LoopMode { MODE_NM = 0, MODE_MN = 1, MODE_KM = 2, MODE_KN = 3 };

// How the product of M = Ho * Wo windows, N = Cout filters and K = Cin * Kh * Kw is cut. "Block" is
// 16 rows of M or columns of N, or c0Size of K; "Tile" is what one Mmad takes.
struct Conv2dTilling {
  const uint32_t blockSize = 16;
  LoopMode loopMode = LoopMode::MODE_NM;

  uint32_t c0Size = 32;  // elements in 32 bytes
  uint32_t dTypeSize = 1;

  uint32_t strideH = 0;
  uint32_t strideW = 0;
  uint32_t dilationH = 0;
  uint32_t dilationW = 0;
  uint32_t hi = 0;
  uint32_t wi = 0;
  uint32_t ho = 0;
  uint32_t wo = 0;

  uint32_t height = 0;
  uint32_t width = 0;

  uint32_t howo = 0;

  uint32_t mNum = 0;
  uint32_t nNum = 0;
  uint32_t kNum = 0;

  uint32_t mBlockNum = 0;
  uint32_t kBlockNum = 0;
  uint32_t nBlockNum = 0;

  uint32_t roundM = 0;
  uint32_t roundN = 0;
  uint32_t roundK = 0;

  uint32_t mTileBlock = 0;
  uint32_t nTileBlock = 0;
  uint32_t kTileBlock = 0;

  uint32_t mIterNum = 0;
  uint32_t nIterNum = 0;
  uint32_t kIterNum = 0;

  uint32_t mTileNums = 0;

  bool mHasTail = false;
  bool nHasTail = false;
  bool kHasTail = false;

  uint32_t kTailBlock = 0;
  uint32_t mTailBlock = 0;
  uint32_t nTailBlock = 0;

  uint32_t mTailNums = 0;
};

// The tiling for a feature map of `type`. Runs on a core or in a host program. Parameters that are
// not legal are a fault at the caller's line and make a tiling of zeros; a host program ends.
VINCI_OWN_LINE Conv2dTilling conv2d_tiling(const Conv2dParams& params, DType type);

struct Conv2dRecord : Record {
  Operand dst, feature_map, weight;
  Conv2dParams params;
  Conv2dTilling tiling;
  bool init_y_as_documented = false;  // initY 0 accumulates and 1 overwrites
};

}  // namespace vinci
