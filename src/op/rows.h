// The rows of a definition: which types and formats of all parameters go together.
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "op/definitions.h"

namespace vinci::op {

// Parameters from JSON, each with one type and format for each row. Lists of DataType and Format
// must be equally long; those of DataTypeList and FormatList are crossed with all else, the last
// one changing fastest. Throws Error, with "not aligned" where lengths differ.
Chip lay_out(const std::vector<nlohmann::json>& inputs, const std::vector<nlohmann::json>& outputs);

// What IMPL_OP_* says of parameters beside the definition.
void apply_functions(Chip& chip, const Functions& functions);

}  // namespace vinci::op
