// A compiled header is a folder named after the command that made it; a list in it tells the files
// that it was made from, and their contents then.
#include "launch/compile/host_header.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launch/compile/cache.h"
#include "launch/compile/kept_build.h"
#include "launch/compile/leading_header.h"
#include "launch/compile/preprocess.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

constexpr const char *kHeader = "register/op_def_registry.h", *kFile = "op_def_registry.h",
                     *kCompiled = "op_def_registry.h.gch";
// Those that give nearly all of it.
constexpr std::string_view kParts[] = {kHeader, "register/op_impl_registry.h"};

// The word behind a directive of this name, as "x.h" with its quotes; "": the line is none.
std::string directive(const std::string& line, const std::string& name) {
  std::istringstream words(line);
  std::string word, rest;
  words >> word;
  if (word == "#") {
    words >> word;
    word = "#" + word;
  }
  if (!word.starts_with("#" + name)) return "";
  if (word.size() > name.size() + 1) return word.substr(name.size() + 1);  // #include"x.h"
  words >> rest;
  return rest;
}

// One walk through a source and what it includes of its own.
class Walk {
 public:
  explicit Walk(const std::vector<std::string>& folders) : folders_(folders) {}

  bool finds(const fs::path& file) {
    std::error_code error;
    if (!seen_.insert(fs::weakly_canonical(file, error).string()).second || seen_.size() > 100) {
      return false;
    }
    std::istringstream text(content_of(file.string()).value_or(""));
    for (std::string line; std::getline(text, line);) {
      if (!directive(line, "define").empty()) return false;
      const std::string name = directive(line, "include");
      if (name.size() < 3) continue;
      const std::string bare = name.substr(1, name.size() - 2);
      if (std::ranges::find(kParts, bare) != std::end(kParts)) return true;
      const auto own = own_header(bare, file.parent_path());
      if (own && finds(*own)) return true;
    }
    return false;
  }

 private:
  std::optional<fs::path> own_header(const std::string& name, const fs::path& beside) const {
    std::error_code error;
    if (fs::is_regular_file(beside / name, error)) return beside / name;
    for (const std::string& folder : folders_) {
      if (fs::is_regular_file(fs::path(folder) / name, error)) return fs::path(folder) / name;
    }
    return std::nullopt;
  }

  const std::vector<std::string>& folders_;
  std::set<std::string> seen_;
};

}  // namespace

bool wants_host_header(const std::string& source, const std::vector<std::string>& folders) {
  std::error_code error;
  for (const std::string& folder : folders) {
    for (const char* name : {"register", "graph", "exe_graph"}) {
      if (fs::exists(fs::path(folder) / name, error)) return false;
    }
  }
  return Walk(folders).finds(source);
}

CompiledHostHeader compiled_host_header(const std::vector<std::string>& command,
                                        const std::string& identity,
                                        const Installation& installation, const fs::path& kept,
                                        const fs::path& work, const StartCompiler& start) {
  const std::string header = installation.include_directory + "/" + kHeader;
  const std::string name =
      "host-" + name_of({header, identity, fmt::format("{}", fmt::join(command, "\n"))});
  const fs::path entry = kept / name;
  const auto use = [&] {
    std::error_code error;
    fs::last_write_time(entry, fs::file_time_type::clock::now(), error);
    return CompiledHostHeader{{"-include", entry / kFile}, files_of_inputs(entry)};
  };
  if (is_as_before(entry, kCompiled)) return use();
  const fs::path made = work / name, log = made / "messages";
  const std::string list = made / "list";
  std::error_code error;
  fs::create_directory(made, error);
  std::vector<std::string> words = command;
  words.insert(words.end(),
               {"-w", "-x", "c++-header", header, "-MMD", "-MF", list, "-o", made / kCompiled});
  if (start(words, {log, log, false}) != 0) return {};
  // g++ opens what stands beside it where it cannot take it.
  write_file(made / kFile, fmt::format("#include \"{}\"\n", header));
  write_file(made / "inputs", list_of_inputs(files_of_list(content_of(list).value_or(""))));
  fs::create_directories(kept, error);
  publish(made, entry);
  drop_old(kept);
  return use();
}

}  // namespace vinci::launch
