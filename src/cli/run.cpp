// vinci run: compile, launch, save, compare, report.
#include <unistd.h>

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/argument.h"
#include "launch/chip.h"
#include "cli/commands.h"
#include "launch/compile.h"
#include "cli/error.h"
#include "cli/expect.h"
#include "launch/kernel_file.h"
#include "launch/launch.h"
#include "launch/report.h"
#include "cli/npy.h"
#include "cli/terminal.h"
#include "report/text.h"
#include "soc/soc.h"

namespace vinci::cli {
namespace {

using launch::Launch;
using launch::Outcome;

Checks checks(const std::string& name) {
  if (name == "off") return Checks::kOff;
  return name == "basic" ? Checks::kBasic : Checks::kFull;
}

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

// Compares, prints a line each, and adds a fault for what does not hold.
std::vector<Compared> check_expectations(const std::vector<Expectation>& expectations,
                                         const std::vector<Bound>& arguments,
                                         std::vector<Fault>& faults, bool quiet) {
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
    } else if (!quiet) {
      fmt::print("{} = {}: {} elements, largest difference {}\n", expectation.output,
                 expectation.golden, result.elements, result.largest);
    }
    results.push_back({expectation, result});
  }
  return results;
}

nlohmann::json report_json(const RunOptions& options, const Launch& launch, const Outcome& outcome,
                           const std::vector<Fault>& faults, const SourceLines& lines,
                           const std::vector<Bound>& arguments,
                           const std::vector<Compared>& compared) {
  nlohmann::json outputs = nlohmann::json::array(), expectations = outputs;
  for (const Bound& bound : arguments) {
    if (has_output(bound)) outputs.push_back(bound.argument.output);
  }
  for (const Compared& item : compared) {
    expectations.push_back({{"output", item.expectation.output},
                            {"golden", item.expectation.golden},
                            {"comparable", item.comparison.comparable},
                            {"elements", item.comparison.elements},
                            {"different", item.comparison.different},
                            {"largest_difference", item.comparison.largest}});
  }
  nlohmann::json report =
      launch::report_of(options.file, launch, checks(options.check), outcome, faults, lines);
  report["outputs"] = outputs;
  report["expectations"] = expectations;
  return report;
}

void write_report(const std::string& path, const nlohmann::json& report) {
  const std::string text =
      report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (path == "-") {
    fmt::print("{}", text);
    return;
  }
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw usage(fmt::format("--json {}: cannot be written", path));
}

void print_summary(const Launch& launch, const Outcome& outcome, const std::vector<Fault>& faults) {
  size_t errors = 0, warnings = 0;
  for (const Fault& fault : faults) ++(fault.entry().warning ? warnings : errors);
  std::string verdict = errors == 0 ? "clean" : fmt::format("{} fault(s)", errors);
  if (errors >= kMostFaultPlaces) verdict += ", stopped at so many";
  if (warnings != 0) verdict += fmt::format(", {} warning(s)", warnings);
  if (outcome.blocks_finished != launch.blocks) {
    verdict += fmt::format(", {} of {} blocks finished", outcome.blocks_finished, launch.blocks);
  }
  fmt::print("{} on {}, {} block(s): {} ({:.1f} ms)\n", launch.kernel.name, launch.soc,
             launch.blocks, verdict, outcome.seconds * 1e3);
}

launch::Compiled compile(const RunOptions& options, const Soc& soc) {
  return launch::compile_kernel(
      options.file, soc, launch::own_installation(),
      {options.compiler_options, !options.no_cache, [&](const std::vector<std::string>& command) {
         return start_compiler(command, options.file, soc.name, options.quiet);
       }});
}

Outcome run_watched(const Launch& launch, Device& device, const std::vector<Bound>& arguments) {
  std::vector<launch::Value> values;
  for (const Bound& bound : arguments) values.push_back(bound.value);
  Onlooker onlooker(launch);
  return launch::run_kernel(launch, device, values, onlooker.watch());
}

}  // namespace

int run(const RunOptions& options) {
  const Soc& soc = launch::chip(options.soc);
  std::vector<Argument> wanted;
  for (const std::string& text : options.arguments) wanted.push_back(parse_argument(text));
  std::vector<Expectation> expectations;
  for (const std::string& text : options.expectations) {
    expectations.push_back(parse_expectation(text));
  }

  for (size_t i = 0; i < wanted.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (!wanted[i].output.empty() && wanted[i].output == wanted[j].output) {
        throw usage(fmt::format("two arguments are saved in {}", wanted[i].output));
      }
    }
  }
  if (!options.json.empty() && options.json != "-") unlink(options.json.c_str());
  const bool quiet = options.quiet || options.json == "-";  // stdout is the report's

  const launch::Compiled compiled = compile(options, soc);
  const launch::Kernel kernel = launch::choose_kernel(launch::kernels_in(compiled.shared_object),
                                                      options.kernel, options.file, "--kernel: ");
  Device device(soc.name, checks(options.check));
  const std::vector<Bound> arguments = bind_arguments(wanted, kernel, device);
  for (const Expectation& expectation : expectations) output_named(expectation.output, arguments);

  const Launch launch{
      compiled.shared_object, kernel,     std::string(soc.name), options.blocks, options.timeout,
      options.threads,        "--timeout"};
  const Outcome outcome = run_watched(launch, device, arguments);
  if (!outcome.load_error.empty()) {
    throw Error(Error::Kind::kCompile,
                fmt::format("{} cannot be loaded: {}", options.file, outcome.load_error));
  }
  const SourceLines lines = SourceLines::of_maps(outcome.maps);
  std::vector<Fault> faults = outcome.faults;
  for (const Fault& fault : faults) fmt::print(stderr, "{}\n", text_of(fault, lines));
  const size_t kernel_faults = faults.size();

  for (const Bound& bound : arguments) {
    if (has_output(bound)) write_npy(bound.argument.output, bound.dtype, bound.shape, bound.buffer);
  }
  const auto compared = check_expectations(expectations, arguments, faults, quiet);
  for (size_t i = kernel_faults; i < faults.size(); ++i) {
    fmt::print(stderr, "{}\n", text_of(faults[i], lines));
  }
  const int code = exit_code(faults);
  if (!quiet) print_summary(launch, outcome, faults);
  if (!options.json.empty()) {
    write_report(options.json,
                 report_json(options, launch, outcome, faults, lines, arguments, compared));
  }
  return code;
}

}  // namespace vinci::cli
