#include "cli/result.h"

#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/error.h"
#include "cli/output.h"
#include "launch/report.h"
#include "report/sarif.h"
#include "report/text.h"

namespace vinci::cli {
namespace {

using launch::Launch;
using launch::Outcome;

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

std::string as_text(const nlohmann::json& report) {
  return report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

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

void print_summary(const Result& result) {
  for (const auto& [expectation, comparison] : result.compared) {
    if (!comparison.comparable || comparison.different != 0) continue;
    fmt::print("{} = {}: {} elements, largest difference {}\n", expectation.output,
               expectation.golden, comparison.elements, comparison.largest);
  }
  if (const Made& made = result.outcome.made; !made.empty()) {
    fmt::print("made of finite numbers: {} infinities, {} NaN, {} saturated "
               "(--check full,numbers says where)\n",
               made.infinities, made.nans, made.saturated);
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

// Where there is more than one finding: how many of each kind, and of all infinities and the like.
void print_kinds(const Result& result) {
  std::map<Code, std::pair<uint64_t, uint64_t>> kinds;  // places, and times
  uint64_t places = 0;
  for (const Fault& fault : result.faults) {
    if (!fault.suppressed.empty()) continue;
    ++places;
    auto& [of_kind, times] = kinds[fault.code];
    ++of_kind;
    times += fault.count;
  }
  if (places < 2) return;
  fmt::print(stderr, "found in all:\n");
  for (const auto& [code, counts] : kinds) {
    fmt::print(stderr, "  {}  {} place(s), {} time(s): {}\n", to_string(code), counts.first,
               counts.second, entry_of(code).title);
  }
  fmt::print(stderr, "\n");
}

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

void tell(Result& result, size_t first, Suppressions& suppressions) {
  for (size_t i = first; i < result.faults.size(); ++i) {
    Fault& fault = result.faults[i];
    suppressions.apply(fault, result.lines);
    if (fault.suppressed.empty()) fmt::print(stderr, "{}\n", text_of(fault, result.lines));
  }
}

}  // namespace vinci::cli
