// opc KERNEL.py --input_param=FILE.json --output=FOLDER ...: the toolkit's compiler of a package's
// kernels, for build files that will not do without. vinci compiles a kernel when a program first
// calls its operator, so the files that such builds wait for hold nothing.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/error.h"
#include "cli/output.h"

namespace vinci::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// --name=value, or --name value; "" if it is not there.
std::string option(const std::vector<std::string>& words, const std::string& name) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == name && i + 1 < words.size()) return words[i + 1];
    if (words[i].starts_with(name + "=")) return words[i].substr(name.size() + 1);
  }
  return "";
}

// The name that the description gives to one kernel's files.
std::string binary_name(const std::string& path) {
  std::ifstream file(path);
  const json said = json::parse(file, nullptr, false);
  const json* at = said.is_object() && said.contains("op_list") ? &said["op_list"] : nullptr;
  if (at == nullptr || !at->is_array() || at->empty() || !at->front().is_object()) return "";
  return at->front().value("bin_filename", "");
}

}  // namespace

int opc(const std::vector<std::string>& words) {
  const std::string name = binary_name(option(words, "--input_param"));
  const fs::path folder = option(words, "--output");
  if (name.empty() || folder.empty()) {
    throw usage(
        "opc: vinci compiles kernels when a program calls their operators, not before; legal: "
        "--input_param=FILE.json with a bin_filename and --output=FOLDER, for empty files; or a "
        "project without binaries: ENABLE_BINARY_PACKAGE False in CMakePresets.json");
  }
  std::error_code error;
  fs::create_directories(folder, error);
  write_file(folder / (name + ".json"), json{{"binFileName", name}}.dump() + "\n");
  write_file(folder / (name + ".o"), "");
  return kExitClean;
}

}  // namespace vinci::cli
