// opbuild LIBRARY FOLDER: the functions that call the operators of a host library, as build files
// of packages ask for them.
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/error.h"
#include "cli/output.h"
#include "op/aclnn_text.h"
#include "op/definitions.h"
#include "op/error.h"
#include "op/names.h"
#include "op/ops_info.h"

namespace vinci::cli {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

// The environment says how files and functions are called, and whether functions are wanted at all.
op::AclnnOptions options_for(const std::string& library) {
  op::AclnnOptions options;
  options.file_prefix = environment("OPS_PROJECT_NAME", "aclnn");
  options.function_prefix = environment("OPS_DIRECT_ACCESS_PREFIX", options.file_prefix);
  options.function_prefix[0] = char(std::tolower(options.function_prefix[0]));
  options.library = fs::absolute(library);
  std::string units = op::lowered(environment("ASCEND_COMPUTE_UNIT", ""));
  std::ranges::replace(units, ';', ' ');
  std::istringstream words(units);
  for (std::string unit; words >> unit;) options.chips.push_back(unit);
  return options;
}

void write_functions(const op::Operator& one, const op::AclnnOptions& options,
                     const fs::path& folder) {
  if (!one.wrong.empty()) throw usage(one.wrong);
  op::AclnnText text = op::aclnn_text(one.definition, options);
  if (environment("OPS_ACLNN_GEN", "1") == "0") text.header = text.source = "";
  write_file(folder / (text.name + ".h"), text.header);
  write_file(folder / (text.name + ".cpp"), text.source);
}

// What build files of older projects make a list for the toolkit of.
void write_ops_info(const std::vector<op::Operator>& all, const fs::path& folder) {
  std::set<std::string> chips;
  for (const op::Operator& one : all) {
    for (const auto& [chip, on] : one.definition.chips) chips.insert(chip);
  }
  for (const std::string& chip : chips) {
    write_file(folder / fmt::format("aic-{}-ops-info.ini", chip), op::ops_info(all, chip));
  }
}

}  // namespace

int opbuild(const std::vector<std::string>& words) {
  if (words.size() != 2) throw usage("opbuild LIBRARY FOLDER");
  const fs::path folder = words[1];
  if (dlopen(fs::absolute(words[0]).c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    throw usage(dlerror());
  }
  const op::AclnnOptions options = options_for(words[0]);
  const std::vector<op::Operator> all = op::operators();
  if (all.empty()) throw usage(fmt::format("{}: no OP_ADD defines an operator", words[0]));
  for (const op::Operator& one : all) {
    try {
      write_functions(one, options, folder);
    } catch (const op::Error& error) {
      throw usage(error.what());
    }
  }
  write_ops_info(all, folder);
  // Graphs of operators have no place here; projects compile these files and install them.
  for (const char* name : {"op_proto.h", "op_proto.cc"}) {
    write_file(folder / name,
               "// vinci runs operators one by one: there are no prototypes for graphs.\n");
  }
  return kExitClean;
}

}  // namespace vinci::cli
