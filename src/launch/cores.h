// Which cores a kernel runs on: what the user says, or what the kernel's text does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/dialect.h"
#include "soc/soc.h"
#include "vinci/grid.h"

namespace vinci::launch {

// "whole", "aic", "aiv", "mix11", ...: the cores of one block.
std::string_view name_of(const Grid& grid);
// "auto, whole, aic, ..."
std::string core_choices();

// Throws Error (compile) if the kernel's qualifier is no kind of kernel.
void check_type(const KernelText& kernel);

// The cores of one block of a kernel: those that `choice` names, or for "auto" those that its text
// asks for. `kernel` may be empty: the only one. `words` are the compiler's, for its include path.
// Throws Error (usage).
Grid cores_for(std::string_view choice, const std::string& source, const std::string& kernel,
               const Soc& soc, const std::vector<std::string>& words);

}  // namespace vinci::launch
