// The vinci program: its command line.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/cast/cast.h"
#include "cli/commands.h"
#include "cli/draw/draw.h"
#include "cli/error.h"
#include "cli/explore.h"
#include "cli/op.h"
#include "cli/output.h"
#include "report/nearest.h"
#include "vinci/checks.h"
#include "vinci/order.h"

namespace {

using namespace vinci::cli;

// What CLI11 says shows the largest double, and it takes nan.
std::string problem_with_seconds(const std::string& text) {
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0' && seconds >= 0 && std::isfinite(seconds)) return "";
  return fmt::format("{} is no time limit; legal: seconds, 0 (none) or more", text);
}

// An option that may be said several times, with one value each.
void add_repeated(CLI::App& app, const char* name, std::vector<std::string>& values,
                  const char* help) {
  app.add_option(name, values, help)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

// What the commands that run kernels have in common.
void add_running(CLI::App& run, RunOptions& options) {
  run.add_option("--soc", options.soc, "Chip or family (vinci list)")->capture_default_str();
  run.add_option("--threads", options.threads,
                 "Host threads that share the blocks; 0: as many as the host runs at once")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  run.add_option("--check", options.check, "How much is checked: " + vinci::legal_checks())
      ->capture_default_str();
  run.add_flag("--drift", options.drift,
               "The ten calls whose floats lose most against doubles, as --check with drift");
  run.add_option("--schedule", options.schedule,
                 fmt::format("When instructions run: {}", vinci::kLegalSchedules));
  run.add_option(
      "--auto-sync", options.auto_sync,
      fmt::format("Whether the vendor's compiler orders what it sees: {}", vinci::kLegalAutoSync));
  run.add_option("--explore", options.explore,
                 "Run under so many schedules, and compare the bytes of all outputs")
      ->check(CLI::Range(2, kMostSchedules));
  run.add_option("--json", options.json, "Write a report for programs (- for stdout)");
  run.add_option("--sarif", options.sarif, "Write the faults in SARIF 2.1.0 (- for stdout)");
  run.add_option("--suppress", options.suppress,
                 "A file of faults that do not count, one a line: CODE PATH[:LINE] REASON");
  add_repeated(run, "--expect", options.expectations, "OUT.npy=GOLDEN.npy[:rtol=R][:atol=A]");
  run.add_option("--timeout", options.timeout,
                 "Seconds after which the compiler, or the kernel, is ended; 0: never")
      ->capture_default_str()
      ->check(problem_with_seconds);
  run.add_flag(
         "--sandbox{on}", options.sandbox,
         "Shut in what is compiled and run: no files, network or other processes; on, off, or "
         "required (exit unless the host has all of it)")
      ->check(CLI::IsMember({"on", "off", "required"}));
  run.add_flag(
      "--strict-device", options.strict_device,
      "Refuse what no chip has: calls of the host's library, inline assembly, constructors");
  run.add_flag("--no-cache", options.no_cache, "Compile even if nothing has changed");
  run.add_flag("--quiet", options.quiet, "Print faults only");
  run.footer("What follows -- goes to the compiler.");
}

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App* run = app.add_subcommand("run", "Compile a kernel file and run it");
  run->add_option("FILE", options.file, "The kernel's C++ source")->required();
  run->add_option("--kernel", options.kernel, "Which __global__ function, if there are several");
  run->add_option("--blocks", options.blocks, "Number of blocks")
      ->check(CLI::Range(1, 65535))
      ->capture_default_str();
  run->add_option("--cores", options.cores,
                  "Cores of a block: auto (as the kernel says), whole, aic, aiv, mix10, mix01, "
                  "mix11, mix12")
      ->capture_default_str();
  add_repeated(*run, "--arg", options.arguments,
               "The next parameter: in:FILE.npy[:DTYPE[:SHAPE]] out:FILE.npy:DTYPE:SHAPE "
               "inout:IN.npy:OUT.npy[:DTYPE] zeros:DTYPE:SHAPE null value:DTYPE:NUMBER");
  add_running(*run, options);
}

void add_op(CLI::App& app, OpOptions& options) {
  CLI::App* op = app.add_subcommand("op", "Run an operator of a package: op_host and op_kernel");
  op->add_option("PACKAGE", options.package, "The package's folder, or its sources")->required();
  op->add_option("--op", options.op, "Which operator, if there are several");
  add_repeated(*op, "--in", options.inputs,
               "NAME=FILE.npy[:DTYPE[:SHAPE]][:LAYOUT]; of a dynamic one, several; LAYOUT: "
               "FORMAT[:FORMAT][:SHAPE], in memory and before");
  add_repeated(*op, "--attr", options.attributes, "NAME=VALUE; lists as 1,2,3");
  add_repeated(
      *op, "--out", options.outputs,
      "NAME=FILE.npy[:DTYPE:SHAPE[:LAYOUT]]; the shape where the package does not infer it");
  op->add_flag("--list", options.list, "Show the operators instead");
  op->add_flag("--explain", options.explain, "Show the tiling, too: key, blocks, data by name");
  add_running(*op, options.run);
}

struct ExplainOptions {
  std::string topic, soc;
  // Of the topics GetConv2dTiling and GetTiling.
  Conv2dOptions conv2d;
  MatmulOptions matmul;
  std::string type = "half", output;
};

CLI::App* add_explain(CLI::App& app, ExplainOptions& options) {
  CLI::App* explain =
      app.add_subcommand("explain", "The page behind a fault's code, or an instruction's meaning");
  explain->add_option("TOPIC", options.topic, "V1001, Gather, ...")->required();
  explain->add_option("--soc", options.soc, "Types on this chip only");
  add_conv2d(*explain, options.conv2d);
  add_matmul(*explain, options.matmul);
  explain->add_option("--type", options.type, "Of the feature map, or of A and B: half, int8, ...")
      ->capture_default_str()
      ->group("Tilings");
  explain->add_option("-o", options.output, "Draw the tiling into this SVG file")->group("Tilings");
  explain->footer(
      "With an option of Conv2D, explain GetConv2dTiling prints the tiling that these parameters "
      "get; with --shape explain GetTiling that of a Matmul.");
  return explain;
}

// With parameters tilings are computed; without them they are topics like others.
int explain_or_compute(const CLI::App& command, const ExplainOptions& options) {
  const std::string topic = CLI::detail::to_lower(options.topic);
  const bool of_conv2d = topic == "getconv2dtiling", of_matmul = topic == "gettiling";
  bool given = false;
  for (const CLI::Option* option : command.get_options()) {
    const std::string group = option->get_group();
    const bool conv2d = group == "Conv2D", matmul = group == "Matmul";
    if (option->count() == 0 || (!conv2d && !matmul && group != "Tilings")) continue;
    given = true;
    if ((conv2d && !of_conv2d) || (matmul && !of_matmul) || (!of_conv2d && !of_matmul)) {
      throw usage(fmt::format("{} is an option of explain {}", option->get_name(),
                              matmul ? "GetTiling" : "GetConv2dTiling"));
    }
  }
  if (!given) return explain(options.topic, options.soc);
  if (of_conv2d) return explain_tiling(options.conv2d, options.type, options.output);
  return explain_tiling(options.matmul, options.type, options.soc, options.output);
}

// What CLI11 left to a command, and what followed --.
std::vector<std::string> words_of(const CLI::App& command, const std::vector<std::string>& more) {
  std::vector<std::string> words = command.remaining();
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

int program(int argc, char** argv);

std::string_view own_name(char** argv) {
  const std::string_view path = argv[0];
  return path.substr(path.rfind('/') + 1);
}

// Under the name of the vendor's compiler driver the program is one, whatever its options.
bool is_driver(int argc, char** argv) {
  const std::string_view name = own_name(argv);
  return name == "bisheng" || name == "ccec" ||
         (argc > 1 && std::string_view(argv[1]) == "bisheng");
}

// CLI11 would only say that it wants a command.
void check_command(const CLI::App& app, std::string_view word) {
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  if (word.starts_with("-") || std::ranges::find(names, word) != names.end()) return;
  throw usage(fmt::format("unknown command {}{}\n  commands: {}", word,
                          vinci::did_you_mean(word, names), fmt::join(names, " ")));
}

// What a command does not take: the option that was meant, or how a kernel's argument is said.
std::string about_unexpected(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) names.push_back(option->get_name());
  const std::vector<std::string_view> known(names.begin(), names.end());
  std::string text;
  for (const std::string& word : command.remaining()) {
    const std::string option = word.substr(0, word.find('='));
    const bool is_option = option.starts_with("--");
    const std::string meant = is_option ? vinci::did_you_mean(option, known) : "";
    if (!meant.empty()) text += fmt::format("  {}{}\n", option, meant);
    if (!is_option && word.find(':') != word.npos && command.get_name() == "run") {
      text += fmt::format("  an argument of the kernel: --arg {}\n", word);
    }
  }
  return text;
}

// The program's exit code, if reading the words ends it.
std::optional<int> end_of_parsing(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error) == 0 ? kExitClean : kExitUsage;
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
      for (const CLI::App* command : app.get_subcommands()) {
        std::fputs(about_unexpected(*command).c_str(), stderr);
      }
    }
    return code;
  }
}

int main_or_throw(int argc, char** argv) {
  if (is_driver(argc, argv)) {
    const int own_words = own_name(argv) == "vinci" ? 2 : 1;
    return bisheng({argv + own_words, argv + argc});
  }
  if (own_name(argv) == "opbuild" || own_name(argv) == "op_build") {
    return opbuild({argv + 1, argv + argc});
  }
  if (own_name(argv) == "opc") return opc({argv + 1, argv + argc});
  if (own_name(argv) == "atc") return atc({argv + 1, argv + argc});
  if (own_name(argv) == "msopgen") return msopgen({argv + 1, argv + argc});
  // Python's own parser reads what follows.
  if (argc > 1 && std::string_view(argv[1]) == "judge") return judge({argv + 2, argv + argc});
  RunOptions run_options;
  // What follows -- is the compiler's; CLI11 does not see it.
  const int own = int(std::find(argv + 1, argv + argc, std::string_view("--")) - argv);
  if (own < argc) run_options.compiler_options.assign(argv + own + 1, argv + argc);

  CLI::App app("Runs Ascend C kernels on this computer.", "vinci");
  app.set_version_flag("--version", "vinci " VINCI_VERSION);
  app.require_subcommand(1);
  add_run(app, run_options);
  // The other commands' options take milliseconds, for which a run need not wait.
  if (argc > 1 && std::string_view(argv[1]) == "run") {
    if (const std::optional<int> code = end_of_parsing(app, own, argv)) return *code;
    return run(run_options);
  }
  OpOptions op_options;
  add_op(app, op_options);
  DrawOptions draw_options;
  add_draw(app, draw_options);
  CastOptions cast_options;
  CLI::App* cast_command = add_cast(app, cast_options);
  std::string soc;
  std::string cxx_soc{vinci::kDefaultSoc};
  CLI::App* cxx_command =
      app.add_subcommand("c++", "The host compiler with vinci's headers, definitions and library");
  cxx_command->add_option("--soc", cxx_soc, "Chip or family")->capture_default_str();
  cxx_command->prefix_command();
  app.add_subcommand("bisheng", "The vendor's compiler driver: host and device code in one source");
  CLI::App* list_command = app.add_subcommand("list", "What works: instructions, types, chips");
  CLI::Option* only_chip = list_command->add_option("--soc", soc, "Only this chip");
  bool missing = false;
  list_command->add_flag("--missing", missing, "Instead: public names of Ascend C that vinci lacks")
      ->excludes(only_chip);
  bool chips = false;
  CLI::App* env_command =
      app.add_subcommand("env", "Shell lines after which projects for the toolkit find vinci");
  env_command->add_flag("--chips", chips, "Instead: chips and their compiler options, for CMake");
  app.add_subcommand("serve", "Run command lines that come from a program (see docs/guide/run.md)");
  app.add_subcommand("judge", "Verdicts on kernels that nobody trusts, from tasks in JSON");
  ExplainOptions explain_options;
  CLI::App* explain_command = add_explain(app, explain_options);

  if (own > 1) check_command(app, argv[1]);
  if (const std::optional<int> code = end_of_parsing(app, own, argv)) return *code;
  if (app.got_subcommand("op")) {
    op_options.run.compiler_options = run_options.compiler_options;
    return op(op_options);
  }
  if (app.got_subcommand("draw")) return draw(draw_options);
  if (app.got_subcommand("c++")) {
    return cxx(cxx_soc, words_of(*cxx_command, run_options.compiler_options));
  }
  if (app.got_subcommand("cast")) {
    cast_options.numbers = words_of(*cast_command, run_options.compiler_options);
    return cast(cast_options);
  }
  if (app.got_subcommand("list")) return missing ? list_missing() : list(soc);
  if (app.got_subcommand("env")) return chips ? env_chips() : env();
  if (app.got_subcommand("serve")) return serve(program);
  return explain_or_compute(*explain_command, explain_options);
}

int program(int argc, char** argv) {
  try {
    return finish_output(main_or_throw(argc, argv));
  } catch (const Error& error) {
    std::fputs(fmt::format("vinci: {}\n", error.what()).c_str(), stderr);
    return finish_output(exit_code(error));
  } catch (const std::exception& exception) {
    // Printing throws, too.
    if (std::ferror(stdout) != 0) return finish_output(kExitUsage);
    std::fputs(fmt::format("error[V9001] vinci itself went wrong: {}\n"
                           "  = see: vinci explain V9001\n",
                           exception.what())
                   .c_str(),
               stderr);
    return kExitInternal;
  }
}

}  // namespace

int main(int argc, char** argv) {
  prepare_streams();
  return program(argc, argv);
}
