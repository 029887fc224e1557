// Numbers that kernels know by name.
#pragma once

#include <cstdint>

// ASC_UB_SIZE, ASC_L1_SIZE and so on, bytes of the chip's memories for InitBuffer, are said by whoever
// compiles kernels. No header of vinci's may name them: g++ takes no compiled header that knows, as
// undefined, what is defined for a kernel.

namespace AscendC {

inline constexpr int32_t ONE_BLK_SIZE = 32;  // bytes of a datablock
inline constexpr int32_t ONE_BYTE_BIT_SIZE = 8;
inline constexpr int32_t DEFAULT_BLK_NUM = 8;         // datablocks of a repeat
inline constexpr int32_t ONE_REPEAT_BYTE_SIZE = 256;  // bytes of a repeat
inline constexpr int32_t DEFAULT_BLOCK_SIZE = 256;    // the same
inline constexpr int32_t DEFAULT_DATA_COPY_NBURST = 1;
inline constexpr int32_t DEFAULT_DATA_COPY_STRIDE = 0;
inline constexpr int32_t DEFAULT_BLK_STRIDE = 1;      // datablocks
inline constexpr int32_t DEFAULT_REPEAT_STRIDE = 8;   // datablocks
inline constexpr int32_t HALF_DEFAULT_REPEAT_STRIDE = 4;
inline constexpr int32_t ONE_FOURTH_DEFAULT_REPEAT_STRIDE = 2;
inline constexpr int32_t HALF_REPEAT_STRIDE = 4;
inline constexpr int32_t HALF_FACTOR = 2;
inline constexpr int32_t B16_BYTE_SIZE = 2;
inline constexpr int32_t B32_BYTE_SIZE = 4;
inline constexpr int32_t ONE_BLK_FLOAT_NUM = 8;      // floats of a datablock
inline constexpr int32_t FLOAT_NUM_PER_BLK = 8;      // the same
inline constexpr int32_t FLOAT_REPEAT_SIZE = 64;     // floats of a repeat
inline constexpr int32_t BRCB_BROADCAST_NUMBER = 8;  // elements that Brcb takes in a repeat
inline constexpr int32_t MAX_REPEAT_TIMES = 255;
inline constexpr uint64_t FULL_MASK_LEN = 128;   // lanes of a repeat of 16-bit elements
inline constexpr uint64_t HALF_MASK_LEN = 64;    // of 32-bit elements
inline constexpr uint32_t DEFAULT_C0_SIZE = 32;  // bytes of a row of a fractal
inline constexpr int32_t BLOCK_CUBE = 16;        // rows of a fractal
inline constexpr int32_t CUBE_MAX_SIZE = 256;    // elements of a fractal of 16-bit elements
inline constexpr int32_t BYTE_PER_FRACTAL = 512;
inline constexpr int32_t PAD_SIZE = 4;  // sides of a feature map
inline constexpr int32_t K_MAX_DIM = 8;
inline constexpr int32_t TOTAL_VEC_LOCAL_SIZE = 248 * 1024;  // bytes of UB on 2002 for InitBuffer

}  // namespace AscendC
