// Names of the element types, as the documents and the command line write them.
#pragma once

#include <optional>
#include <string_view>

#include "vinci/dtype.h"

namespace vinci {

std::string_view name_of(DType type);                     // "half", "int8", ...
std::optional<DType> dtype_named(std::string_view name);  // numpy's float16 and float32, too
// "half, bfloat16, ..." for messages
std::string_view all_dtype_names();

}  // namespace vinci
