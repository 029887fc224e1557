// What can be said of a call before it runs: a front end asks while it records.
#pragma once

#include <string>
#include <vector>

#include "tik/machine.h"

namespace vinci::tik {

// The tensors that the only call of a program without scalars reaches out of, some of them more
// than once; none if it breaks other rules than that of overlap. GM has what the file says of it.
// Throws BadStatements and std::invalid_argument, for a chip that there is not. Not for several
// threads at a time.
std::vector<Overreach> overreaches_of(const std::string& json);

}  // namespace vinci::tik
