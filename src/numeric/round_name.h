// Names of the round modes, as the documents spell them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "vinci/round.h"

namespace vinci {

// "CAST_RINT"
std::string_view name_of(Round mode);
// "CAST_RINT, CAST_FLOOR" for a set with one bit for each mode.
std::string names_of_rounds(uint16_t modes);

}  // namespace vinci
