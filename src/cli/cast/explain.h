// Why a number becomes the one that it becomes in another type.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cast/element.h"

namespace vinci::cli {

// "CAST_RINT", and what TIK calls it.
std::string_view name_of(Round mode);
std::string_view tik_name_of(Round mode);
// By Ascend C's name, by that without CAST_ in small letters, or by TIK's. 'round' is CAST_ROUND.
// Throws Error (usage) that names them all.
Round mode_named(const std::string& name);

// What to do and who said so.
struct Manner {
  DType to = DType::kNone;
  Overflow overflow = Overflow::kSaturate;
  std::string overflow_reason;  // "the default of Ascend310P3"
};

// The digits of a magnitude, in base 2, where the last one that the result has room for cuts them.
struct Cut {
  std::string kept, discarded;  // discarded is empty if there is room for all
  int unit = 0;                 // the last kept digit counts 2^unit
  Rest rest = Rest::kZero;      // what is discarded
};

// A number of the result's type, or one beyond its range.
struct Neighbour {
  std::string value;
  std::optional<Element> element;
};

struct Conversion {
  Round mode = Round::kNone;
  Element element;
  std::string rounding, range;  // why, in words; range: empty if nothing special happens
};

struct Explanation {
  Element source;
  std::optional<Cut> cut;                 // of a number that is neither infinity nor NaN
  std::optional<Neighbour> below, above;  // of a number that the type does not have
  std::vector<Conversion> outcomes;       // one for each mode
};

Explanation explain(const Element& source, const Manner& manner, const std::vector<Round>& modes);

}  // namespace vinci::cli
