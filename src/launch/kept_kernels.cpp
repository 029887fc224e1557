#include "launch/kept_kernels.h"

#include <chrono>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "launch/cache.h"

namespace vinci::launch {

namespace fs = std::filesystem;

namespace {

constexpr auto kEntryLifetime = std::chrono::hours(24 * 30);
constexpr auto kWorkLifetime = std::chrono::hours(24);  // of what nobody could remove

}  // namespace

bool is_whole(const fs::path& binary) {
  return content_of(binary / "stamp") == stamp_of(binary / "kernel.so");
}

std::optional<fs::path> binary_by_inputs(const fs::path& cache, const std::string& key) {
  std::ifstream inputs(cache / (key + ".inputs"));
  std::string kind, of, path, binary;
  while (inputs >> kind >> of && std::getline(inputs.ignore(1), path)) {
    std::error_code error;
    if ((kind == "content" && !is_as_witnessed(path, of)) ||
        (kind == "stamp" && stamp_of(path) != of) ||
        (kind == "absent" && fs::exists(path, error))) {
      return std::nullopt;
    }
    if (kind == "binary") binary = of;
  }
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
  for (const std::string& file : source.absent) text += fmt::format("absent - {}\n", file);
  return text + fmt::format("binary {} -\n", binary);
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
