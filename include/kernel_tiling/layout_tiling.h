// PadTiling, UnPadTiling and ConfusionTransposeTiling. vinci takes shapes from them; of the latter,
// whose fields have no documented meaning, docs/spec/rearrangement.md says what stands where.
#pragma once

#include <cstdint>

#include "kernel_tiling/tiling_struct.h"

#define VINCI_PAD_TILING(Field)                                                                    \
  Field(uint32_t, srcHeight) Field(uint32_t, srcWidth) Field(uint32_t, srcOriWidth) Field(         \
      uint32_t, widthWithoutLastBlock) Field(uint32_t, blocksPerRow) Field(uint32_t, heightTiling) \
      Field(uint32_t, heightFractal) Field(uint32_t, heightFractalTail)                            \
          Field(uint32_t, mainLoopOffset) Field(uint32_t, tailBlockOffset)                         \
              Field(uint32_t, tmpBuffer1BlockNum) Field(uint32_t, tmpBuffer1RowNum)                \
                  Field(uint32_t, tmpBuffer2Offset) Field(uint32_t, widthTiling)                   \
                      Field(uint32_t, widthFractal) Field(uint32_t, widthFractalTail)              \
                          Field(uint32_t, widthFractalTailAlingned) Field(uint32_t, brcbTiling)    \
                              Field(uint32_t, brcbFractal) Field(uint32_t, brcbFractalTail)        \
                                  Field(uint32_t, maxRepeatTimes)                                  \
                                      Field(uint32_t, brcbTilingRepeatTimes)                       \
                                          Field(uint32_t, brcbTilingRepeatTimesTail)               \
                                              Field(uint32_t, brcbFractalTailRepeatTimes)          \
                                                  Field(uint32_t, brcbFractalTailRepeatTimesTail)  \
                                                      Field(uint32_t, reserved)
#define VINCI_UN_PAD_TILING(Field)                                                         \
  Field(uint32_t, srcHeight) Field(uint32_t, srcWidth) Field(uint32_t, tmpBuffer1BlockNum) \
      Field(uint32_t, tmpBuffer1RowNum) Field(uint32_t, tmpBuffer2Offset)                  \
          Field(uint32_t, widthTiling) Field(uint32_t, widthFractal)                       \
              Field(uint32_t, widthFractalTail)
#define VINCI_TRANSPOSE_TILING(Field)                                                             \
  Field(uint32_t, param0) Field(uint32_t, param1) Field(uint32_t, param2) Field(uint32_t, param3) \
      Field(uint32_t, param4) Field(uint32_t, param5) Field(uint32_t, param6)                     \
          Field(uint32_t, param7) Field(uint32_t, param8) Field(uint32_t, param9)                 \
              Field(uint32_t, param10) Field(uint32_t, param11) Field(uint32_t, param12)          \
                  Field(uint32_t, param13) Field(uint32_t, param14) Field(uint32_t, param15)      \
                      Field(uint32_t, param16) Field(uint32_t, param17)
// Struct(name, list of its fields)
#define VINCI_LAYOUT_TILINGS(Struct)                                           \
  Struct(PadTiling, VINCI_PAD_TILING) Struct(UnPadTiling, VINCI_UN_PAD_TILING) \
      Struct(ConfusionTransposeTiling, VINCI_TRANSPOSE_TILING)

namespace AscendC::tiling {
VINCI_LAYOUT_TILINGS(VINCI_LIBRARY_TILING)
}  // namespace AscendC::tiling

using AscendC::tiling::ConfusionTransposeTiling;
using AscendC::tiling::PadTiling;
using AscendC::tiling::UnPadTiling;

namespace AscendC::in_api {

// What TransData takes of the scratch memory, in elements: kind 0 and 1 to and from FRACTAL_Z_3D,
// 2 and 3 to and from NDC1HWC0.
constexpr uint32_t trans_data_scratch(uint32_t kind, uint32_t n, uint32_t c, uint32_t d,
                                      uint32_t hw) {
  const auto sixteens = [](uint32_t size) { return (size + 15) / 16 * 16; };
  const uint32_t plane = sixteens(hw), channels = d * sixteens(c) * plane;
  switch (kind) {
    case 0: return c * d * plane + sixteens(n) * channels;
    case 1: return channels * sixteens(n) * (c % 16 == 0 && n % 16 == 0 ? 1 : 2);
    case 2: return d * plane + channels;
    default: return 512 + channels;
  }
}

}  // namespace AscendC::in_api
