// Which cores a kernel runs on: what the user says, or what the kernel's text does.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "launch/compile/dialect.h"
#include "soc/soc.h"
#include "vinci/grid.h"

namespace vinci::launch {

// "whole", "aic", "aiv", "mix11", ...: the cores of one block.
std::string_view name_of(const Grid& grid);
// "auto, whole, aic, ..."
std::string core_choices();

// Throws Error (compile) if the kernel's qualifier is no kind of kernel.
void check_type(const KernelText& kernel);

struct Cores {
  Grid of_block;
  // The kernel says nothing itself; its text tells kinds of cores apart, and so it may need both.
  // What was compiled for each kind shows it: kernel_type_of.
  bool guessed = false;
};

// The cores of one block of a kernel: those that `choice` names, or for "auto" those that its text
// asks for. `kernel` may be empty: the only one. `words` are the compiler's, for its include path.
// Throws Error (usage).
Cores cores_for(std::string_view choice, const std::string& source, const std::string& kernel,
                const Soc& soc, const std::vector<std::string>& words);

// The instructions that an object file or a shared object refers to.
std::set<std::string> instructions_of(const std::string& object);

// The kernel type of a file whose kernels do not name one: what its instructions show, as they were
// compiled for AICs and for AIVs. A kernel that could do without its AIC is for AIVs only.
std::string kernel_type_of(const std::set<std::string>& aic, const std::set<std::string>& aiv);

}  // namespace vinci::launch
