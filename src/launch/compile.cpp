// Calling the host compiler, and the cache of what it made.
//
// A binary is a folder named after what it was made from: the preprocessed text, the compiler, its
// options and environment, but not the chip, so that all chips which see the same text share one.
// To find it without the preprocessor, a file named after all of the command line, <key>.inputs,
// lists the files that the text was made from and those that were looked for in vain.
#include "launch/compile.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "launch/error.h"
#include "launch/preprocess.h"

namespace vinci::launch {
namespace {

namespace fs = std::filesystem;

constexpr auto kEntryLifetime = std::chrono::hours(24 * 30);

// FNV-1a: enough to tell contents apart, not meant against malice.
uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

// The program that a name means, and when it was last changed.
std::string identity_of(const std::string& program) {
  std::vector<fs::path> candidates{program};
  if (program.find('/') == std::string::npos) {
    const char* path = std::getenv("PATH");
    std::stringstream list(path == nullptr ? "" : path);
    for (std::string directory; std::getline(list, directory, ':');) {
      candidates.push_back(fs::path(directory) / program);
    }
  }
  for (const fs::path& candidate : candidates) {
    std::error_code error;
    const auto changed = fs::last_write_time(candidate, error);
    if (error || fs::is_directory(candidate)) continue;
    return fmt::format("{} {} {}", candidate.string(), changed.time_since_epoch().count(),
                       fs::file_size(candidate, error));
  }
  return program;
}

fs::path cache_directory() {
  if (const char* own = std::getenv("VINCI_CACHE"); own != nullptr && *own != '\0') return own;
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg != '\0') {
    return fs::path(xdg) / "vinci";
  }
  const char* home = std::getenv("HOME");
  return fs::path(home != nullptr && *home != '\0' ? home : "/tmp") / ".cache" / "vinci";
}

// What changes the work of a compiler behind its command line.
std::string environment() {
  std::string all;
  for (const char* name :
       {"CPATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX",
        "LD_RUN_PATH", "SOURCE_DATE_EPOCH", "CCC_OVERRIDE_OPTIONS"}) {
    if (const char* value = std::getenv(name)) all += fmt::format("{}={}\n", name, value);
  }
  return all;
}

std::string content_hash(const std::string& path) {
  return fmt::format("{:016x}", hash_of(content_of(path).value_or("")));
}

// Size and time of a file that is not worth reading.
std::string stamp_of(const std::string& path) {
  std::error_code error;
  const auto changed = fs::last_write_time(path, error);
  if (error) return "none";
  return fmt::format("{}:{}", fs::file_size(path, error), changed.time_since_epoch().count());
}

// Object files, libraries, further sources and files of options among the options.
std::vector<std::string> files_among(const std::vector<std::string>& options) {
  std::vector<std::string> files;
  std::error_code error;
  for (const std::string& option : options) {
    const std::string name = option.substr(option.starts_with("@") ? 1 : 0);
    if (fs::is_regular_file(name, error)) files.push_back(name);
  }
  return files;
}

// Options that mean the same in each folder.
bool is_of_no_folder(const std::string& option) {
  for (const char* start : {"-O", "-D", "-U", "-I/", "-std="}) {
    if (option.starts_with(start)) return option.size() > 2;
  }
  return option == "-g" || (option.starts_with("-W") && option.find(',') == std::string::npos);
}

// Whether a binary depends on the folder that the compiler works in: debug information gives files
// that are named as seen from there, and the linker may look there.
bool is_of_a_folder(const Preprocessed& source, const std::vector<std::string>& options) {
  const char* libraries = std::getenv("LIBRARY_PATH");
  std::stringstream list(libraries == nullptr ? "" : libraries);
  for (std::string directory; std::getline(list, directory, ':');) {
    if (!directory.starts_with("/")) return true;
  }
  return source.is_relative || !std::all_of(options.begin(), options.end(), is_of_no_folder);
}

// Whether a binary was written to its end.
bool is_whole(const fs::path& binary) {
  return content_of(binary / "stamp") == stamp_of(binary / "kernel.so");
}

// The binary that <key>.inputs names, if nothing has changed that it lists.
std::optional<fs::path> binary_by_inputs(const fs::path& cache, const std::string& key) {
  std::ifstream inputs(cache / (key + ".inputs"));
  std::string kind, of, path, binary;
  while (inputs >> kind >> of && std::getline(inputs.ignore(1), path)) {
    std::error_code error;
    if ((kind == "content" && content_hash(path) != of) ||
        (kind == "stamp" && stamp_of(path) != of) ||
        (kind == "absent" && fs::exists(path, error))) {
      return std::nullopt;
    }
    if (kind == "binary") binary = of;
  }
  if (binary.empty() || !is_whole(cache / binary)) return std::nullopt;
  return cache / binary;
}

// What <key>.inputs holds; each line is a kind, a word and a path.
std::string inputs_text(const Preprocessed& source, const std::vector<std::string>& files,
                        const std::string& binary) {
  std::string text;
  for (const auto* list : {&source.inputs, &files}) {
    for (const std::string& file : *list) {
      text += fmt::format("content {} {}\n", content_hash(file), file);
    }
  }
  for (const std::string& file : source.system) {
    text += fmt::format("stamp {} {}\n", stamp_of(file), file);
  }
  for (const std::string& file : source.absent) text += fmt::format("absent - {}\n", file);
  return text + fmt::format("binary {} -\n", binary);
}

// Puts a finished work folder in the entry's place, in one step: other processes see the old entry
// or the new one.
void publish(const fs::path& work, const fs::path& entry) {
  std::error_code error;
  fs::rename(work, entry, error);
  if (error) renameat2(AT_FDCWD, work.c_str(), AT_FDCWD, entry.c_str(), RENAME_EXCHANGE);
}

void drop_old_entries(const fs::path& cache) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(cache, error)) {
    const auto changed = fs::last_write_time(entry.path(), error);
    if (!error && fs::file_time_type::clock::now() - changed > kEntryLifetime) {
      fs::remove_all(entry.path(), error);
    }
  }
}

// A folder in the cache for files in the making. What is left of it is removed.
class WorkFolder {
 public:
  explicit WorkFolder(const fs::path& cache) {
    std::error_code error;
    fs::create_directories(cache, error);
    std::string name = (cache / "work-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw Error(Error::Kind::kCompile,
                  fmt::format("cannot write to the cache {}: {} (set VINCI_CACHE)", cache.string(),
                              std::strerror(errno)));
    }
    path_ = name;
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
}

std::vector<std::string> common_options(const Installation& installation) {
  // No sibling calls: a fault's call stack must keep the frame of every kernel function.
  // No contraction: scalar code gives the same bits on every host.
  std::vector<std::string> options{"-std=c++17",
                                   "-g",
                                   "-ffp-contract=off",
                                   "-fno-optimize-sibling-calls",
                                   "-fno-omit-frame-pointer",
                                   "-I" + installation.include_directory,
                                   "-DASCENDC_CPU_DEBUG=1",
                                   "-D__CCE_KT_TEST__=1"};
  // Two calls must not become one, which has the line of either; nor two functions one, which has
  // the name of either.
  if (compiler().find("clang") == std::string::npos) {
    options.insert(options.end(), {"-fno-tree-tail-merge", "-fno-crossjumping", "-fno-ipa-icf"});
  }
  return options;
}

std::vector<std::string> chip_options(const Soc& soc) {
  std::vector<std::string> options{fmt::format("-DVINCI_SOC=\"{}\"", soc.name)};
  for (const std::string& definition : soc.definitions()) options.push_back("-D" + definition);
  return options;
}

// One call of the compiler.
class Compilation {
 public:
  Compilation(const std::string& source, const Soc& soc, const Installation& installation,
              const std::vector<std::string>& options)
      : source_(source), soc_(soc), chip_(chip_options(soc)), rest_(common_options(installation)) {
    rest_.insert(rest_.end(), {"-O2", "-fPIC", "-shared", "-x", "c++",
                               fs::absolute(source).string(), "-x", "none"});
    rest_.insert(rest_.end(), options.begin(), options.end());
  }

  std::vector<std::string> command() const {
    std::vector<std::string> words{compiler()};
    words.insert(words.end(), chip_.begin(), chip_.end());
    words.insert(words.end(), rest_.begin(), rest_.end());
    return words;
  }

  // The name of what is known about the inputs of this very call.
  std::string key() const {
    return name_of(
        {shared(), fs::current_path().string(), fmt::format("{}", fmt::join(chip_, "\n"))});
  }

  // The name of the binary. Debug information of the third level holds the chip's definitions.
  std::string binary_name(const std::optional<Preprocessed>& source,
                          const std::vector<std::string>& options) const {
    std::vector<std::string> parts{shared(), source ? source->text : ""};
    if (!source || is_of_a_folder(*source, options)) parts.push_back(fs::current_path().string());
    for (const std::string& file : files_among(options)) parts.push_back(content_hash(file));
    const bool macros = std::any_of(rest_.begin(), rest_.end(), [](const std::string& option) {
      return option.starts_with("-g") && option.ends_with("3");
    });
    if (macros || !source) parts.push_back(key());
    return name_of(parts);
  }

  void run(const fs::path& output, const StartCompiler& start) const {
    std::vector<std::string> words = command();
    words.insert(words.end(), {"-o", output.string()});
    if (start(words) == 0) return;
    throw Error(Error::Kind::kCompile,
                fmt::format("{} does not compile for {}", source_, soc_.name));
  }

 private:
  static std::string name_of(const std::vector<std::string>& parts) {
    return fmt::format("{:016x}", hash_of(fmt::format("{}", fmt::join(parts, "\n\n"))));
  }

  // What all chips have in common.
  std::string shared() const {
    return fmt::format("{}\n{}\n{}\n{}", VINCI_VERSION, identity_of(compiler()),
                       fmt::join(rest_, "\n"), environment());
  }

  const std::string& source_;
  const Soc& soc_;
  std::vector<std::string> chip_, rest_;
};

}  // namespace

std::string compiler() {
  const char* own = std::getenv("CXX");
  return own != nullptr && *own != '\0' ? own : VINCI_CXX;
}

std::vector<std::string> kernel_options(const Soc& soc, const Installation& installation) {
  std::vector<std::string> options = common_options(installation);
  for (const std::string& option : chip_options(soc)) options.push_back(option);
  return options;
}

Compiled compile_kernel(const std::string& source, const Soc& soc, const Installation& installation,
                        const CompileOptions& options) {
  if (!fs::exists(source)) throw usage(fmt::format("{} does not exist", source));
  if (fs::is_directory(source)) throw usage(fmt::format("{} is a folder", source));
  const Compilation compilation(source, soc, installation, options.words);
  const fs::path cache = cache_directory();
  if (options.use_cache) {
    const auto binary = binary_by_inputs(cache, compilation.key());
    if (binary) return {*binary / "kernel.so", true};
  }
  const WorkFolder work(cache);
  const auto text = preprocess(compilation.command(), work.path() / "text");
  const std::vector<std::string> files = files_among(options.words);
  const std::string name = compilation.binary_name(text, options.words);
  const std::string inputs = text ? inputs_text(*text, files, name) : "";
  const bool from_cache = options.use_cache && text && is_whole(cache / name);
  if (!from_cache) {
    compilation.run(work.path() / "kernel.so", options.start);
    // A file that changed in between: which of its contents was compiled is not known.
    if (text && inputs != inputs_text(*text, files, name)) {
      return compile_kernel(source, soc, installation, options);
    }
    write_file(work.path() / "stamp", stamp_of(work.path() / "kernel.so"));
  }
  if (text && !text->asks) {
    write_file(work.path() / "inputs", inputs);
    fs::rename(work.path() / "inputs", cache / (compilation.key() + ".inputs"));
  }
  if (!from_cache) {
    publish(work.path(), cache / name);
    drop_old_entries(cache);
  }
  return {cache / name / "kernel.so", from_cache};
}

}  // namespace vinci::launch
