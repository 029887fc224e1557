// vinci run: compile, launch, save, compare, report.
#include <optional>

#include <fmt/format.h>

#include "cli/argument.h"
#include "cli/commands.h"
#include "cli/error.h"
#include "cli/expect.h"
#include "cli/explore.h"
#include "cli/output.h"
#include "cli/paths.h"
#include "cli/result.h"
#include "cli/running.h"
#include "cli/signals.h"
#include "launch/build.h"
#include "launch/chip.h"
#include "launch/launch.h"
#include "launch/options.h"
#include "report/suppress.h"
#include "soc/soc.h"

namespace vinci::cli {
namespace {

using launch::Launch;
using launch::Outcome;

launch::Built build(const RunOptions& options, const Soc& soc) {
  const launch::CommandLimit limit(limit_of(options));
  return launch::build_kernel(options.file, soc, options.cores, options.kernel,
                              "--kernel: ", compiling(options, soc));
}

Outcome run_watched(const Launch& launch, Device& device, const std::vector<Bound>& arguments) {
  std::vector<launch::Value> values;
  for (const Bound& bound : arguments) values.push_back(bound.value);
  return watched(launch, [&](const launch::Watch& watch) {
    return launch::run_kernel(launch, device, values, watch);
  });
}

}  // namespace

int run(const RunOptions& options) {
  const Signals signals;
  const Soc& soc = launch::chip(options.soc);
  const Checks checks = checks_of(options);
  check_words(options);
  const launch::Sandbox sandbox = sandbox_of(options);
  Suppressions suppressions = suppressions_of(options);
  std::vector<Argument> wanted;
  for (const std::string& text : options.arguments) wanted.push_back(parse_argument(text));
  std::vector<Expectation> expectations;
  for (const std::string& text : options.expectations) {
    expectations.push_back(parse_expectation(text));
  }

  check_paths(options.file, options.suppress,
              {{"--json", options.json}, {"--sarif", options.sarif}}, wanted, expectations);
  drop_report(options.json);
  drop_report(options.sarif);
  // Else stdout is the report's.
  const bool quiet = options.quiet || options.json == "-" || options.sarif == "-";

  const launch::Built built = build(options, soc);
  look_at_device_code(options, built, options.file, options.file);
  Device device(soc.name, checks);
  const std::vector<Bound> arguments = bind_arguments(wanted, built.kernel, device);
  for (const Expectation& expectation : expectations) output_named(expectation.output, arguments);

  const Grid grid{options.blocks, built.cores.aic, built.cores.aiv};
  Launch launch{built.shared_objects,
                built.kernel,
                std::string(soc.name),
                grid,
                order_of(options, built.auto_sync),
                options.timeout,
                options.threads,
                "--timeout"};
  launch.sandbox = sandbox;
  std::optional<Exploration> exploration;
  if (options.explore != 0) exploration.emplace(arguments);
  const Outcome outcome = run_watched(launch, device, arguments);
  if (!outcome.load_error.empty()) {
    throw Error(Error::Kind::kCompile,
                fmt::format("{} cannot be loaded: {}", options.file, outcome.load_error));
  }
  Result result{options,       launch,    checks,
                outcome,       arguments, SourceLines::of_maps(outcome.maps),
                outcome.faults};
  tell(result, 0, suppressions);
  if (exploration) {
    explore(*exploration, result,
            [&](const Launch& again) { return run_watched(again, device, arguments); });
  }
  return conclude(result, expectations, suppressions, quiet);
}

}  // namespace vinci::cli
