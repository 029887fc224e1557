// vinci env: what a shell, and CMake, want to know about the drop-in tree.
#include <filesystem>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/error.h"
#include "launch/compile/compile.h"
#include "launch/installation.h"
#include "soc/soc.h"

namespace vinci::cli {
namespace {

namespace fs = std::filesystem;

fs::path tree() {
  const fs::path tree = launch::toolkit_tree(launch::own_installation());
  if (fs::exists(tree / "set_env.sh")) return tree;
  throw usage(
      fmt::format("{} does not exist: this copy of vinci has no tree for projects; build "
                  "vinci with CMake, or use one that `make install` has made",
                  tree.string()));
}

// Each line ends with a semicolon: eval $(vinci env), without quotes, makes one line of all.

// As a word of the shell's.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

void print_variable(const char* name, const fs::path& value) {
  fmt::print("export {}={};\n", name, quoted(value.string()));
}

// Before what a list holds, unless it is there already.
void print_list(const char* name, const fs::path& entry) {
  const std::string word = quoted(entry.string());
  fmt::print("case \":${{{0}-}}:\" in *:{1}:*) ;; *) export {0}={1}${{{0}:+\":${0}\"}} ;; esac;\n",
             name, word);
}

}  // namespace

int env() {
  const fs::path root = tree();
  for (const char* name : {"ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME", "ASCEND_CANN_PACKAGE_PATH",
                           "ASCEND_INSTALL_PATH", "ASCEND_AICPU_PATH"}) {
    print_variable(name, root);
  }
  print_variable("ASCEND_OPP_PATH", root / "opp");
  print_list("PATH", root / "bin");
  // lib64 for programs that load the toolkit's libraries by name, as Python does by ctypes; behind
  // the folder of vinci's own, which is printed last and so comes first.
  print_list("LD_LIBRARY_PATH", root / "lib64");
  print_list("LD_LIBRARY_PATH", launch::own_installation().library_directory);
  print_list("CMAKE_PREFIX_PATH", root / "tools/tikicpulib/lib/cmake");
  print_list("CMAKE_PREFIX_PATH", root / "lib64/cmake");
  return kExitClean;
}

int env_chips() {
  const launch::Installation installation = launch::own_installation();
  for (const ToolkitName& name : toolkit_names()) {
    fmt::print("{}", name.spelling);
    for (const std::string& option : launch::kernel_options(*name.soc, installation)) {
      // The tree names its headers itself.
      if (!option.starts_with("-I") && !option.starts_with("-idirafter")) fmt::print(" {}", option);
    }
    fmt::print("\n");
  }
  return kExitClean;
}

}  // namespace vinci::cli
