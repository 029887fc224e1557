// vinci op: an operator of a package on arrays.
#include "cli/op.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/error.h"
#include "cli/op_arguments.h"
#include "cli/op_tables.h"
#include "cli/output.h"
#include "cli/paths.h"
#include "cli/running.h"
#include "cli/signals.h"
#include "launch/chip.h"
#include "launch/package/operator_run.h"
#include "launch/options.h"
#include "op/error.h"
#include "report/places.h"
#include "report/text.h"

namespace vinci::cli {
namespace {

using launch::Launch;
using launch::Outcome;

struct Wanted {
  std::vector<OpArgument> inputs, outputs;
  std::vector<Expectation> expectations;
};

Wanted wanted_of(const OpOptions& options) {
  Wanted wanted;
  for (const std::string& text : options.inputs) wanted.inputs.push_back(parse_op_input(text));
  for (const std::string& text : options.outputs) wanted.outputs.push_back(parse_op_output(text));
  for (const std::string& text : options.run.expectations) {
    wanted.expectations.push_back(parse_expectation(text));
    // An output's own name is as good as its file's.
    std::string& expected = wanted.expectations.back().output;
    for (const OpArgument& output : wanted.outputs) {
      if (output.name == expected) expected = output.file.output;
    }
  }
  std::vector<Argument> files;
  for (const auto* list : {&wanted.inputs, &wanted.outputs}) {
    for (const OpArgument& argument : *list) files.push_back(argument.file);
  }
  const RunOptions& run = options.run;
  check_paths(run.file, run.suppress, {{"--json", run.json}, {"--sarif", run.sarif}}, files,
              wanted.expectations);
  return wanted;
}

// The outputs that are saved, in the order of --out.
std::vector<Bound> saved(const std::vector<OpArgument>& wanted,
                         const std::vector<launch::OperatorOutput>& outputs) {
  std::vector<Bound> arguments;
  std::vector<bool> taken(outputs.size());
  for (const OpArgument& argument : wanted) {
    const auto is_it = [&](const launch::OperatorOutput& output) {
      return output.name == argument.name;
    };
    if (std::ranges::none_of(outputs, is_it)) {
      throw usage(
          fmt::format("--out {}: this call has none; InferShape leaves it alone", argument.name));
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (taken[i] || outputs[i].name != argument.name) continue;
      taken[i] = true;
      Bound bound{argument.file, launch::element_type(outputs[i].dtype), {}, outputs[i].buffer, {}};
      bound.shape.assign(outputs[i].shape.begin(), outputs[i].shape.end());
      arguments.push_back(std::move(bound));
      break;
    }
  }
  return arguments;
}

// Addresses of the host code's process mean nothing in the kernel's: its places are said in words.
std::vector<Fault> placed(std::vector<Fault> faults, const SourceLines& lines) {
  for (Fault& fault : faults) {
    const auto places = places_of(fault, lines);
    fault.frames.clear();
    if (places.empty()) continue;
    fault.file = places[0].file;
    fault.line = places[0].line;
  }
  return faults;
}

// One call of an operator, from its arrays to what is told of it.
class OpCommand {
 public:
  OpCommand(const OpOptions& options, const Soc& soc, const Checks& checks, launch::Sandbox sandbox,
            Suppressions& suppressions)
      : options_(options),
        soc_(soc),
        checks_(checks),
        sandbox_(sandbox),
        suppressions_(suppressions) {}

  int run(launch::Package& package, const Wanted& wanted, bool quiet) {
    const op::Definition& definition = package.find(options_.op);
    Device device(soc_.name, checks_);
    launch::OperatorRun run(package, definition, device);
    const OpCall call = op_call(definition, definition.on(std::string(soc_.name)), wanted.inputs,
                                wanted.outputs, options_.attributes);
    const bool is_ready = ask_host(run, call);
    const Outcome& host = run.host_outcome();
    if (!is_ready) {
      const std::vector<Bound> none;
      Result result{options_.run, run.launch(), checks_,
                    host,         none,         SourceLines::of_maps(host.maps),
                    host.faults};
      tell(result, 0, suppressions_);
      result.faults = host.faults;
      write_reports(result);
      if (!quiet) print_summary(result);
      return exit_code(result.faults);
    }
    const SourceLines host_lines = SourceLines::of_maps(host.maps);
    const std::vector<Fault> doubts = placed(host.faults, host_lines);
    const bool launches = compile(run);
    if (options_.explain) explain(package, definition, run);
    return launch(run, wanted, doubts, launches, quiet);
  }

 private:
  bool ask_host(launch::OperatorRun& run, const OpCall& call) const {
    Launch how;
    how.kernel.name = "host code of " + options_.op;
    how.order = order_of(options_.run, {});
    how.timeout_seconds = options_.run.timeout;
    how.threads = options_.run.threads;
    how.timeout_name = "--timeout";
    how.soc = std::string(soc_.name);
    how.sandbox = sandbox_;
    return run.prepare(call.call, how, {nullptr, Signals::came});
  }

  bool compile(launch::OperatorRun& run) const {
    const launch::CommandLimit limit(limit_of(options_.run));
    if (!run.build()) return false;
    const launch::Package::Kernel& kernel = run.kernel();
    look_at_device_code(options_.run, kernel.built, kernel.source, kernel.request.file);
    return true;
  }

  int launch(launch::OperatorRun& run, const Wanted& wanted, const std::vector<Fault>& doubts,
             bool launches, bool quiet) {
    for (const Expectation& expectation : wanted.expectations) {
      output_named(expectation.output, saved(wanted.outputs, run.outputs()));
    }
    std::optional<Exploration> exploration;
    std::vector<Bound> arguments = saved(wanted.outputs, run.outputs());
    if (options_.run.explore != 0) exploration.emplace(arguments);
    Launch& launch = run.launch();
    if (launches) launch.order = order_of(options_.run, run.kernel().built.auto_sync);
    const auto once = [&] {
      return watched(launch, [&](const launch::Watch& watch) { return run.run(watch); });
    };
    const Outcome outcome = launches ? once() : Outcome{};
    if (!outcome.load_error.empty()) {
      throw Error(Error::Kind::kCompile,
                  fmt::format("the kernel cannot be loaded: {}", outcome.load_error));
    }
    run.finish();
    arguments = saved(wanted.outputs, run.outputs());
    Outcome all = outcome;
    all.faults.insert(all.faults.begin(), doubts.begin(), doubts.end());
    Result result{options_.run, launch, checks_, all, arguments, SourceLines::of_maps(all.maps),
                  all.faults};
    tell(result, 0, suppressions_);
    if (exploration && launches) {
      explore(*exploration, result, [&](const Launch& again) {
        const Launch before = launch;
        launch = again;
        const Outcome outcome_again = once();
        launch = before;
        return outcome_again;
      });
    }
    return conclude(result, wanted.expectations, suppressions_, quiet);
  }

  const OpOptions& options_;
  const Soc& soc_;
  const Checks& checks_;
  const launch::Sandbox sandbox_;
  Suppressions& suppressions_;
};

}  // namespace

int op(OpOptions options) {
  const Signals signals;
  const Soc& soc = launch::chip(options.run.soc);
  const Checks checks = checks_of(options.run);
  check_words(options.run);
  const launch::Sandbox sandbox = sandbox_of(options.run);
  options.run.file = options.package[0];
  Suppressions suppressions = suppressions_of(options.run);
  const Wanted wanted = wanted_of(options);
  drop_report(options.run.json);
  drop_report(options.run.sarif);
  // Else stdout is the report's.
  const bool quiet = options.run.quiet || options.run.json == "-" || options.run.sarif == "-";
  try {
    std::optional<launch::Package> package;
    {
      const launch::CommandLimit limit(limit_of(options.run));
      package.emplace(options.package, soc, compiling(options.run, soc), options.op);
    }
    if (options.list) return list_operators(*package, options.op);
    if (options.op.empty()) options.op = package->find("").type;
    return OpCommand(options, soc, checks, sandbox, suppressions).run(*package, wanted, quiet);
  } catch (const op::Error& error) {
    throw launch::as_error(error);
  }
}

}  // namespace vinci::cli
