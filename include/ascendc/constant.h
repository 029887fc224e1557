// Numbers that kernels know by name.
#pragma once

#include <cstdint>

// Whoever compiles kernels says what the chip's memories hold.
#ifndef VINCI_MEMORIES
#define VINCI_MEMORIES 0, 0, 0, 0, 0, 0
#endif

namespace AscendC {

namespace in_api {
inline constexpr uint64_t kMemories[] = {VINCI_MEMORIES};
}  // namespace in_api

// Bytes of memories for InitBuffer; 0 where the chip has none.
inline constexpr uint64_t ASC_UB_SIZE = in_api::kMemories[0];
inline constexpr uint64_t ASC_L1_SIZE = in_api::kMemories[1];
inline constexpr uint64_t ASC_L0A_SIZE = in_api::kMemories[2];
inline constexpr uint64_t ASC_L0B_SIZE = in_api::kMemories[3];
inline constexpr uint64_t ASC_L0C_SIZE = in_api::kMemories[4];
inline constexpr uint64_t ASC_BT_SIZE = in_api::kMemories[5];
inline constexpr uint64_t TOTAL_UB_SIZE = ASC_UB_SIZE;  // as samples call it

inline constexpr int32_t ONE_BLK_SIZE = 32;  // bytes of a datablock
inline constexpr int32_t ONE_BYTE_BIT_SIZE = 8;
inline constexpr int32_t DEFAULT_BLK_NUM = 8;         // datablocks of a repeat
inline constexpr int32_t ONE_REPEAT_BYTE_SIZE = 256;  // bytes of a repeat
inline constexpr int32_t DEFAULT_BLOCK_SIZE = 256;    // the same
inline constexpr int32_t DEFAULT_BLK_STRIDE = 1;      // datablocks
inline constexpr int32_t DEFAULT_REPEAT_STRIDE = 8;   // datablocks
inline constexpr int32_t HALF_DEFAULT_REPEAT_STRIDE = 4;
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

// Built-in constants, which need no namespace.
using AscendC::ASC_BT_SIZE;
using AscendC::ASC_L0A_SIZE;
using AscendC::ASC_L0B_SIZE;
using AscendC::ASC_L0C_SIZE;
using AscendC::ASC_L1_SIZE;
using AscendC::ASC_UB_SIZE;
