// GlobalTensors that were never given an address.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace vinci {

// Offsets into such a tensor count from 0, and no buffer begins so low.
inline bool has_no_address(uint64_t address) {
  constexpr int64_t kLow = int64_t{1} << 32;
  return std::abs(int64_t(address)) < kLow;
}
inline constexpr const char* kGiveAddress =
    "SetGlobalBuffer, with a pointer that is not null, before it is used";

}  // namespace vinci
