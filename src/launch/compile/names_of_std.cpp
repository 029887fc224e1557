#include "launch/compile/names_of_std.h"

#include <algorithm>

#include "launch/compile/preprocess.h"
#include "launch/compile/tokens.h"

namespace vinci::launch {
namespace {

// What ascendc/twin.h has for all: of <algorithm>, <array>, <cmath>, <limits>, <tuple>,
// <type_traits>, <utility> and the headers of C.
constexpr std::string_view kSmall =
    " abs array ceil conditional conditional_t cos decay decay_t declval enable_if enable_if_t "
    "exp exp2 fabs false_type floor fmax fmin fmod forward get index_sequence int16_t int32_t "
    "int64_t int8_t integer_sequence integral_constant isinf isnan log log2 "
    "make_index_sequence make_tuple max memcpy memset min move nullptr_t numeric_limits pow "
    "round sin size_t sqrt swap tanh true_type trunc tuple tuple_element tuple_element_t "
    "tuple_size tuple_size_v uint16_t uint32_t uint64_t uint8_t underlying_type "
    "underlying_type_t void_t ";
constexpr std::string_view kTraits[] = {"is_", "remove_", "add_", "make_signed", "make_unsigned"};

bool is_small(std::string_view name) {
  return kSmall.find(" " + std::string(name) + " ") != kSmall.npos ||
         std::ranges::any_of(kTraits,
                             [&](std::string_view start) { return name.starts_with(start); });
}

// The name that `line` has behind std:: at `at`; empty: something else stands there.
std::string_view behind_colons(std::string_view line, size_t at) {
  const auto skip_blanks = [&] {
    while (at < line.size() && line[at] == ' ') ++at;
  };
  skip_blanks();
  if (!line.substr(at).starts_with("::")) return {};
  at += 2;
  skip_blanks();
  const size_t begin = at;
  while (at < line.size() && is_name(line[at])) ++at;
  return line.substr(begin, at - begin);
}

bool line_names_library(std::string_view line) {
  constexpr std::string_view kStd = "std";
  for (size_t at = 0; (at = line.find(kStd, at)) != line.npos;) {
    const size_t begin = at;
    at += kStd.size();
    const bool is_part =
        (begin > 0 && is_name(line[begin - 1])) || (at < line.size() && is_name(line[at]));
    if (!is_part && !is_small(behind_colons(line, at))) return true;
  }
  return false;
}

}  // namespace

bool names_library_of_std(std::string_view text, const std::string& headers) {
  bool counts = true;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (const auto marker = marker_of(line)) {
      counts = !marker->system && !marker->file.starts_with(headers + "/");
    } else if (counts && line_names_library(line)) {
      return true;
    }
  }
  return false;
}

}  // namespace vinci::launch
