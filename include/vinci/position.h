// Where an operand lives: the logical positions of the programming model.
#pragma once

#include <cstdint>
#include <string_view>

namespace vinci {

// The enumerators carry the documents' own names; AscendC::TPosition is this type. Which physical
// buffer stands behind a position depends on the chip (Soc::space_of).
enum class Position : uint8_t {
  GM,
  A1,
  A2,
  B1,
  B2,
  C1,
  C2,
  CO1,
  CO2,
  VECIN,
  VECOUT,
  VECCALC,
  LCM = VECCALC,
  SPM,
  SHM = SPM,
  TSCM,
  C2PIPE2GM,
  C2PIPE2LOCAL,
  MAX,
};

// The physical memories of a core, and GM. The last two no position names: the indices that
// LoadDataWithSparse leaves for MmadWithSparse, one for each 4 bytes of L0B; and the registers
// whose content data decide (CMPMASK, RSVD_CNT, the counts of the last merge).
enum class Space : uint8_t { kGm, kL1, kL0A, kL0B, kL0C, kUb, kBt, kFb, kSparse, kCells, kNone };
inline constexpr int kSpaces = 8;      // that positions name
inline constexpr int kAllSpaces = 10;  // but kNone

std::string_view name_of(Space space);        // "UB"
std::string_view name_of(Position position);  // "VECIN"

}  // namespace vinci
