// Tilings of LayerNorm and its kin: the shape, and how rows are divided into parts that fit the
// scratch memory. vinci needs the shape alone. Each struct is a list of its fields, from which host
// code makes its class too: include/tiling/tiling_classes.h.
#pragma once

#include <cstdint>

#include "kernel_tiling/tiling_struct.h"

#define VINCI_LAYER_NORM_TILING(Field)                                       \
  Field(uint32_t, bLength) Field(uint32_t, sLength) Field(uint32_t, hLength) \
      Field(uint32_t, originalHLength) VINCI_NORM_PARTS(Field) Field(float, lastDimValueBack)
// What LayerNormTiling and DeepNormTiling have behind the shape.
#define VINCI_NORM_PARTS(Field)                                                                    \
  Field(uint32_t, inputXSize) Field(uint32_t, meanVarSize) Field(uint32_t, numberOfTmpBuf)         \
      Field(uint32_t, meanTmpTensorPos) Field(uint32_t, meanTmpTensorSize)                         \
          Field(uint32_t, varianceTmpTensorPos) Field(uint32_t, varianceTmpTensorSize)             \
              Field(uint32_t, tmpBufSize) Field(uint32_t, oneTmpSize)                              \
                  Field(uint32_t, firstTmpStartPos) Field(uint32_t, secondTmpStartPos)             \
                      Field(uint32_t, thirdTmpStartPos) Field(uint32_t, loopRound)                 \
                          Field(uint32_t, inputRoundSize) Field(uint32_t, inputTailSize)           \
                              Field(uint32_t, inputTailPos) Field(uint32_t, meanVarRoundSize)      \
                                  Field(uint32_t, meanVarTailSize) Field(uint32_t, meanVarTailPos) \
                                      Field(uint32_t, bshCurLength) Field(uint32_t, bsCurLength)
#define VINCI_LAYER_NORM_SEPARATE_TILING(Field)                                                    \
  Field(uint32_t, aLength) Field(uint32_t, rLength) Field(uint32_t, halfAddRepeatTimes)            \
      Field(uint32_t, rHeadLength) Field(float, k2Rec) Field(float, k2RRec)                        \
          Field(uint32_t, inputXSize) Field(uint32_t, meanVarSize) Field(uint32_t, numberOfTmpBuf) \
              Field(uint32_t, varianceTmpTensorPos) Field(uint32_t, varianceTmpTensorSize)         \
                  Field(uint32_t, tmpBufSize) Field(uint32_t, oneTmpSize)                          \
                      Field(uint32_t, firstTmpStartPos) Field(uint32_t, secondTmpStartPos)         \
                          Field(uint32_t, thirdTmpStartPos) Field(uint32_t, loopRound) Field(      \
                              uint32_t, inputRoundSize) Field(uint32_t, inputTailSize)             \
                              Field(uint32_t, inputTailPos) Field(uint32_t, meanVarRoundSize)      \
                                  Field(uint32_t, meanVarTailSize) Field(uint32_t, meanVarTailPos) \
                                      Field(uint32_t, arCurLength) Field(uint32_t, aCurLength)     \
                                          Field(float, rValueBack)
#define VINCI_RMS_NORM_TILING(Field)                                           \
  Field(uint32_t, bLength) Field(uint32_t, sLength) Field(uint32_t, hLength)   \
      Field(uint32_t, originalHLength) Field(float, reciprocalOfHLength)       \
          Field(uint32_t, mainBshLength) Field(uint32_t, mainBsLength)         \
              Field(uint32_t, mainBsLengthAlign) Field(uint32_t, loopRound)    \
                  Field(uint32_t, inputTailPos) Field(uint32_t, tailBshLength) \
                      Field(uint32_t, tailBsLength)
#define VINCI_BATCH_NORM_TILING(Field)                                                            \
  Field(uint32_t, originalBLength) Field(uint32_t, meanVarSize) Field(uint32_t, meanTmpTensorPos) \
      Field(uint32_t, varianceTmpTensorPos) Field(uint32_t, tmpBufSize)                           \
          Field(uint32_t, oneTmpSize) Field(uint32_t, firstTmpStartPos)                           \
              Field(uint32_t, secondTmpStartPos) Field(uint32_t, thirdTmpStartPos)                \
                  Field(uint32_t, loopRound) Field(uint32_t, inputTailSize)                       \
                      Field(uint32_t, inputTailPos) Field(uint32_t, meanVarTailSize)              \
                          Field(uint32_t, meanVarTailPos) Field(uint32_t, bshCurLength)           \
                              Field(uint32_t, shCurLength) Field(float, firstDimValueBack)        \
                                  Field(uint32_t, castHalfRepStride)                              \
                                      Field(uint32_t, shCurLengthBlockNum)                        \
                                          Field(uint32_t, castHalfOutRepStride)
#define VINCI_GROUP_NORM_TILING(Field)                                                            \
  Field(uint32_t, n) Field(uint32_t, c) Field(uint32_t, hw) Field(uint32_t, g) Field(uint32_t, d) \
      Field(uint32_t, hwAlignSize) Field(uint32_t, dhwAlignSize) VINCI_NORM_PARTS(Field)          \
          Field(float, factor) Field(bool, smallShape)
#define VINCI_LAYER_NORM_GRAD_TILING(Field)                                                     \
  Field(uint32_t, stackBufferSize) Field(uint32_t, bLength) Field(uint32_t, sLength)            \
      Field(uint32_t, hLength) Field(uint32_t, originalHLength) Field(uint32_t, oneCalSize)     \
          Field(uint32_t, nohCalSize) Field(uint32_t, loopNum) Field(uint32_t, tailSize)        \
              Field(uint32_t, nohTailSize) Field(uint32_t, tmpTensorBSHPos)                     \
                  Field(uint32_t, tmpTensorBSHSize) Field(uint32_t, pdVarTensorPos)             \
                      Field(uint32_t, pdVarTensorSize) Field(uint32_t, pdMeanTensorPos)         \
                          Field(uint32_t, pdMeanTensorSize) Field(uint32_t, x1TensorPos) Field( \
                              uint32_t, x1TensorSize) Field(uint32_t, x2TensorPos)              \
                              Field(uint32_t, x2TensorSize) Field(uint32_t, x3TensorPos) Field( \
                                  uint32_t, x3TensorSize) Field(uint32_t, tmpTensorPos)         \
                                  Field(uint32_t, tmpTensorSize) Field(uint32_t, tmpTensor1Pos) \
                                      Field(uint32_t, tmpTensor1Size)                           \
                                          Field(uint32_t, tmpTensor2Pos)                        \
                                              Field(uint32_t, tmpTensor2Size)                   \
                                                  Field(uint32_t, lastDimValueBack)             \
                                                      Field(uint32_t, lastDimValueBackMulTwo)
#define VINCI_LAYER_NORM_GRAD_BETA_TILING(Field)                                                  \
  Field(uint32_t, stackBufferSize) Field(uint32_t, bLength) Field(uint32_t, sLength)              \
      Field(uint32_t, hLength) Field(uint32_t, originalHLength) Field(uint32_t, bshLength) Field( \
          uint32_t, bsLength) Field(uint32_t, oneCalSize) Field(uint32_t, numberOfTmpBuf)         \
          Field(uint32_t, loopRound) Field(uint32_t, inputTailSize) Field(uint32_t, inputTailPos) \
              Field(uint32_t, bsTailSize) Field(uint32_t, bshCurLength)                           \
                  Field(uint32_t, bsCurLength) Field(uint32_t, gammaTempTensorPos)                \
                      Field(uint32_t, betaTempTensorPos) Field(uint32_t, inputDyTmpTensorPos)     \
                          Field(uint32_t, resForGammaTmpTensorPos) Field(uint32_t, reserved)
// Struct(name, list of its fields)
#define VINCI_NORM_TILINGS(Struct)                                                                 \
  Struct(LayerNormTiling, VINCI_LAYER_NORM_TILING) Struct(DeepNormTiling, VINCI_LAYER_NORM_TILING) \
      Struct(LayerNormSeparateTiling, VINCI_LAYER_NORM_SEPARATE_TILING)                            \
          Struct(RmsNormTiling, VINCI_RMS_NORM_TILING)                                             \
              Struct(BatchNormTiling, VINCI_BATCH_NORM_TILING)                                     \
                  Struct(GroupNormTiling, VINCI_GROUP_NORM_TILING)                                 \
                      Struct(LayerNormGradTiling, VINCI_LAYER_NORM_GRAD_TILING)                    \
                          Struct(LayerNormGradBetaTiling, VINCI_LAYER_NORM_GRAD_BETA_TILING)

namespace AscendC::tiling {
VINCI_NORM_TILINGS(VINCI_LIBRARY_TILING)
}  // namespace AscendC::tiling

using AscendC::tiling::BatchNormTiling;
using AscendC::tiling::DeepNormTiling;
using AscendC::tiling::GroupNormTiling;
using AscendC::tiling::LayerNormGradBetaTiling;
using AscendC::tiling::LayerNormGradTiling;
using AscendC::tiling::LayerNormSeparateTiling;
using AscendC::tiling::LayerNormTiling;
using AscendC::tiling::RmsNormTiling;

namespace AscendC::in_api {

// Numbers of four bytes that a part of so many rows takes of the scratch memory: copies of it, and
// `each` numbers for each row, in whole datablocks.
struct NormScratch {
  uint32_t copies, each;

  constexpr uint32_t bytes(uint32_t rows, uint32_t columns) const {
    return 4 * (rows * columns * copies + each * ((rows + 7) / 8 * 8));
  }
  // The most rows whose part fits, but one at least.
  constexpr uint32_t rows_in(uint32_t have, uint32_t rows, uint32_t columns) const {
    while (rows > 1 && bytes(rows, columns) > have) --rows;
    return rows;
  }
};
constexpr NormScratch norm_scratch(bool half) { return {half ? 2u : 1u, 2}; }
constexpr NormScratch rms_norm_scratch(bool half) { return {half ? 2u : 1u, 1}; }
constexpr NormScratch norm_grad_scratch(bool half) { return {half ? 6u : 4u, 2}; }
constexpr NormScratch norm_grad_beta_scratch(bool half) { return {half ? 4u : 2u, 0}; }
constexpr NormScratch normalize_scratch(bool half) { return {half ? 2u : 1u, 1}; }

// Rows of a part, as a tiling for scratch memory of some size has them; 0: it does not say it.
inline uint32_t rows_at_once(const tiling::LayerNormTiling& of) { return of.meanVarRoundSize; }
inline uint32_t rows_at_once(const tiling::LayerNormSeparateTiling& of) {
  return of.meanVarRoundSize;
}
inline uint32_t rows_at_once(const tiling::DeepNormTiling& of) { return of.meanVarRoundSize; }
inline uint32_t rows_at_once(const tiling::GroupNormTiling& of) { return of.meanVarRoundSize; }
inline uint32_t rows_at_once(const tiling::RmsNormTiling& of) { return of.mainBsLength; }
inline uint32_t rows_at_once(const tiling::LayerNormGradTiling& of) { return of.nohCalSize; }
inline uint32_t rows_at_once(const tiling::LayerNormGradBetaTiling& of) { return of.bsCurLength; }

// WelfordUpdate works on a repeat at a time, WelfordFinalize on all.
constexpr uint32_t welford_update_scratch(bool half) { return 256 * (half ? 4 : 2); }
constexpr uint32_t welford_finalize_scratch(uint32_t elements) { return elements * 4; }

}  // namespace AscendC::in_api
