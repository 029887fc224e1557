// A kernel file as it is written: nothing is expanded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/compile/dialect.h"

namespace vinci::launch {

// The text of a file and of what it includes in quotes, each file once, without comments and what
// stands in quotes. `words` are the compiler's, for its include path.
std::string source_text(const std::string& source, const std::vector<std::string>& words);

bool has_word(std::string_view text, std::string_view word);

// The kernels that such a text declares.
std::vector<KernelText> kernels_of_text(const std::string& text);

// "add" of "outer::add<float, 8>".
std::string_view plain_name(std::string_view kernel);

}  // namespace vinci::launch
