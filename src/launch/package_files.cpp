#include "launch/package_files.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launch/error.h"
#include "launch/preprocess.h"
#include "launch/source_text.h"

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
  if (is_kernel) files.kernels.push_back(file.string());
  if (is_host) files.host.push_back(file.string());
}

// -D and -I behind OPTIONS, and the kernels' sources, as far as they are said without variables.
void read_cmake(const fs::path& file, PackageFiles& files) {
  static const std::regex comment("#[^\n]*");
  const std::string text = std::regex_replace(content_of(file.string()).value_or(""), comment, "");
  static const std::regex call(R"((\w+)\s*\(([^()]*)\))");
  static const std::regex word(R"(\S+)");
  for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at) {
    const std::string name = (*at)[1], arguments = (*at)[2];
    std::vector<std::string> words;
    for (std::sregex_iterator each(arguments.begin(), arguments.end(), word); each != end; ++each) {
      words.push_back(each->str());
    }
    if (name == "add_ops_compile_options" || name == "npu_op_kernel_options") {
      for (const std::string& option : words) {
        const bool is_ours = option.starts_with("-D") || option.starts_with("-I");
        if (is_ours && option.find('$') == std::string::npos) files.words.push_back(option);
      }
    }
    if (name != "npu_op_kernel_sources") continue;
    const auto behind = [&](const std::string& key) {
      const auto found = std::ranges::find(words, key);
      return found == words.end() || found + 1 == words.end() ? std::string() : *(found + 1);
    };
    const std::string type = behind("OP_TYPE"), kernel = behind("KERNEL_FILE");
    const fs::path path = file.parent_path() / behind("KERNEL_DIR") / kernel;
    std::error_code error;
    if (!type.empty() && fs::is_regular_file(path, error)) {
      files.kernel_file[type] = path.lexically_normal().string();
    }
  }
}

void walk(const fs::path& folder, PackageFiles& files) {
  std::error_code error;
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder, error)) entries.push_back(entry.path());
  std::ranges::sort(entries);  // the order in which they are compiled and registered
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    if (fs::is_directory(entry, error)) {
      const bool is_left_out =
          name.starts_with(".") || std::ranges::find(kNotOurs, name) != std::end(kNotOurs);
      if (!is_left_out) walk(entry, files);
    } else if (name == "CMakeLists.txt") {
      read_cmake(entry, files);
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
        for (const char* name :
             {"op_host", "op_kernel", "common/include", "common/inc", "common", "utils/inc"}) {
          add(at / name);
        }
      }
    }
  }
}

}  // namespace

PackageFiles find_package(const std::vector<std::string>& paths) {
  PackageFiles files;
  files.name = fmt::format("{}", fmt::join(paths, " "));
  fs::path root;
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path).lexically_normal();
    if (!fs::exists(absolute, error)) throw usage(fmt::format("{} does not exist", path));
    if (fs::is_directory(absolute, error)) {
      root = absolute.has_filename() ? absolute : absolute.parent_path();
      walk(root, files);
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
