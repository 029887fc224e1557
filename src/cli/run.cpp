// vinci run: compile, launch, save, compare, report.
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

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
#include "launch/device_code.h"
#include "launch/launch.h"
#include "launch/options.h"
#include "report/suppress.h"
#include "soc/soc.h"

namespace vinci::cli {
namespace {

using launch::Launch;
using launch::Outcome;

constexpr int kCompilerSeconds = 60;  // of a source that nobody trusts

launch::Built build(const RunOptions& options, const Soc& soc) {
  const launch::CommandLimit limit(limit_of(options));
  launch::CompileOptions how = compiling(options, soc);
  if (options.sandbox != "off") how.confined_seconds = kCompilerSeconds;
  return launch::build_kernel(options.file, soc, options.cores, options.kernel, "--kernel: ", how);
}

// What no chip has: told where nobody trusts the kernel, and refused if that is wanted.
void look_at_device_code(const RunOptions& options, const launch::Built& built) {
  if (!options.strict_device && options.sandbox == "off") return;
  const std::vector<std::string> parts =
      launch::not_device_code(built, options.file, options.compiler_options);
  if (parts.empty()) return;
  const std::string message =
      fmt::format("{} is not device code: {}", options.file, fmt::join(parts, "; "));
  if (options.strict_device) throw Error(Error::Kind::kCompile, message);
  fmt::print(stderr, "vinci: warning: {}\n", message);
}

// Tells what the host lacks. Throws Error (usage) if all of it is required.
launch::Sandbox sandbox_of(const RunOptions& options) {
  if (options.sandbox == "off") return launch::Sandbox::kOff;
  const std::vector<std::string> missing = launch::missing_sandbox_parts();
  const bool required = options.sandbox == "required";
  if (required && !missing.empty()) {
    throw usage(fmt::format("--sandbox=required: this host lacks {}", fmt::join(missing, "; ")));
  }
  for (const std::string& part : missing) {
    fmt::print(stderr, "vinci: --sandbox: this host lacks {}\n", part);
  }
  return required ? launch::Sandbox::kRequired : launch::Sandbox::kOn;
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
  look_at_device_code(options, built);
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
