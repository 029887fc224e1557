// What a run left, and how commands tell it: faults, comparisons, reports.
#pragma once

#include <string>
#include <vector>

#include "cli/argument.h"
#include "cli/commands.h"
#include "cli/expect.h"
#include "launch/launch.h"
#include "report/source_line.h"
#include "report/suppress.h"
#include "vinci/checks.h"

namespace vinci::cli {

bool has_output(const Bound& bound);
// Throws Error (usage) that lists those that there are.
const Bound& output_named(const std::string& path, const std::vector<Bound>& arguments);

struct Compared {
  Expectation expectation;
  Comparison comparison;
};

// Compares, and adds a fault for what does not hold.
std::vector<Compared> check_expectations(const std::vector<Expectation>& expectations,
                                         const std::vector<Bound>& arguments,
                                         std::vector<Fault>& faults);

// What a run left, for whoever tells it.
struct Result {
  const RunOptions& options;
  const launch::Launch& launch;
  const Checks& checks;
  const launch::Outcome& outcome;
  const std::vector<Bound>& arguments;
  SourceLines lines;
  std::vector<Fault> faults;  // the kernel's, then what was found in its outputs
  std::vector<Compared> compared = {};
  int schedules = 1;  // under which it ran
  std::string differs_under = {};
};

// Of the file that the options name. Throws Error (usage).
Suppressions suppressions_of(const RunOptions& options);
// The faults from `first` on, but not what is suppressed.
void tell(Result& result, size_t first, Suppressions& suppressions);

// The reports that the options ask for: first what is kept, as standard output may be full.
void write_reports(const Result& result);
void print_kinds(const Result& result);
void print_summary(const Result& result);

}  // namespace vinci::cli
