// vinci run: compile, launch, save, compare, report.
#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/argument.h"
#include "launch/chip.h"
#include "cli/commands.h"
#include "launch/build.h"
#include "cli/error.h"
#include "cli/expect.h"
#include "cli/explore.h"
#include "launch/kernel_file.h"
#include "launch/launch.h"
#include "launch/options.h"
#include "launch/report.h"
#include "cli/npy.h"
#include "cli/output.h"
#include "cli/paths.h"
#include "cli/signals.h"
#include "launch/descendants.h"
#include "cli/terminal.h"
#include "report/sarif.h"
#include "report/suppress.h"
#include "report/text.h"
#include "soc/soc.h"

namespace vinci::cli {
namespace {

using launch::Launch;
using launch::Outcome;

bool has_output(const Bound& bound) { return !bound.argument.output.empty(); }

const Bound& output_named(const std::string& path, const std::vector<Bound>& arguments) {
  std::string list;
  for (const Bound& bound : arguments) {
    if (!has_output(bound)) continue;
    if (bound.argument.output == path) return bound;
    list += " " + bound.argument.output;
  }
  throw usage(fmt::format("--expect: {} is no output of this run; there are:{}", path, list));
}

struct Compared {
  Expectation expectation;
  Comparison comparison;
};

// Compares, and adds a fault for what does not hold.
std::vector<Compared> check_expectations(const std::vector<Expectation>& expectations,
                                         const std::vector<Bound>& arguments,
                                         std::vector<Fault>& faults) {
  std::vector<Compared> results;
  for (const Expectation& expectation : expectations) {
    const Bound& bound = output_named(expectation.output, arguments);
    const Comparison result = compare(expectation, bound.dtype, bound.shape, bound.buffer);
    Fault fault;
    if (!result.comparable) {
      fault.code = Code::kGolden;
      fault.message = fmt::format("{}: {}", expectation.output, result.problem);
      fault.legal = "an .npy file of the output's dtype and shape";
      faults.push_back(fault);
    } else if (result.different != 0) {
      fault.code = Code::kExpectation;
      fault.message = fmt::format(
          "{}: {} of {} elements differ from {}; first at {}: {} where {} is expected, largest "
          "difference {}",
          expectation.output, result.different, result.elements, expectation.golden,
          index_text(result.first, bound.shape), result.got, result.wanted, result.largest);
      fault.legal =
          fmt::format("|difference| <= {} + {} * |expected|", expectation.atol, expectation.rtol);
      faults.push_back(fault);
    }
    results.push_back({expectation, result});
  }
  return results;
}

// What a run left, for whoever tells it.
struct Result {
  const RunOptions& options;
  const Launch& launch;
  const Checks& checks;
  const Outcome& outcome;
  const std::vector<Bound>& arguments;
  SourceLines lines;
  std::vector<Fault> faults;  // the kernel's, then what was found in its outputs
  std::vector<Compared> compared = {};
  int schedules = 1;  // under which it ran
  std::string differs_under = {};
};

nlohmann::json report_json(const Result& result) {
  nlohmann::json outputs = nlohmann::json::array(), expectations = outputs, explored;
  for (const Bound& bound : result.arguments) {
    if (has_output(bound)) outputs.push_back(bound.argument.output);
  }
  for (const Compared& item : result.compared) {
    expectations.push_back({{"output", item.expectation.output},
                            {"golden", item.expectation.golden},
                            {"comparable", item.comparison.comparable},
                            {"elements", item.comparison.elements},
                            {"different", item.comparison.different},
                            {"largest_difference", item.comparison.largest}});
  }
  if (result.options.explore != 0) {
    explored = {{"schedules", result.schedules}, {"differs_under", nullptr}};
    if (!result.differs_under.empty()) explored["differs_under"] = result.differs_under;
  }
  nlohmann::json report = launch::report_of(result.options.file, result.launch, result.checks,
                                            result.outcome, result.faults, result.lines);
  report["outputs"] = outputs;
  report["expectations"] = expectations;
  report["explored"] = explored;
  return report;
}

std::string verdict_of(const Result& result) {
  const Outcome& outcome = result.outcome;
  const Grid& grid = result.launch.grid;
  size_t errors = 0, warnings = 0, suppressed = 0;
  for (const Fault& fault : result.faults) {
    ++(!fault.suppressed.empty() ? suppressed : fault.entry().warning ? warnings : errors);
  }
  std::string verdict = errors == 0 ? "clean" : fmt::format("{} fault(s)", errors);
  if (outcome.stopped) verdict += ", stopped at so many";
  if (warnings != 0) verdict += fmt::format(", {} warning(s)", warnings);
  if (suppressed != 0) verdict += fmt::format(", {} suppressed", suppressed);
  if (outcome.blocks_finished != grid.blocks) {
    verdict += fmt::format(", {} of {} blocks finished", outcome.blocks_finished, grid.blocks);
  }
  if (result.schedules == result.options.explore && result.differs_under.empty()) {
    verdict += fmt::format(", same bytes under {} schedules", result.schedules);
  }
  return verdict;
}

void print_summary(const Result& result) {
  for (const auto& [expectation, comparison] : result.compared) {
    if (!comparison.comparable || comparison.different != 0) continue;
    fmt::print("{} = {}: {} elements, largest difference {}\n", expectation.output,
               expectation.golden, comparison.elements, comparison.largest);
  }
  const Launch& launch = result.launch;
  const Grid& grid = launch.grid;
  std::string cores;
  if (grid.aic > 0) cores = fmt::format("{} AIC", grid.aic);
  if (grid.aiv > 0) cores += fmt::format("{}{} AIV", cores.empty() ? "" : " and ", grid.aiv);
  fmt::print("{} on {}, {} block(s){}{}: {} ({:.1f} ms)\n", launch.kernel.name, launch.soc,
             grid.blocks, cores.empty() ? "" : " of ", cores, verdict_of(result),
             result.outcome.seconds * 1e3);
}

std::string as_text(const nlohmann::json& report) {
  return report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// First what is kept: standard output may be full.
void write_reports(const Result& result) {
  if (!result.options.json.empty()) {
    write_report({"--json", result.options.json}, as_text(report_json(result)));
  }
  if (!result.options.sarif.empty()) {
    write_report({"--sarif", result.options.sarif}, as_text(sarif_of(result.faults, result.lines)));
  }
}

Suppressions suppressions_of(const RunOptions& options) {
  if (options.suppress.empty()) return {};
  try {
    return Suppressions::read(options.suppress);
  } catch (const std::runtime_error& error) {
    throw usage(fmt::format("--suppress: {}", error.what()));
  }
}

// Those from `first` on, but not what is suppressed.
void tell(Result& result, size_t first, Suppressions& suppressions) {
  for (size_t i = first; i < result.faults.size(); ++i) {
    Fault& fault = result.faults[i];
    suppressions.apply(fault, result.lines);
    if (fault.suppressed.empty()) fmt::print(stderr, "{}\n", text_of(fault, result.lines));
  }
}

launch::Built build(const RunOptions& options, const Soc& soc) {
  using Clock = std::chrono::steady_clock;
  const launch::CommandLimit limit([&options, start = Clock::now()] {
    if (Signals::came()) return fmt::format("{}: interrupted while compiling", options.file);
    const std::chrono::duration<double> passed = Clock::now() - start;
    if (options.timeout == 0 || passed.count() <= options.timeout) return std::string();
    return fmt::format("{}: the compiler was still at work after {} s; legal: a larger --timeout",
                       options.file, options.timeout);
  });
  launch::CompileOptions compiling;
  compiling.words = options.compiler_options;
  compiling.use_cache = !options.no_cache;
  compiling.tell = tell_messages;
  compiling.start = [&](const std::vector<std::string>& command, const launch::Redirection& to) {
    return start_compiler(command, to, options.file, soc.name, options.quiet);
  };
  return launch::build_kernel(options.file, soc, options.cores, options.kernel,
                              "--kernel: ", compiling);
}

// Checks what options say in words, before anything is compiled.
void check_words(const RunOptions& options) {
  launch::order_of({"--schedule", options.schedule}, {"--auto-sync", options.auto_sync}, {});
  if (options.explore != 0 && !options.schedule.empty()) {
    throw usage("--explore has schedules of its own, the first is eager; leave out --schedule");
  }
}

Order order_of(const RunOptions& options, const launch::Built& built) {
  const std::string schedule = options.explore != 0 ? "eager" : options.schedule;
  return launch::order_of({"--schedule", schedule}, {"--auto-sync", options.auto_sync},
                          built.auto_sync);
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
  const launch::Orphanage orphanage;
  Onlooker onlooker(launch);
  return launch::run_kernel(launch, device, values, onlooker.watch());
}

void explore(Exploration& exploration, Device& device, Result& result) {
  exploration.run(result.options.explore, result.launch.order, result.outcome,
                  [&](const Order& order) {
                    Launch again = result.launch;
                    again.order = order;
                    again.silent = true;
                    return run_watched(again, device, result.arguments);
                  });
  result.schedules = exploration.schedules();
  result.differs_under = exploration.differs_under();
  if (exploration.fault()) result.faults.push_back(*exploration.fault());
}

}  // namespace

int run(const RunOptions& options) {
  const Signals signals;
  const Soc& soc = launch::chip(options.soc);
  const Checks checks = launch::checks_of({"--check", options.check});
  check_words(options);
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
  Device device(soc.name, checks);
  const std::vector<Bound> arguments = bind_arguments(wanted, built.kernel, device);
  for (const Expectation& expectation : expectations) output_named(expectation.output, arguments);

  const Grid grid{options.blocks, built.cores.aic, built.cores.aiv};
  Launch launch{built.shared_objects,     built.kernel,    std::string(soc.name), grid,
                order_of(options, built), options.timeout, options.threads,       "--timeout"};
  launch.sandbox = sandbox_of(options);
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
  if (exploration) explore(*exploration, device, result);

  for (const Bound& bound : arguments) {
    if (has_output(bound)) write_npy(bound.argument.output, bound.dtype, bound.shape, bound.buffer);
  }
  result.compared = check_expectations(expectations, arguments, result.faults);
  tell(result, outcome.faults.size(), suppressions);
  for (const std::string& line : suppressions.unused()) {
    fmt::print(stderr, "vinci: {} matched nothing\n", line);
  }
  write_reports(result);
  if (!quiet) print_summary(result);
  if (outcome.lost_output) note_lost_output();
  return exit_code(result.faults);
}

}  // namespace vinci::cli
