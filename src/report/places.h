// Where a fault is in what its user wrote.
#pragma once

#include <vector>

#include "report/source_line.h"
#include "vinci/fault.h"

namespace vinci {

// A script's statement, without a function, or the kernel's lines; innermost first.
std::vector<SourceLine> places_of(const Fault& fault, const SourceLines& lines);
std::vector<SourceLine> places_of(const Fault::Place& place, const SourceLines& lines);

}  // namespace vinci
