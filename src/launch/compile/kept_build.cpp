#include "launch/compile/kept_build.h"

#include <fstream>

#include <fmt/format.h>

#include "launch/compile/cache.h"

namespace vinci::launch {

std::set<std::string> files_of_list(const std::string& list) {
  std::set<std::string> files;
  std::string file;
  const auto end = [&] {
    if (!file.empty() && !file.ends_with(":")) files.insert(file);
    file.clear();
  };
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\' && i + 1 < list.size()) {
      if (list[++i] == '\n') {
        end();
      } else {
        file += list[i];
      }
    } else if (list[i] == ' ' || list[i] == '\n') {
      end();
    } else {
      file += list[i];
    }
  }
  end();
  return files;
}

std::string list_of_inputs(const std::set<std::string>& files) {
  std::string list;
  for (const std::string& file : files) list += fmt::format("{} {}\n", witness_of(file), file);
  return list;
}

std::set<std::string> files_of_inputs(const std::filesystem::path& entry) {
  std::ifstream inputs(entry / "inputs");
  std::set<std::string> files;
  for (std::string witness, path; inputs >> witness && std::getline(inputs.ignore(1), path);) {
    files.insert(path);
  }
  return files;
}

bool is_as_before(const std::filesystem::path& entry, const std::string& product) {
  std::ifstream inputs(entry / "inputs");
  std::string witness, path;
  bool any = false;
  while (inputs >> witness && std::getline(inputs.ignore(1), path)) {
    if (!is_as_witnessed(path, witness)) return false;
    any = true;
  }
  std::error_code error;
  return any && std::filesystem::exists(entry / product, error);
}

}  // namespace vinci::launch
