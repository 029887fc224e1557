// msopgen gen -i FILE.json -c ai_core-CHIP -lan cpp -out FOLDER: a project for operators that a
// file describes, as the toolkit's generator of projects makes one.
#include <filesystem>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/error.h"
#include "cli/output.h"
#include "op/definitions.h"
#include "op/error.h"
#include "op/names.h"
#include "op/project_text.h"
#include "soc/soc.h"

namespace vinci::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kUsage =
    "msopgen gen -i FILE.json -c ai_core-CHIP[,ai_core-CHIP...] [-lan cpp] [-out FOLDER] [-op "
    "TYPE] "
    "[-m 0|1] [-f FRAMEWORK]";

// Both spellings of each option, and the one that the rest asks for.
const std::map<std::string, std::string> kOptions = {
    {"-i", "input"},      {"--input", "input"},
    {"-c", "chips"},      {"--compute_unit", "chips"},
    {"-lan", "language"}, {"--language", "language"},
    {"-out", "output"},   {"--output", "output"},
    {"-op", "operator"},  {"--operator", "operator"},
    {"-m", "mode"},       {"--mode", "mode"},
    {"-f", "framework"},  {"--framework", "framework"}};

std::map<std::string, std::string> options_of(const std::vector<std::string>& words) {
  std::map<std::string, std::string> options;
  for (size_t i = 1; i < words.size(); ++i) {
    const size_t equals = words[i].starts_with("--") ? words[i].find('=') : std::string::npos;
    const auto option = kOptions.find(words[i].substr(0, equals));
    const bool has_value = equals != std::string::npos || i + 1 < words.size();
    if (option == kOptions.end() || !has_value) {
      throw usage(fmt::format("msopgen: {}; legal: {}", words[i], kUsage));
    }
    options[option->second] =
        equals == std::string::npos ? words[++i] : words[i].substr(equals + 1);
  }
  return options;
}

// "ai_core-Ascend910B1" as "ascend910b", as definitions call it.
std::vector<std::string> families_of(const std::string& units) {
  std::vector<std::string> families;
  for (size_t at = 0; at <= units.size();) {
    const size_t end = std::min(units.find(',', at), units.size());
    const std::string unit = units.substr(at, end - at), chip = unit.substr(unit.find('-') + 1);
    const std::string family = op::family_of(chip);
    if (!unit.starts_with("ai_core-") ||
        (find_soc(chip) == nullptr && family == op::lowered(chip) && find_soc(family) == nullptr)) {
      throw usage(
          fmt::format("msopgen: -c {}; legal: ai_core-CHIP, with a chip of vinci list", unit));
    }
    if (std::ranges::find(families, family) == families.end()) families.push_back(family);
    at = end + 1;
  }
  return families;
}

// What is there already stays: a project of an earlier call, with what was written into it.
void write_new(const fs::path& folder, const op::ProjectFile& file) {
  const fs::path path = folder / file.path;
  if (fs::exists(path)) {
    fmt::print("kept {}\n", path.string());
    return;
  }
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  write_file(path, file.text);
  if (path.extension() == ".sh") {
    fs::permissions(path, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add, error);
  }
}

}  // namespace

int msopgen(const std::vector<std::string>& words) {
  if (words.empty() || words.front() != "gen") {
    throw usage(fmt::format("msopgen: projects are all that it makes; legal: {}", kUsage));
  }
  std::map<std::string, std::string> options = options_of(words);
  if (options.contains("language") && options["language"] != "cpp") {
    throw usage(fmt::format("msopgen: -lan {}; legal: cpp", options["language"]));
  }
  const std::string file = options["input"];
  std::ifstream input(file);
  if (!input) throw usage(fmt::format("msopgen: -i {} cannot be read", file));
  const json description = json::parse(input, nullptr, false);
  if (description.is_discarded()) throw usage(fmt::format("msopgen: -i {} is no JSON", file));
  const std::vector<std::string> families = families_of(options["chips"]);
  const fs::path folder = options["output"].empty() ? "." : options["output"];
  try {
    std::vector<op::ProjectFile> files;
    if (options["mode"] != "1") files = op::project_files(families);
    bool found = false;
    for (const json& one : op::described_by_msopgen(description)) {
      const std::string wanted = options["operator"];
      if (!wanted.empty() && one.is_object() && one.value("op", json()) != wanted) continue;
      found = true;
      const auto more = op::operator_files(one, families);
      files.insert(files.end(), more.begin(), more.end());
    }
    if (!found) throw usage(fmt::format("msopgen: {} describes no {}", file, options["operator"]));
    for (const op::ProjectFile& each : files) write_new(folder, each);
  } catch (const op::Error& wrong) {
    throw usage(fmt::format("msopgen: {}: {}", file, wrong.what()));
  }
  fmt::print("{} has a project for these operators: fill op_host and op_kernel, then ./build.sh\n",
             folder.string());
  return kExitClean;
}

}  // namespace vinci::cli
