// An entry of the cache is a folder named after the command; a list in it tells the files that the
// library was made from, and their contents then.
#include "launch/host_library.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launch/cache.h"
#include "launch/confinement.h"
#include "launch/error.h"
#include "launch/installation.h"
#include "launch/kept_build.h"
#include "launch/missing_names.h"
#include "launch/preprocess.h"
#include "launch/temporary_folder.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "host.so";

// The files that a list of the compiler's for make names.
std::set<std::string> dependences(const std::string& list) {
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

void run(const std::vector<std::string>& command, const fs::path& folder,
         const CompileOptions& options, const std::function<std::string()>& what) {
  const fs::path messages = folder / "messages";
  const int status = options.start(command, {messages, messages, false});
  const std::string said = content_of(messages.string()).value_or("");
  if (options.tell && !said.empty()) options.tell(said);
  if (status != 0) throw Error(Error::Kind::kCompile, what());
}

// Compiles each source and links them; the list of what they were made from.
std::string build(const std::vector<std::string>& sources, const std::vector<std::string>& command,
                  const Installation& installation, const fs::path& folder,
                  const CompileOptions& options) {
  std::set<std::string> files;
  std::vector<std::string> link = compiler_for(options);
  link.insert(link.end(), {"-shared", "-Wl,--no-undefined", "-o", folder / kLibrary});
  for (size_t i = 0; i < sources.size(); ++i) {
    const std::string object = folder / fmt::format("{}.o", i), list = object + ".d";
    std::vector<std::string> words = command;
    words.insert(words.end(), {"-c", "-MMD", "-MF", list, "-o", object, sources[i]});
    run(words, folder, options, [&] {
      std::vector<std::string> lines =
          about_missing_names(content_of(folder / "messages").value_or(""), installation);
      lines.insert(lines.begin(), fmt::format("{} does not compile", sources[i]));
      return fmt::format("{}", fmt::join(lines, "\n  "));
    });
    files.merge(dependences(content_of(list).value_or("")));
    link.push_back(object);
  }
  link.push_back(installation.library);
  run(link, folder, options, [] { return "the package's host code cannot be linked"; });
  return list_of_inputs(files);
}

}  // namespace

std::string host_library(const std::vector<std::string>& sources,
                         const std::vector<std::string>& words, const CompileOptions& options) {
  const Installation installation = own_installation();
  std::vector<std::string> command = compiler_for(options);
  std::string identity = VINCI_VERSION;
  for (const std::string& word : command) identity += identity_of(word);
  // A package's own header counts before one of the same name here.
  for (const std::string& word : words) {
    if (word.starts_with("-I")) command.push_back(word);
  }
  for (const std::string& word : code_options(installation, compiler())) command.push_back(word);
  command.insert(command.end(), {"-O0", "-fPIC", "-pthread"});
  command.insert(command.end(), words.begin(), words.end());
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}\n{}", identity, fmt::join(command, "\n"),
                  fmt::join(sources, "\n"), installation.library, fs::current_path().string());
  const fs::path cache = cache_directory();
  const fs::path entry = cache / fmt::format("host-{:016x}", hash_of(key));
  if (options.use_cache && is_as_before(entry, kLibrary)) return entry / kLibrary;
  const TemporaryFolder work(cache, "the cache", "VINCI_CACHE");
  std::optional<Confinement> confinement;
  if (options.confined_seconds != 0) {
    Confines confines = confines_for(sources, installation, options, work.path());
    confines.readable.push_back(installation.library_directory);
    confinement.emplace(std::move(confines));
  }
  const std::string inputs = build(sources, command, installation, work.path(), options);
  write_file(work.path() / "inputs", inputs);
  publish(work.path(), entry);
  return entry / kLibrary;
}

}  // namespace vinci::launch
