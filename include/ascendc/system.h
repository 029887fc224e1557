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

}  // namespace AscendC
