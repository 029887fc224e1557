// Whether a kernel needs the dear half of the standard library, which builds for the CPU have.
#pragma once

#include <string>
#include <string_view>

namespace vinci::launch {

// Whether preprocessed `text` names anything of namespace std beside types' traits, numbers' limits
// and other small things: strings, containers, streams. What the system's headers name does not
// count, nor what those in the folder `headers` do: they include what they need.
bool names_library_of_std(std::string_view text, const std::string& headers);

}  // namespace vinci::launch
