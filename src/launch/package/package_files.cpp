#include "launch/package/package_files.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "launch/package/cmake_file.h"
#include "launch/error.h"
#include "launch/compile/preprocess.h"
#include "launch/compile/source_text.h"
#include "op/definitions.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNotOurs[] = {"build",    "build_out", "out",     "cmake",
                                         "test",     "tests",     "ut",      "st",
                                         "examples", "framework", "scripts", "docs",
                                         "op_api",   "op_graph",  "autogen", "cmake-build-debug"};
constexpr std::string_view kHostWords[] = {"OP_ADD",
                                           "IMPL_OP",
                                           "IMPL_OP_OPTILING",
                                           "IMPL_OP_INFERSHAPE",
                                           "REGISTER_OPS_TILING_TEMPLATE",
                                           "REGISTER_TILING_TEMPLATE",
                                           "REGISTER_TILING_TEMPLATE_WITH_ARCH",
                                           "REGISTER_TILING_TEMPLATE_WITH_SOCVERSION",
                                           "TilingContext",
                                           "InferShapeContext",
                                           "InferDataTypeContext",
                                           "REGISTER_TILING_DATA_CLASS"};
constexpr std::string_view kSources[] = {".cpp", ".cc", ".cxx"};

bool is_source(const fs::path& file) {
  return std::ranges::find(kSources, file.extension().string()) != std::end(kSources);
}

bool is_archive(const fs::path& file) {
  static constexpr std::string_view kEndings[] = {".zip", ".tar", ".gz", ".tgz", ".run", ".7z"};
  return std::ranges::find(kEndings, file.extension().string()) != std::end(kEndings);
}

bool is_below(const fs::path& file, std::string_view folder) {
  return std::ranges::any_of(file.parent_path(),
                             [&](const fs::path& part) { return part.string() == folder; });
}

void add_source(const fs::path& file, bool is_given, PackageFiles& files) {
  const std::string text = content_of(file.string()).value_or("");
  const auto has = [&](std::string_view word) { return has_word(text, word); };
  const fs::path relative = is_given ? file.filename() : file;
  const bool is_kernel = has("__global__") && !is_below(relative, "op_host");
  // A tiling function may be spread over files that name none of these.
  const bool is_host = !is_kernel && !is_below(relative, "op_kernel") &&
                       (is_below(relative, "op_host") || std::ranges::any_of(kHostWords, has));
  if (is_kernel) {
    files.kernels.push_back(file.string());
    files.said.add_source("", "", file.string());
  }
  if (is_host) files.host.push_back(file.string());
}

// What stands behind a key, up to the next one.
std::vector<std::string> behind(const CMakeCall& call, std::string_view key) {
  static constexpr std::string_view kKeys[] = {"OP_TYPE", "KERNEL_DIR", "KERNEL_FILE",
                                               "COMPUTE_UNIT", "OPTIONS"};
  std::vector<std::string> words;
  auto at = std::ranges::find(call.words, key);
  if (at == call.words.end()) return words;
  for (++at; at != call.words.end() && std::ranges::find(kKeys, *at) == std::end(kKeys); ++at) {
    words.push_back(*at);
  }
  return words;
}

bool is_known(const std::string& word) { return word.find('$') == std::string::npos; }

// add_ops_compile_options(ALL|<type> [COMPUTE_UNIT <chip>...] OPTIONS <option>...), in which the
// newer npu_op_kernel_options has a target before the type.
void take_options(const CMakeCall& call, PackageFiles& files) {
  const size_t at = call.name == "npu_op_kernel_options" ? 1 : 0;
  if (call.words.size() <= at) return;
  const std::string& type = call.words[at];
  const std::string chips = fmt::format("{}", fmt::join(behind(call, "COMPUTE_UNIT"), " "));
  for (const std::string& option : behind(call, "OPTIONS")) {
    const bool is_ours =
        option.starts_with("-D") || option.starts_with("-U") || option.starts_with("-I");
    if (!is_ours || !is_known(option)) continue;
    files.said.add_option(type == "ALL" || type == "OP_TYPE" ? "" : type, chips, option);
  }
}

// npu_op_kernel_sources(<target> [OP_TYPE <type>] [KERNEL_DIR <path>] [COMPUTE_UNIT <chip>...]
// [KERNEL_FILE <file>])
void take_source(const CMakeCall& call, const fs::path& folder, PackageFiles& files) {
  const auto one = [&](std::string_view key) {
    const auto words = behind(call, key);
    return words.empty() ? std::string() : words.front();
  };
  const std::string type = one("OP_TYPE");
  const fs::path path = folder / one("KERNEL_DIR") / one("KERNEL_FILE");
  std::error_code error;
  if (type.empty() || !fs::is_regular_file(path, error)) return;
  const std::string chips = fmt::format("{}", fmt::join(behind(call, "COMPUTE_UNIT"), " "));
  files.said.add_source(type, chips, path.lexically_normal().string());
}

void read_cmake(const fs::path& file, CMakeVariables& variables, PackageFiles& files) {
  const std::string folder = file.parent_path().string();
  for (const char* name : {"CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR"}) {
    variables[name] = folder;
  }
  variables.try_emplace("CMAKE_SOURCE_DIR", folder);
  variables.try_emplace("PROJECT_SOURCE_DIR", folder);
  for (const CMakeCall& call : cmake_calls(content_of(file.string()).value_or(""), variables)) {
    if (call.name == "add_ops_compile_options" || call.name == "npu_op_kernel_options") {
      take_options(call, files);
    } else if (call.name == "npu_op_kernel_sources") {
      take_source(call, file.parent_path(), files);
    }
  }
}

// The variables of the first preset that is there, as projects of msopgen have it.
void read_presets(const fs::path& file, CMakeVariables& variables) {
  using nlohmann::json;
  const json presets = json::parse(content_of(file.string()).value_or(""), nullptr, false);
  if (!presets.is_object() || !presets.contains("configurePresets")) return;
  const json& list = presets["configurePresets"];
  if (!list.is_array() || list.empty() || !list[0].is_object()) return;
  const json said_there = list[0].value("cacheVariables", json::object());
  if (!said_there.is_object()) return;
  for (const auto& [name, said] : said_there.items()) {
    const json value = said.is_object() ? said.value("value", json()) : said;
    if (value.is_string()) variables[name] = value.get<std::string>();
  }
}

// What a project of msopgen is built as, for one chip.
CMakeVariables first_variables(const fs::path& root, const std::string& soc) {
  CMakeVariables variables = {{"CMAKE_BUILD_TYPE", "Release"}};
  read_presets(root / "CMakePresets.json", variables);
  variables["ASCEND_COMPUTE_UNIT"] = op::family_of(soc);
  return variables;
}

// `variables` go from a folder to those below it. One that is known was there by another name:
// links may lead back, and round and round.
void walk(const fs::path& folder, CMakeVariables variables, std::set<fs::path>& known,
          PackageFiles& files) {
  std::error_code error;
  if (!known.insert(fs::weakly_canonical(folder, error)).second) return;
  if (fs::exists(folder / "CMakeLists.txt", error)) {
    read_cmake(folder / "CMakeLists.txt", variables, files);
  }
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder, error)) entries.push_back(entry.path());
  std::ranges::sort(entries);  // the order in which they are compiled and registered
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    if (fs::is_directory(entry, error)) {
      const bool is_left_out =
          name.starts_with(".") || std::ranges::find(kNotOurs, name) != std::end(kNotOurs);
      if (!is_left_out) walk(entry, variables, known, files);
    } else if (is_source(entry)) {
      add_source(entry, false, files);
    }
  }
}

// A source's own folder, and what operators share: folders beside op_host and further up, where
// several operators make a repository.
void add_folders(const fs::path& root, PackageFiles& files) {
  constexpr int kMostUp = 4;
  std::set<std::string> known;
  const auto add = [&](const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error) || !known.insert(folder.string()).second) return;
    files.folders.push_back(folder.string());
  };
  for (const auto* list : {&files.host, &files.kernels}) {
    for (const std::string& file : *list) add(fs::path(file).parent_path());
  }
  add(root);
  for (const auto* list : {&files.host, &files.kernels}) {
    for (const std::string& file : *list) {
      fs::path at = fs::path(file).parent_path();
      for (int up = 0; up < kMostUp && at.has_relative_path(); ++up, at = at.parent_path()) {
        for (const char* name : {"op_host", "op_kernel", "common/include", "common/inc",
                                 "common/op_host", "common/op_kernel", "common", "utils/inc"}) {
          add(at / name);
        }
      }
    }
  }
}

}  // namespace

PackageFiles find_package(const std::vector<std::string>& paths, const std::string& soc) {
  PackageFiles files;
  files.name = fmt::format("{}", fmt::join(paths, " "));
  fs::path root;
  std::set<fs::path> known;
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path).lexically_normal();
    if (!fs::exists(absolute, error)) throw usage(fmt::format("{} does not exist", path));
    if (fs::is_directory(absolute, error)) {
      root = absolute.has_filename() ? absolute : absolute.parent_path();
      walk(root, first_variables(root, soc), known, files);
    } else if (is_archive(absolute)) {
      throw usage(fmt::format("{} is an archive; legal: the folder that it is unpacked to", path));
    } else {
      root = absolute.parent_path();
      add_source(absolute, true, files);
    }
  }
  if (files.host.empty()) {
    throw usage(
        fmt::format("{} has no operator: no source says OP_ADD; legal: a folder with "
                    "op_host and op_kernel, or their sources",
                    files.name));
  }
  add_folders(root, files);
  return files;
}

}  // namespace vinci::launch
