// The cores of a launch.
#pragma once

#include <cstdint>

namespace vinci {

// What a core has: everything, or, where a chip has them apart, the matrix or the vector half.
enum class CoreKind : uint8_t { kWhole, kAic, kAiv };
inline constexpr int kCoreKinds = 3;

// The cores of a launch. A block is one whole core, or on chips that have them apart `aic` matrix
// cores (0 or 1) and `aiv` vector cores behind them. All functions number the cores of the launch.
struct Grid {
  int64_t blocks = 1;
  int aic = 0, aiv = 0;  // both 0: one whole core

  bool is_whole() const { return aic + aiv == 0; }
  int cores_per_block() const { return is_whole() ? 1 : aic + aiv; }
  int64_t cores() const { return blocks * cores_per_block(); }
  int64_t block_of(int64_t core) const { return core / cores_per_block(); }
  // From 0; matrix cores come first.
  int place_in_block(int64_t core) const { return int(core % cores_per_block()); }
  CoreKind kind_of(int64_t core) const {
    if (is_whole()) return CoreKind::kWhole;
    return place_in_block(core) < aic ? CoreKind::kAic : CoreKind::kAiv;
  }
  // Which of several vector cores of its block it is; -1: not one of several.
  int number_of(int64_t core) const {
    return aiv > 1 && kind_of(core) == CoreKind::kAiv ? sub_block_of(core) : -1;
  }
  // Of a vector core among those of its block; 0 for others.
  int sub_block_of(int64_t core) const {
    return kind_of(core) == CoreKind::kAiv ? place_in_block(core) - aic : 0;
  }
};

}  // namespace vinci
