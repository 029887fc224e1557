#include "launch/compile/kept_kernels.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "launch/compile/cache.h"

namespace vinci::launch {

namespace fs = std::filesystem;

namespace {

constexpr auto kEntryLifetime = std::chrono::hours(24 * 30);
constexpr auto kWorkLifetime = std::chrono::hours(24);  // of what nobody could remove

// What is not there, by the folder that would change if it were.
std::string absent_text(const std::vector<std::string>& files) {
  std::map<std::string, std::vector<std::string_view>> by_folder;
  for (const std::string& file : files) by_folder[fs::path(file).parent_path()].push_back(file);
  std::string text;
  for (const auto& [folder, absent] : by_folder) {
    const std::string status = status_of(folder);
    // What has come since the compiler looked is in the status, and so is a link to what may come.
    std::error_code error;
    const bool is_clear = std::ranges::none_of(
        absent, [&](auto file) { return fs::exists(fs::symlink_status(file, error)); });
    text += fmt::format("folder /{} {}\n", is_clear ? status : "", folder);
    for (const std::string_view file : absent) text += fmt::format("absent - {}\n", file);
  }
  return text;
}

}  // namespace

bool is_whole(const fs::path& binary) {
  return content_of(binary / "stamp") == stamp_of(binary / "kernel.so");
}

bool are_as_listed(const std::string& inputs) {
  std::istringstream lines(inputs);
  std::string kind, of, path;
  bool same_folder = false;  // as when the files after it were not there
  while (lines >> kind >> of && std::getline(lines.ignore(1), path)) {
    std::error_code error;
    if ((kind == "content" && !is_as_witnessed(path, of)) ||
        (kind == "stamp" && stamp_of(path) != of) ||
        (kind == "absent" && !same_folder && fs::exists(path, error))) {
      return false;
    }
    if (kind == "folder") same_folder = of.size() > 1 && of == "/" + status_of(path);
  }
  return true;
}

std::optional<fs::path> binary_by_inputs(const fs::path& cache, const std::string& key) {
  const std::string inputs = content_of(cache / (key + ".inputs")).value_or("");
  const size_t last = inputs.rfind("binary ");  // paths of inputs come before it
  if (last == inputs.npos || !are_as_listed(inputs)) return std::nullopt;
  std::istringstream line(inputs.substr(last + std::string_view("binary ").size()));
  std::string binary;
  line >> binary;
  if (binary.empty() || !is_whole(cache / binary)) return std::nullopt;
  return cache / binary;
}

std::string inputs_text(const Preprocessed& source, const std::vector<std::string>& files,
                        const std::string& binary) {
  std::string text;
  for (const auto* list : {&source.inputs, &files}) {
    for (const std::string& file : *list) {
      text += fmt::format("content {} {}\n", witness_of(file), file);
    }
  }
  for (const std::string& file : source.system) {
    text += fmt::format("stamp {} {}\n", stamp_of(file), file);
  }
  return text + absent_text(source.absent) + fmt::format("binary {} -\n", binary);
}

void keep_inputs(const fs::path& work, const fs::path& cache, const std::string& key,
                 const std::string& inputs) {
  std::error_code error;
  write_file(work / "inputs", inputs);
  fs::rename(work / "inputs", cache / (key + ".inputs"), error);
}

void drop_old_entries(const fs::path& cache) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(cache, error)) {
    const bool is_work = entry.path().filename().string().starts_with("work-");
    const auto changed = fs::last_write_time(entry.path(), error);
    if (!error &&
        fs::file_time_type::clock::now() - changed > (is_work ? kWorkLifetime : kEntryLifetime)) {
      fs::remove_all(entry.path(), error);
    }
  }
}

bool has_kernels(const fs::path& cache) {
  constexpr int kEnough = 3;
  int kernels = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(cache, error)) {
    kernels += int(is_whole(entry.path()));
    if (kernels == kEnough) return true;
  }
  return false;
}

}  // namespace vinci::launch
