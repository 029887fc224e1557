#include "op/kernel_files.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <sstream>

#include "op/definitions.h"
#include "op/kernel_source.h"
#include "op/names.h"
#include "vinci/op/kernel_files.h"

namespace vinci::op {
namespace {

namespace fs = std::filesystem;

// Of a program; libraries may be loaded by several threads.
struct Program {
  std::mutex mutex;
  KernelFiles files;

  static Program& instance() {
    static Program* const made = new Program;  // constructors of other files add to it
    return *made;
  }
};

bool has_function(const std::string& path, const std::string& function) {
  const auto functions = KernelSource(path).functions();
  return std::ranges::find(functions, function) != functions.end();
}

// A file, or the sources in a folder and below it, in the order of their paths.
std::vector<std::string> sources_at(const fs::path& place) {
  std::error_code error;
  if (!fs::is_directory(place, error)) return {place.lexically_normal().string()};
  std::vector<std::string> found;
  for (fs::recursive_directory_iterator at(place, error), end; at != end; at.increment(error)) {
    if (at->path().extension() == ".cpp") found.push_back(at->path().lexically_normal().string());
  }
  std::ranges::sort(found);
  return found;
}

// Where a kernel lies if nobody says it.
std::vector<fs::path> folders_beside(const std::string& definition_file) {
  std::vector<fs::path> folders;
  if (definition_file.empty()) return folders;
  const fs::path own = fs::path(definition_file).parent_path();
  for (const fs::path& up : {own, own.parent_path(), own.parent_path().parent_path()}) {
    if (up.has_relative_path()) folders.push_back(up / "op_kernel");
  }
  if (own.has_relative_path()) folders.push_back(own);
  std::error_code error;
  std::erase_if(folders, [&](const fs::path& one) { return !fs::is_directory(one, error); });
  return folders;
}

}  // namespace

// COMPUTE_UNIT names chips (Ascend910B1) or what a definition calls them (ascend910b).
bool KernelFiles::Said::is_for(const KernelWanted& wanted) const {
  if (!type.empty() && type != wanted.type) return false;
  if (chips.empty()) return true;
  std::istringstream list(chips);
  for (std::string one; list >> one;) {
    const std::string name = lowered(one);
    if (name == lowered(wanted.soc) || name == family_of(wanted.soc)) return true;
  }
  return false;
}

// Once: several libraries of one package may say the same.
void KernelFiles::add(std::vector<Said>& list, Said said) {
  if (std::ranges::find(list, said) == list.end()) list.push_back(std::move(said));
}

void KernelFiles::add_source(std::string type, std::string chips, std::string path) {
  add(sources_, {std::move(type), std::move(chips), std::move(path)});
}

void KernelFiles::add_option(std::string type, std::string chips, std::string option) {
  add(options_, {std::move(type), std::move(chips), std::move(option)});
}

KernelFile KernelFiles::find(const KernelWanted& wanted) const {
  KernelFile result;
  std::vector<fs::path> places;
  std::error_code error;
  for (const Said& said : options_) {
    if (said.is_for(wanted)) result.options.push_back(said.words);
  }
  for (const Said& said : sources_) {
    if (!said.is_for(wanted)) continue;
    if (said.type.empty() || fs::is_directory(said.words, error)) {
      places.emplace_back(said.words);
    } else {
      result.path = said.words;
    }
  }
  if (!result.path.empty()) return result;
  std::ranges::copy(folders_beside(wanted.definition_file), std::back_inserter(places));
  std::vector<std::string> all;
  for (const fs::path& place : places) {
    result.tried.push_back(place.lexically_normal().string());
    std::ranges::copy(sources_at(place), std::back_inserter(all));
  }
  auto found = std::ranges::find_if(
      all, [&](const std::string& path) { return fs::path(path).stem() == wanted.name; });
  if (found == all.end()) {
    found = std::ranges::find_if(
        all, [&](const std::string& path) { return has_function(path, wanted.function); });
  }
  if (found != all.end()) result.path = *found;
  return result;
}

KernelFile kernel_file_of(const KernelWanted& wanted) {
  Program& program = Program::instance();
  const std::lock_guard lock(program.mutex);
  return program.files.find(wanted);
}

}  // namespace vinci::op

extern "C" {

void vinci_op_kernel_source(const char* type, const char* chips, const char* path) {
  auto& program = vinci::op::Program::instance();
  const std::lock_guard lock(program.mutex);
  program.files.add_source(type, chips, path);
}

void vinci_op_kernel_option(const char* type, const char* chips, const char* option) {
  auto& program = vinci::op::Program::instance();
  const std::lock_guard lock(program.mutex);
  program.files.add_option(type, chips, option);
}

}  // extern "C"
