#include "numeric/round_name.h"

namespace vinci {

std::string_view name_of(Round mode) {
  static constexpr std::string_view kNames[kRounds] = {
      "CAST_NONE", "CAST_RINT", "CAST_FLOOR", "CAST_CEIL", "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};
  return unsigned(mode) < unsigned(kRounds) ? kNames[unsigned(mode)] : "a mode that is none";
}

std::string names_of_rounds(uint16_t modes) {
  std::string names;
  for (unsigned bit = 0; bit < 16; ++bit) {
    if ((modes >> bit & 1) == 0) continue;
    if (!names.empty()) names += ", ";
    names += name_of(Round(bit));
  }
  return names;
}

}  // namespace vinci
