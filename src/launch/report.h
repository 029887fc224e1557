// The report of a run for programs.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "launch/launch.h"
#include "report/source_line.h"
#include "vinci/device.h"

namespace vinci::launch {

// As docs/guide/faults.md describes it, with `faults`, which may be more than the kernel's own;
// without `outputs` and `expectations`.
nlohmann::json report_of(const std::string& file, const Launch& launch, const Checks& checks,
                         const Outcome& outcome, const std::vector<Fault>& faults,
                         const SourceLines& lines);

}  // namespace vinci::launch
