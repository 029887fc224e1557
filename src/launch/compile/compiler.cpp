#include "launch/compile/compiler.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClang = "clang++";

// What g++ says of C++ that clang takes.
constexpr std::string_view kOnlyOfGcc[] = {
    "explicit specialization in non-namespace scope", "changes meaning of", "section type conflict",
    "taking address of temporary array", "designator order for field",
    "either all initializer clauses should be designated", "non-trivial designated initializers",
    "expected primary-expression before '.' token",
    "explicit template specialization cannot have a storage class",
    "error: duplicate",            // `inline` in a macro and behind it
    "inlining failed in call to",  // `always_inline` of a function that calls itself
};

bool is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::stringstream folders(path == nullptr ? "" : path);
  std::error_code error;
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (fs::is_regular_file(fs::path(folder) / program, error)) return true;
  }
  return false;
}

bool clang_takes_it(const std::vector<std::string>& first, std::string_view errors) {
  return !is_clang(first) && std::ranges::any_of(kOnlyOfGcc, [&](std::string_view phrase) {
    return errors.find(phrase) != errors.npos;
  });
}

}  // namespace

std::vector<std::string> compiler() {
  const char* variable = std::getenv("CXX");
  const std::string own = variable == nullptr ? "" : variable;
  std::stringstream list(own);
  std::vector<std::string> words;
  for (std::string word; list >> word;) words.push_back(word);
  if (words.empty()) return {VINCI_CXX};
  // A path may have blanks.
  std::error_code error;
  return fs::is_regular_file(own, error) ? std::vector{own} : words;
}

bool is_clang(const std::vector<std::string>& compiler) {
  return std::ranges::any_of(
      compiler, [](const std::string& word) { return word.find("clang") != std::string::npos; });
}

std::vector<std::string> compiler_instead(const std::vector<std::string>& first,
                                          std::string_view errors) {
  if (!clang_takes_it(first, errors) || !is_installed(kClang)) return {};
  return {kClang};
}

std::vector<std::string> about_compiler(const std::vector<std::string>& first,
                                        std::string_view errors) {
  if (!clang_takes_it(first, errors) || is_installed(kClang)) return {};
  return {"clang++, like the vendor's compiler, takes what g++ refuses here, and vinci would use it"
          ", but it is not installed (Debian: clang)"};
}

std::vector<std::string> code_options(const Installation& installation,
                                      const std::vector<std::string>& compiler) {
  // No sibling calls: a fault's call stack must keep the frame of every kernel function.
  // No contraction: scalar code gives the same bits on every host.
  std::vector<std::string> options{"-std=gnu++20",
                                   "-g",
                                   "-ffp-contract=off",
                                   "-fno-optimize-sibling-calls",
                                   "-fno-omit-frame-pointer",
                                   "-I" + installation.include_directory,
                                   "-idirafter" + installation.include_directory + "/toolkit"};
  // Two calls must not become one, which has the line of either; nor two functions one, which has
  // the name of either. What is compiled for several kinds of cores runs in one process, and each
  // has its own of everything.
  // Kernels are written in older C++, in which `volatile` was no matter for a warning, and their
  // headers have constants as template arguments (MatmulConfig) that are a name of each file, and
  // attributes of the vendor's compiler, as aiv. Text that has been through the preprocessor needs
  // no folders of headers.
  if (is_clang(compiler)) {
    options.insert(options.end(), {"-Wno-deprecated-volatile", "-Wno-reorder-init-list",
                                   "-Wno-c99-designator", "-Wno-duplicate-decl-specifier",
                                   "-Wno-unused-command-line-argument",
                                   "-Wno-unknown-attributes"});
  } else {
    options.insert(options.end(), {"-fno-tree-tail-merge", "-fno-crossjumping", "-fno-ipa-icf",
                                   "-fno-gnu-unique", "-Wno-volatile", "-Wno-subobject-linkage",
                                   "-Wno-attributes"});
  }
  return options;
}

std::vector<std::string> library_options(const Installation& installation) {
  std::vector<std::string> options{"-L" + installation.library_directory,
                                   "-Wl,-rpath," + installation.library_directory, "-lvinci"};
  // A library with sanitizers wants their runtime first in the program.
  std::stringstream sanitizers(VINCI_SANITIZER_LINK);
  for (std::string word; sanitizers >> word;) options.push_back(word);
  return options;
}

}  // namespace vinci::launch
