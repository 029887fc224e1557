#include "cli/paths.h"

#include <filesystem>

#include <fmt/format.h>

#include "cli/error.h"

namespace vinci::cli {
namespace {

namespace fs = std::filesystem;

// Where a file would be made: behind links that lead to nothing, too.
fs::path place_of(fs::path path) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  for (int links = 0; links < kMostLinks && fs::is_symlink(path, error); ++links) {
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return fs::weakly_canonical(fs::absolute(path, error), error);
}

bool is_same(const std::string& a, const std::string& b) {
  std::error_code error;
  if (a.empty() || b.empty() || a == "-" || b == "-") return false;
  if (fs::exists(a, error) && fs::exists(b, error)) {
    return fs::equivalent(a, b, error) && fs::is_regular_file(a, error);
  }
  return place_of(a) == place_of(b);
}

std::string both(const std::string& a, const std::string& b) {
  return a == b ? a : fmt::format("{} and {}, which are one file", a, b);
}

void check_report(const std::string& source, const std::string& suppressions,
                  const ReportPath& report, const std::vector<Argument>& arguments,
                  const std::vector<Expectation>& expectations) {
  const auto check = [&](const std::string& path, const char* what) {
    if (!is_same(report.path, path)) return;
    throw usage(fmt::format("{} {}: that is {}", report.option, report.path, what));
  };
  check(source, "the kernel's source");
  check(suppressions, "the file of suppressions");
  for (const Argument& argument : arguments) {
    check(argument.output, "an output");
    check(argument.input, "an input");
  }
  for (const Expectation& expectation : expectations) check(expectation.golden, "a golden file");
}

void check_reports(const std::vector<ReportPath>& reports) {
  for (size_t i = 0; i < reports.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const auto& [option, path] = reports[i];
      const bool to_stdout = path == "-" && reports[j].path == "-";
      if (!to_stdout && !is_same(path, reports[j].path)) continue;
      throw usage(fmt::format("{} {}: that is the file of {}", option, path, reports[j].option));
    }
  }
}

}  // namespace

void check_paths(const std::string& source, const std::string& suppressions,
                 const std::vector<ReportPath>& reports, const std::vector<Argument>& arguments,
                 const std::vector<Expectation>& expectations) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& output = arguments[i].output;
    if (is_same(output, source)) {
      throw usage(fmt::format("{}: {} is the kernel's source", arguments[i].text, output));
    }
    for (size_t j = 0; j < i; ++j) {
      if (!is_same(output, arguments[j].output)) continue;
      throw usage(fmt::format("two arguments are saved in {}", both(arguments[j].output, output)));
    }
  }
  for (const ReportPath& report : reports)
    check_report(source, suppressions, report, arguments, expectations);
  check_reports(reports);
  for (const auto& [output, golden, rtol, atol] : expectations) {
    if (!is_same(output, golden)) continue;
    throw usage(fmt::format("--expect {}={}: an output agrees with itself, whatever it is", output,
                            golden));
  }
}

}  // namespace vinci::cli
