// vinci judge: tasks and references are Python's; the command only finds it.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "cli/commands.h"
#include "launch/error.h"
#include "launch/installation.h"

namespace vinci::cli {
namespace {

namespace fs = std::filesystem;

std::string python_folder() {
  const fs::path top = fs::path(launch::own_installation().library_directory).parent_path();
  for (const fs::path& folder : {top / VINCI_PYTHON_DIR, top / "python"}) {
    if (fs::exists(folder / "vinci" / "judging")) return folder;
  }
  throw launch::Error(
      launch::Error::Kind::kLacks,
      fmt::format("vinci judge needs vinci's Python package, which is not below {}", top.string()));
}

}  // namespace

int judge(const std::vector<std::string>& arguments) {
  std::string path = python_folder();
  if (const char* before = std::getenv("PYTHONPATH")) path += fmt::format(":{}", before);
  setenv("PYTHONPATH", path.c_str(), 1);
  std::vector<const char*> words = {VINCI_PYTHON, "-m", "vinci.judging"};
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  words.push_back(nullptr);
  execv(VINCI_PYTHON, const_cast<char* const*>(words.data()));
  throw launch::Error(launch::Error::Kind::kInternal,
                      fmt::format("{} cannot be started", VINCI_PYTHON));
}

}  // namespace vinci::cli
