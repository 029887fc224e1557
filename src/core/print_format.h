// A format of printf, and arguments that know their types.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "vinci/debug.h"

namespace vinci::print_format {

// What printf makes of them. A directive that has no argument stays as it is written.
std::string text_of(std::string_view format, std::span<const PrintValue> values);

}  // namespace vinci::print_format
