// Faults in SARIF 2.1.0, the form that code hosts and editors take from analysers:
// docs.oasis-open.org/sarif/sarif/v2.1.0.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "report/source_line.h"
#include "vinci/fault.h"

namespace vinci {

// One run with a result for each fault. All codes are rules. Paths are relative to the current
// directory where they lie below it.
nlohmann::json sarif_of(const std::vector<Fault>& faults, const SourceLines& lines);

// A path as a URI: relative, or with file://.
std::string uri_of(const std::string& path);

}  // namespace vinci
