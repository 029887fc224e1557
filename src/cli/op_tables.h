// What vinci op prints of a package: its operators, and what one call was tiled to.
#pragma once

#include <string>

#include "launch/package/operator_run.h"
#include "launch/package/package.h"

namespace vinci::cli {

// --list: the operators, or the one that --op names, with inputs, outputs and attributes, by chip.
// The exit code. Throws Error (usage) if there is none of the name.
int list_operators(const launch::Package& package, const std::string& only);

// --explain: key, blocks, workspace, and the tiling data by the names of its fields.
void explain(const launch::Package& package, const op::Definition& definition,
             launch::OperatorRun& run);

}  // namespace vinci::cli
