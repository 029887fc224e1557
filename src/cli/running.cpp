#include "cli/running.h"

#include <unistd.h>

#include <chrono>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/error.h"
#include "cli/npy.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "launch/sandbox/cgroup.h"
#include "launch/sandbox/descendants.h"
#include "launch/compile/device_code.h"
#include "launch/options.h"

namespace vinci::cli {

using launch::Launch;
using launch::Outcome;

namespace {

constexpr int kCompilerSeconds = 60;  // of a source that nobody trusts

}  // namespace

Checks checks_of(const RunOptions& options) {
  Checks checks = launch::checks_of({"--check", options.check});
  if (!options.drift) return checks;
  if (checks.level == CheckLevel::kOff) throw usage("--drift needs checks; leave out --check off");
  checks.tools |= Checks::kDrift;
  return checks;
}

void check_words(const RunOptions& options) {
  launch::order_of({"--schedule", options.schedule}, {"--auto-sync", options.auto_sync}, {});
  if (options.explore != 0 && !options.schedule.empty()) {
    throw usage("--explore has schedules of its own, the first is eager; leave out --schedule");
  }
}

Order order_of(const RunOptions& options, std::optional<bool> of_compiler) {
  const std::string schedule = options.explore != 0 ? "eager" : options.schedule;
  return launch::order_of({"--schedule", schedule}, {"--auto-sync", options.auto_sync},
                          of_compiler);
}

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
  launch::enter_group(launch::own_group(), getpid(), launch::GroupLimits{});
  return required ? launch::Sandbox::kRequired : launch::Sandbox::kOn;
}

void look_at_device_code(const RunOptions& options, const launch::Built& built,
                         const std::string& source, const std::string& name) {
  if (!options.strict_device && options.sandbox == "off") return;
  const std::vector<std::string> parts =
      launch::not_device_code(built, source, options.compiler_options);
  if (parts.empty()) return;
  const std::string message =
      fmt::format("{} is not device code: {}", name, fmt::join(parts, "; "));
  if (options.strict_device) throw Error(Error::Kind::kCompile, message);
  fmt::print(stderr, "vinci: warning: {}\n", message);
}

std::function<std::string()> limit_of(const RunOptions& options) {
  using Clock = std::chrono::steady_clock;
  return [&options, start = Clock::now()] {
    if (Signals::came()) return fmt::format("{}: interrupted while compiling", options.file);
    const std::chrono::duration<double> passed = Clock::now() - start;
    if (options.timeout == 0 || passed.count() <= options.timeout) return std::string();
    return fmt::format("{}: the compiler was still at work after {} s; legal: a larger --timeout",
                       options.file, options.timeout);
  };
}

launch::CompileOptions compiling(const RunOptions& options, const Soc& soc) {
  launch::CompileOptions made;
  made.words = options.compiler_options;
  made.use_cache = !options.no_cache;
  if (options.sandbox != "off") made.confined_seconds = kCompilerSeconds;
  made.tell = tell_messages;
  made.start = [&options, &soc](const std::vector<std::string>& command,
                                const launch::Redirection& to) {
    return start_compiler(command, to, options.file, soc.name, options.quiet);
  };
  return made;
}

Outcome watched(const Launch& launch, const std::function<Outcome(const launch::Watch&)>& run) {
  const launch::Orphanage orphanage;
  Onlooker onlooker(launch);
  return run(onlooker.watch());
}

void explore(Exploration& exploration, Result& result,
             const std::function<Outcome(const Launch&)>& run) {
  exploration.run(result.options.explore, result.launch.order, result.outcome,
                  [&](const Order& order) {
                    Launch again = result.launch;
                    again.order = order;
                    again.silent = true;
                    return run(again);
                  });
  result.schedules = exploration.schedules();
  result.differs_under = exploration.differs_under();
  if (exploration.fault()) result.faults.push_back(*exploration.fault());
}

int conclude(Result& result, const std::vector<Expectation>& expectations,
             Suppressions& suppressions, bool quiet) {
  const size_t told = result.outcome.faults.size();
  for (const Bound& bound : result.arguments) {
    if (has_output(bound)) write_npy(bound.argument.output, bound.dtype, bound.shape, bound.buffer);
  }
  result.compared = check_expectations(expectations, result.arguments, result.faults);
  tell(result, told, suppressions);
  for (const std::string& line : suppressions.unused()) {
    fmt::print(stderr, "vinci: {} matched nothing\n", line);
  }
  print_kinds(result);
  write_reports(result);
  if (!quiet) print_summary(result);
  if (result.outcome.lost_output) note_lost_output();
  return exit_code(result.faults);
}

}  // namespace vinci::cli
