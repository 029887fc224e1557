// What a name that does not exist was meant to be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vinci {

// "; did you mean list?" for a word of which few letters are wrong, missing, too many or exchanged,
// or that is a part of a name; empty if no name is near. Capital letters do not count.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names);

}  // namespace vinci
