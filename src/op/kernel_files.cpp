#include "op/kernel_files.h"

#include <filesystem>
#include <mutex>
#include <sstream>

#include "vinci/op/kernel_files.h"

namespace vinci::op {
namespace {

namespace fs = std::filesystem;

struct Said {
  std::string type, chips, words;  // a path, or an option

  bool is_for(const std::string& wanted, const std::string& chip) const {
    if (!type.empty() && type != wanted) return false;
    if (chips.empty()) return true;
    std::istringstream list(chips);
    for (std::string one; list >> one;) {
      if (one == chip) return true;
    }
    return false;
  }
};

struct All {
  std::mutex mutex;  // libraries may be loaded by several threads
  std::vector<Said> sources, options;

  static All& instance() {
    static All* const made = new All;  // constructors of other files add to it
    return *made;
  }
};

// Once: several libraries of one package may say the same.
void add(std::vector<Said>& list, Said said) {
  const std::lock_guard lock(All::instance().mutex);
  for (const Said& one : list) {
    if (one.type == said.type && one.chips == said.chips && one.words == said.words) return;
  }
  list.push_back(std::move(said));
}

// The file of that name in a folder or below it.
std::string find_below(const fs::path& folder, const std::string& name, KernelFile& result) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return "";
  result.tried.push_back(folder.lexically_normal().string());
  if (fs::exists(folder / name, error)) return (folder / name).lexically_normal();
  for (fs::recursive_directory_iterator at(folder, error), end; at != end; at.increment(error)) {
    if (at->path().filename() == name) return at->path().lexically_normal();
  }
  return "";
}

}  // namespace

KernelFile kernel_file_of(const std::string& type, const std::string& chip, const std::string& name,
                          const std::string& definition_file) {
  KernelFile result;
  std::vector<fs::path> folders;
  {
    All& all = All::instance();
    const std::lock_guard lock(all.mutex);
    for (const Said& said : all.options) {
      if (said.is_for(type, chip)) result.options.push_back(said.words);
    }
    for (const Said& said : all.sources) {
      if (!said.is_for(type, chip)) continue;
      if (fs::is_directory(said.words)) {
        folders.emplace_back(said.words);
      } else {
        result.path = said.words;  // the last one counts
      }
    }
  }
  if (!result.path.empty()) return result;
  const fs::path own = fs::path(definition_file).parent_path();
  for (const fs::path& up : {own, own.parent_path(), own.parent_path().parent_path()}) {
    if (up.has_relative_path()) folders.push_back(up / "op_kernel");
  }
  if (own.has_relative_path()) folders.push_back(own);
  for (const fs::path& folder : folders) {
    result.path = find_below(folder, name + ".cpp", result);
    if (!result.path.empty()) break;
  }
  return result;
}

}  // namespace vinci::op

extern "C" {

void vinci_op_kernel_source(const char* type, const char* chips, const char* path) {
  vinci::op::add(vinci::op::All::instance().sources, {type, chips, path});
}

void vinci_op_kernel_option(const char* type, const char* chips, const char* option) {
  vinci::op::add(vinci::op::All::instance().options, {type, chips, option});
}

}  // extern "C"
