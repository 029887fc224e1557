// The files of a run: none may be written over what another one is.
#pragma once

#include <string>
#include <vector>

#include "cli/argument.h"
#include "cli/expect.h"
#include "cli/output.h"

namespace vinci::cli {

// Refuses outputs and reports that are one file, or one with a file that the run reads, however
// their paths are spelled; but an inout: may end where it began, and an output may replace an
// input. Devices and pipes take everything. Throws Error (usage).
void check_paths(const std::string& source, const std::string& suppressions,
                 const std::vector<ReportPath>& reports, const std::vector<Argument>& arguments,
                 const std::vector<Expectation>& expectations);

}  // namespace vinci::cli
