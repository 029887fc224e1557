// What can be said of a call before it runs: a front end asks while it records.
#pragma once

#include <string>
#include <vector>

#include "tik/machine.h"

namespace vinci::tik {

struct Judgement {
  // The tensors that the call touches, some of them more than once; none if it breaks other rules
  // than that of overlap.
  std::vector<Reach> reaches;
  // "dst and src overlap in part in repeat 0", "dst of repeat 0 overwrites src of repeat 1".
  std::vector<std::string> overlaps;
};

// Of the only call of a program without scalars. GM has what the file says of it. Throws
// BadStatements and std::invalid_argument, for a chip that there is not. Not for several threads at
// a time.
Judgement judge(const std::string& json);

}  // namespace vinci::tik
