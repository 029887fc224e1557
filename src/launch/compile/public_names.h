// The public names of Ascend C, and which of them vinci's headers hold.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "launch/installation.h"

namespace vinci::launch {

struct PublicName {
  std::string_view name;
  bool newer = false;  // only newer chips than vinci's have it
};

// Nullptr if the documents of Ascend C do not have the name.
const PublicName* public_name(std::string_view name);

// The identifiers and numbers of a text.
std::vector<std::string_view> words_of(std::string_view text);

// Every name that vinci's headers hold once the preprocessor has made all of their macros. Throws
// Error (compile) if there is no compiler that can be started.
std::set<std::string, std::less<>> names_in_headers(const Installation& installation);

// What the documents have and the headers do not, in alphabetical order.
std::vector<PublicName> lacking_names(const Installation& installation);

}  // namespace vinci::launch
