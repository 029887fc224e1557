// Faults as people read them.
#pragma once

#include <string>
#include <vector>

#include "report/source_line.h"
#include "vinci/fault.h"

namespace vinci {

// One fault over several lines, as in docs/guide/faults.md. File names are shortened when they lie
// below the current directory.
std::string text_of(const Fault& fault, const SourceLines& lines);
// The same where `places` are known: the fault's own, and those that it is called from.
std::string text_of(const Fault& fault, const std::vector<SourceLine>& places,
                    const SourceLines& lines);

// The text with its control characters, but ends of lines, as \x1b: what a kernel is called, and
// where its lines say that they stand, it chooses itself, and a terminal would obey.
std::string printable(const std::string& text);

std::string shortened(const std::string& path);

}  // namespace vinci
