// An entry of the cache is a folder named after the command; a list in it tells the files that the
// library was made from, and their contents then.
#include "launch/package/host_library.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launch/compile/cache.h"
#include "launch/sandbox/confinement.h"
#include "launch/error.h"
#include "launch/compile/host_header.h"
#include "launch/installation.h"
#include "launch/compile/kept_build.h"
#include "launch/compile/missing_names.h"
#include "launch/compile/preprocess.h"
#include "launch/temporary_folder.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "host.so";

// The vendor's projects say C++11 or C++17, which takes a quarter less time than what came later.
constexpr const char *kUsualStandard = "-std=gnu++17", *kLatestStandard = "-std=gnu++20";

std::vector<std::string> folders_of(const std::vector<std::string>& words) {
  std::vector<std::string> folders;
  for (const std::string& word : words) {
    if (word.starts_with("-I")) folders.push_back(word.substr(2));
  }
  return folders;
}

// What compiles a source, which comes last.
std::vector<std::string> host_command(const std::vector<std::string>& compiler,
                                      const std::vector<std::string>& words,
                                      const Installation& installation,
                                      const char* standard = kUsualStandard) {
  std::vector<std::string> command = compiler;
  // A package's own header counts before one of the same name here.
  for (const std::string& folder : folders_of(words)) command.push_back("-I" + folder);
  for (const std::string& word : code_options(installation, compiler)) command.push_back(word);
  command.insert(command.end(), {standard, "-O0", "-fPIC", "-pthread"});
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

// Repositories keep what is for chips of generation 35 and later in folders and files of such
// names. Much of it needs the toolkit's templates for them.
bool is_for_newer_chips(const fs::path& source) {
  const auto is_newer = [](std::string_view name) {
    const size_t at = name.rfind("arch");
    if (at == name.npos || (at != 0 && name[at - 1] != '_')) return false;
    const std::string_view number = name.substr(at + 4);
    return number.size() == 2 && number[0] == '3' && number[1] >= '5' && number[1] <= '9';
  };
  return is_newer(source.stem().string()) ||
         std::ranges::any_of(source.parent_path(),
                             [&](const fs::path& part) { return is_newer(part.string()); });
}

// One library on its way, in a folder.
class Build {
 public:
  Build(const std::vector<std::string>& words, const Installation& installation,
        const fs::path& folder, const CompileOptions& options)
      : words_(words), installation_(installation), folder_(folder), options_(options) {}

  // Sources that want it take the header of all host code as it is compiled in `kept`.
  void take_header(const fs::path& kept, const std::string& identity) {
    const std::vector<std::string> compiler = compiler_for(options_);
    if (is_clang(compiler)) return;
    std::vector<std::string> words;
    std::ranges::copy_if(words_, std::back_inserter(words),
                         [](const std::string& word) { return !is_of_a_source(word); });
    header_ = compiled_host_header(host_command(compiler, words, installation_), identity,
                                   installation_, kept, folder_, options_.start);
  }

  // Makes objects, or throws Error.
  void compile(const std::vector<std::string>& sources) {
    for (const std::string& source : sources) {
      const bool done = compiles(source);
      if (!done && is_for_newer_chips(source)) {
        leave_out(source);
        continue;
      }
      tell();
      if (!done) fail(source);
      objects_.push_back(object_);
    }
  }
  // Makes those sources that compile a part of the archive: the linker takes what it needs.
  void offer(const std::vector<std::string>& sources) {
    std::vector<std::string> archive{"ar", "rcs", folder_ / kOthers};
    for (const std::string& source : sources) {
      if (compiles(source)) archive.push_back(object_);
    }
    if (archive.size() > 3) start(archive);
  }
  bool links() {
    std::vector<std::string> link = compiler_for(options_);
    // What is left out nobody calls for a chip that is here.
    link.insert(link.end(), {"-shared", left_out_ ? "-Wl,-z,lazy" : "-Wl,--no-undefined",
                             "-Wl,-Bsymbolic", "-o", folder_ / kLibrary});
    link.insert(link.end(), objects_.begin(), objects_.end());
    if (std::error_code error; fs::exists(folder_ / kOthers, error)) {
      link.push_back(folder_ / kOthers);
    }
    // Asked what it registers is also what registers nothing.
    link.insert(link.end(), {"-Wl,--no-as-needed", installation_.library});
    return start(link);
  }
  // What the compiler or linker said last.
  std::string messages() const { return content_of((folder_ / kMessages).string()).value_or(""); }
  void tell() const {
    if (options_.tell && !messages().empty()) options_.tell(messages());
  }
  std::string inputs() const { return list_of_inputs(files_); }

 private:
  static constexpr const char *kMessages = "messages", *kOthers = "others.a";

  bool start(const std::vector<std::string>& command) {
    const fs::path messages = folder_ / kMessages;
    return options_.start(command, {messages, messages, false}) == 0;
  }
  // To object_, by the compiler or, as kernels, by clang what g++ alone refuses.
  bool compiles(const std::string& source) {
    object_ = folder_ / fmt::format("{}.o", count_++);
    const std::vector<std::string> compiler = compiler_for(options_);
    if (compiles_with_header(compiler, source)) return true;
    if (compiles_with(compiler, source, kUsualStandard)) return true;
    if (!says_standard() && compiles_with(compiler, source, kLatestStandard)) return true;
    std::vector<std::string> command =
        host_command(compiler, words_, installation_, kLatestStandard);
    command.push_back(source);
    errors_ = errors_in_english(command) + messages();
    const std::vector<std::string> instead = compiler_instead(compiler, errors_);
    return !instead.empty() && compiles_with(instead, source, kLatestStandard);
  }
  // Then it counts, whatever else is said before it.
  bool says_standard() const {
    return std::ranges::any_of(words_, [](const auto& word) { return word.starts_with("-std="); });
  }
  // What the header changes for a source does not compile, and is compiled without it.
  bool compiles_with_header(const std::vector<std::string>& compiler, const std::string& source) {
    if (header_.options.empty() || !wants_host_header(source, folders_of(words_))) return false;
    if (!compiles_with(compiler, source, kUsualStandard, header_.options)) return false;
    const std::string entry = fs::path(header_.options.back()).parent_path();
    std::erase_if(files_, [&](const std::string& file) { return file.starts_with(entry); });
    files_.insert(header_.files.begin(), header_.files.end());
    return true;
  }
  bool compiles_with(const std::vector<std::string>& compiler, const std::string& source,
                     const char* standard, const std::vector<std::string>& first = {}) {
    const std::string list = object_ + ".d";
    std::vector<std::string> command = host_command(compiler, words_, installation_, standard);
    command.insert(command.begin() + long(compiler.size()), first.begin(), first.end());
    command.insert(command.end(), {"-c", "-MMD", "-MF", list, "-o", object_, source});
    if (!start(command)) return false;
    files_.merge(files_of_list(content_of(list).value_or("")));
    return true;
  }
  void leave_out(const std::string& source) {
    left_out_ = true;
    files_.insert(source);
    if (!options_.tell) return;
    options_.tell(fmt::format(
        "vinci: warning: {}, for newer chips, does not compile here and is left out\n", source));
  }
  [[noreturn]] void fail(const std::string& source) const {
    std::vector<std::string> lines = about_missing_names(messages(), installation_);
    lines.insert(lines.begin(), fmt::format("{} does not compile", source));
    for (std::string& line : about_compiler(compiler_for(options_), errors_))
      lines.push_back(std::move(line));
    throw Error(Error::Kind::kCompile, fmt::format("{}", fmt::join(lines, "\n  ")));
  }

  const std::vector<std::string>& words_;
  const Installation& installation_;
  const fs::path folder_;
  const CompileOptions& options_;
  std::string object_, errors_;  // of the source that came last
  int count_ = 0;
  bool left_out_ = false;
  CompiledHostHeader header_;
  std::vector<std::string> objects_;
  std::set<std::string> files_;
};

void link(Build& build, const std::vector<std::vector<std::string>>& others) {
  bool done = build.links();
  for (const auto& sources : others) {
    if (done || build.messages().find("multiple definition") != std::string::npos) break;
    build.offer(sources);
    done = build.links();
  }
  build.tell();
  if (!done) throw Error(Error::Kind::kCompile, "the package's host code cannot be linked");
}

// Whether other host code has been compiled before.
bool is_one_of_many(const fs::path& cache, const CompileOptions& options) {
  if (options.is_one_of_many) return true;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(cache, error)) {
    if (entry.path().filename().string().starts_with("host-")) return true;
  }
  return false;
}

}  // namespace

std::string host_library(const std::vector<std::string>& sources,
                         const std::vector<std::vector<std::string>>& others,
                         const std::vector<std::string>& words, const CompileOptions& options) {
  const Installation installation = own_installation();
  const std::vector<std::string> compiler = compiler_for(options);
  std::string identity = VINCI_VERSION;
  for (const std::string& word : compiler) identity += identity_of(word);
  const std::vector<std::string> command = host_command(compiler, words, installation);
  const std::string key =
      fmt::format("{}\n{}\n{}\n{}\n{}", identity, fmt::join(command, "\n"),
                  fmt::join(sources, "\n"), installation.library, fs::current_path().string());
  const fs::path cache = cache_directory();
  const fs::path entry = cache / fmt::format("host-{:016x}", hash_of(key));
  if (options.use_cache && is_as_before(entry, kLibrary)) return entry / kLibrary;
  const TemporaryFolder work(cache, "the cache", "VINCI_CACHE");
  std::optional<Confinement> confinement;
  if (options.confined_seconds != 0) {
    std::vector<std::string> all = sources;
    for (const auto& list : others) all.insert(all.end(), list.begin(), list.end());
    Confines confines = confines_for(all, installation, options, work.path());
    confines.readable.push_back(installation.library_directory);
    confines.readable.push_back(fs::absolute(headers_in(cache)).string());
    confinement.emplace(std::move(confines));
  }
  Build build(words, installation, work.path(), options);
  // One source that nobody has compiled the like of before would wait for more than it is worth.
  if (sources.size() > 1 || is_one_of_many(cache, options)) {
    build.take_header(headers_in(cache), identity);
  }
  build.compile(sources);
  link(build, others);
  write_file(work.path() / "inputs", build.inputs());
  publish(work.path(), entry);
  return entry / kLibrary;
}

}  // namespace vinci::launch
