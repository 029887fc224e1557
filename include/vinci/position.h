// Where an operand lives: the logical positions of the programming model.
#pragma once

#include <cstdint>

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

}  // namespace vinci
