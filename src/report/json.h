// Faults as programs read them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/source_line.h"
#include "vinci/fault.h"

namespace vinci {

// For the --json report: code, class, severity, message, legal, block, core, pipe, instruction,
// serial, count, `lines`, a list of {file, line, function}, innermost first, `other`, null or a
// second place, {what, lines}, and `also`, a list of more; `suppressed`, null or a reason.
nlohmann::json json_of(const Fault& fault, const SourceLines& lines);

// Every field as it is, for passing a fault between processes.
nlohmann::json to_wire(const Fault& fault);
Fault from_wire(const nlohmann::json& wire);

}  // namespace vinci
