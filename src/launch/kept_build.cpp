#include "launch/kept_build.h"

#include <fstream>

#include <fmt/format.h>

#include "launch/cache.h"

namespace vinci::launch {

std::string list_of_inputs(const std::set<std::string>& files) {
  std::string list;
  for (const std::string& file : files) list += fmt::format("{} {}\n", witness_of(file), file);
  return list;
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
