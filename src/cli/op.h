// The options of vinci op.
#pragma once

#include <string>
#include <vector>

#include "cli/commands.h"

namespace vinci::cli {

struct OpOptions {
  RunOptions run;                    // of which kernel, blocks, cores and arguments say nothing
  std::vector<std::string> package;  // a folder, or sources
  std::string op;                    // empty: the only one
  std::vector<std::string> inputs, outputs, attributes;
  bool list = false, explain = false;
};

int op(OpOptions options);

}  // namespace vinci::cli
