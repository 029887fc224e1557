// What vinci op prints of a package: its operators, and what one call was tiled to.
#pragma once

#include "launch/operator_run.h"
#include "launch/package.h"

namespace vinci::cli {

// --list: all operators with inputs, outputs and attributes, by chip. The exit code.
int list_operators(const launch::Package& package);

// --explain: key, blocks, workspace, and the tiling data by the names of its fields.
void explain(const launch::Package& package, const op::Definition& definition,
             launch::OperatorRun& run);

}  // namespace vinci::cli
