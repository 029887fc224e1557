// What a CMakeLists.txt calls, as far as its text tells without CMake: branches that do not hold
// are left out, variables are replaced. Nothing is run.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace vinci::launch {

using CMakeVariables = std::map<std::string, std::string>;

struct CMakeCall {
  std::string name;  // in small letters
  // A variable that is not known stands there as it is written, ${NAME}.
  std::vector<std::string> words;
};

// The calls in their order. `variables` are those known before; set(), list(APPEND) and option()
// add to them. In conditions what is not known is empty, and a test that only CMake can decide
// (versions, targets, regular expressions beyond alternatives and ^ $) does not hold. Bodies of
// functions and macros are left out, those of loops are seen once.
std::vector<CMakeCall> cmake_calls(std::string_view text, CMakeVariables& variables);

}  // namespace vinci::launch
