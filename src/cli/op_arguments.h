// --in, --out and --attr of vinci op.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/argument.h"
#include "cli/npy.h"
#include "launch/package/operator_run.h"
#include "op/definitions.h"

namespace vinci::cli {

// NAME=FILE.npy[:DTYPE[:SHAPE]][:LAYOUT] or, of an output, [:DTYPE:SHAPE[:LAYOUT]]. A layout is
// FORMAT[:FORMAT][:SHAPE]: in memory, and before.
struct OpArgument {
  std::string name;
  Argument file;  // kIn or kOut
  launch::Layout layout;
};
OpArgument parse_op_input(const std::string& text);
OpArgument parse_op_output(const std::string& text);

// What the options say about an operator's call; the arrays are read.
struct OpCall {
  launch::OperatorCall call;
  std::vector<Array> arrays;  // that it points to
};
// Throws Error (usage): a name that the operator does not have, a file that cannot be read.
OpCall op_call(const op::Definition& definition, const op::Chip& chip,
               const std::vector<OpArgument>& inputs, const std::vector<OpArgument>& outputs,
               const std::vector<std::string>& attributes);

}  // namespace vinci::cli
