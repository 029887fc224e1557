// What a package's operators take and give on one chip, as build files of older projects read it.
#pragma once

#include <string>
#include <vector>

#include "op/definitions.h"

namespace vinci::op {

// aic-<chip>-ops-info.ini: a section for each operator that has the chip; "" if none has.
std::string ops_info(const std::vector<Operator>& operators, const std::string& chip);

}  // namespace vinci::op
