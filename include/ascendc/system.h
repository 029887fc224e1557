// Which block this is.
#pragma once

#include <cstdint>

#include "ascendc/core_kind.h"
#include "vinci/door.h"

namespace AscendC {

inline int64_t GetBlockIdx() { return vinci::block_index(); }
inline int64_t GetBlockNum() { return vinci::block_count(); }
// Bytes of a datablock.
constexpr int16_t GetDataBlockSizeInBytes() { return 32; }
// Bytes of UB.
inline uint32_t GetUBSizeInBytes() { return vinci::space_bytes(vinci::Position::VECCALC); }
inline uint32_t GetRuntimeUBSize() { return GetUBSizeInBytes(); }
// Bytes of the chip's memories by name, not as constants: what is compiled of a kernel is the same
// for all chips.
struct SizeOfMemory {
  vinci::Position memory;
  operator uint32_t() const { return vinci::space_bytes(memory); }
};
inline constexpr SizeOfMemory TOTAL_UB_SIZE{vinci::Position::VECCALC};
inline constexpr SizeOfMemory TOTAL_L1_SIZE{vinci::Position::A1};
inline constexpr SizeOfMemory TOTAL_L0A_SIZE{vinci::Position::A2};
inline constexpr SizeOfMemory TOTAL_L0B_SIZE{vinci::Position::B2};
inline constexpr SizeOfMemory TOTAL_L0C_SIZE{vinci::Position::CO1};

}  // namespace AscendC
