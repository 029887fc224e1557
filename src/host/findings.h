// What has been found in a program with its own main(): told at once, and again at its end.
#pragma once

#include <string>

#include "vinci/fault.h"

namespace vinci::host {

// Prints the fault to stderr, unless it was told before at the same place: then it is only counted.
// From now on the program ends with an exit code of vinci's, if its own would be 0. `kernel` is
// where it happened; empty: in the host's own code. Whether it counts: it is no warning, and
// VINCI_SUPPRESS does not leave it out.
bool tell(Fault fault, const std::string& kernel);
// Reads the file of VINCI_SUPPRESS, or ends the program.
void read_suppressions();
// The fault in the words that tell() prints.
std::string words_of(const Fault& fault);

// That of all that has been told: 0, if there were warnings at most.
int exit_code_so_far();

// Writes the reports that VINCI_JSON and VINCI_SARIF ask for. Called at the program's end; whoever
// ends it otherwise calls it first.
void write_reports();

// Counts a launch, for the report.
void count_launch();

// The same of a call of the program's that is wrong (V8004), at the caller's line.
void tell_wrong_call(std::string message, std::string legal);

}  // namespace vinci::host
