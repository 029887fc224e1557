// What the tiled products share: parts of operands, and memories that hold a tile of a factor.
#pragma once

#include <string_view>

#include "core/check.h"
#include "vinci/record.h"

namespace vinci::isa {

// The operand from `bytes` bytes on.
inline Operand part_of(Operand operand, uint64_t bytes) {
  operand.address += bytes;
  if (operand.bytes != kUnknownExtent) {
    operand.bytes = bytes < operand.bytes ? operand.bytes - bytes : 0;
  }
  return operand;
}

// The operand holds `bytes` bytes, and they lie in the memory; `formula` says how many they are.
void check_extent(std::string_view name, const Operand& operand, uint64_t bytes,
                  std::string_view formula, Check& check);

// An operand in GM has an address: else the copies that an operator is made of would tell it of
// their src.
void check_address(std::string_view name, const Operand& operand, Check& check);

// `bytes` of `what` are no more than the memory has.
void check_fits(std::string_view what, uint64_t bytes, Space space, const char* legal,
                Check& check);

// L0A, L0B or a part of L1, and the tile of A (by its rows and K) or B (columns and K) that is in
// it.
struct HeldTile {
  Operand memory;
  bool loaded = false;
  uint32_t outer = 0, k = 0;

  bool holds(uint32_t wanted, uint32_t wanted_k) const {
    return loaded && outer == wanted && k == wanted_k;
  }
  void hold(uint32_t next, uint32_t next_k) {
    loaded = true;
    outer = next;
    k = next_k;
  }
};

}  // namespace vinci::isa
