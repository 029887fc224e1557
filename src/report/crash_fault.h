// A crash as a fault.
#pragma once

#include <string>

#include "core/crash.h"
#include "vinci/fault.h"

namespace vinci {

// Sorts the signal into a code and says what happened to `kernel`. A stopped kernel (where_signal)
// becomes a V5004 whose message the caller may replace.
Fault crash_fault(const Crash& crash, const std::string& kernel);

}  // namespace vinci
