// Calling the host compiler, and the cache of what it made.
//
// An entry is a folder named after a hash of everything on the command line. In it, `inputs` lists
// the files that went in and what came out, each with a hash of its content.
#include "cli/compile.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/error.h"

extern char** environ;

namespace vinci::cli {
namespace {

namespace fs = std::filesystem;

constexpr auto kEntryLifetime = std::chrono::hours(24 * 30);

fs::path program_directory() { return fs::read_symlink("/proc/self/exe").parent_path(); }

// FNV-1a: enough to tell contents apart, not meant against malice.
uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char byte : text) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

std::optional<std::string> content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
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

// The prerequisites in a makefile rule: "target: a b\ c \<newline> d".
std::vector<std::string> prerequisites(const std::string& rule) {
  std::vector<std::string> files;
  std::string word;
  const size_t start = rule.find(": ");
  for (size_t i = start == std::string::npos ? rule.size() : start + 2; i < rule.size(); ++i) {
    const char c = rule[i];
    if (c == '\\' && i + 1 < rule.size()) {
      ++i;
      if (rule[i] != '\n') word += rule[i];
    } else if (c == '$' && i + 1 < rule.size() && rule[i + 1] == '$') {
      word += rule[++i];
    } else if (c == ' ' || c == '\n') {
      if (!word.empty()) files.push_back(std::exchange(word, ""));
    } else {
      word += c;
    }
  }
  if (!word.empty()) files.push_back(word);
  return files;
}

bool is_fresh(const fs::path& entry) {
  std::ifstream inputs(entry / "inputs");
  if (!inputs) return false;
  std::string line;
  while (std::getline(inputs, line)) {
    const size_t space = line.find(' ');
    if (space == std::string::npos) return false;
    const std::string name = line.substr(space + 1);
    const auto content = content_of(name == "kernel.so" ? (entry / name).string() : name);
    if (!content || fmt::format("{:016x}", hash_of(*content)) != line.substr(0, space))
      return false;
  }
  return true;
}

void write_inputs(const fs::path& work) {
  const auto rule = content_of(work / "kernel.d");
  std::ofstream inputs(work / "inputs");
  for (const std::string& file : prerequisites(rule.value_or(""))) {
    inputs << fmt::format("{:016x} {}\n", hash_of(content_of(file).value_or("")), file);
  }
  inputs << fmt::format("{:016x} kernel.so\n", hash_of(*content_of(work / "kernel.so")));
}

// Puts a finished work folder in the entry's place, in one step: other processes see the old entry
// or the new one.
void publish(const fs::path& work, const fs::path& entry) {
  std::error_code error;
  fs::rename(work, entry, error);
  if (!error) return;
  renameat2(AT_FDCWD, work.c_str(), AT_FDCWD, entry.c_str(), RENAME_EXCHANGE);
  fs::remove_all(work, error);
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

int run(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed =
      posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (failed != 0) {
    throw Error(kExitCompile, fmt::format("the compiler {} cannot be started: {}", command[0],
                                          std::strerror(failed)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace

std::string include_directory() { return (program_directory().parent_path() / "include").string(); }
std::string library_directory() { return (program_directory().parent_path() / "lib").string(); }

std::string compiler() {
  const char* own = std::getenv("CXX");
  return own != nullptr && *own != '\0' ? own : VINCI_CXX;
}

std::vector<std::string> kernel_options(const Soc& soc) {
  // No sibling calls: a fault's call stack must keep the frame of every kernel function.
  // No contraction: scalar code gives the same bits on every host.
  std::vector<std::string> options{"-std=c++17",
                                   "-g",
                                   "-ffp-contract=off",
                                   "-fno-optimize-sibling-calls",
                                   "-fno-omit-frame-pointer",
                                   "-I" + include_directory(),
                                   "-DASCENDC_CPU_DEBUG=1",
                                   "-D__CCE_KT_TEST__=1",
                                   fmt::format("-DVINCI_SOC=\"{}\"", soc.name)};
  // Two calls must not become one, which has the line of either; nor two functions one, which has
  // the name of either.
  if (compiler().find("clang") == std::string::npos) {
    options.insert(options.end(), {"-fno-tree-tail-merge", "-fno-crossjumping", "-fno-ipa-icf"});
  }
  for (const std::string& definition : soc.definitions()) options.push_back("-D" + definition);
  return options;
}

Compiled compile_kernel(const std::string& source, const Soc& soc,
                        const std::vector<std::string>& options, bool use_cache, bool quiet) {
  if (!fs::exists(source)) throw usage(fmt::format("{} does not exist", source));
  if (fs::is_directory(source)) throw usage(fmt::format("{} is a folder", source));
  std::vector<std::string> command{compiler()};
  const auto append = [&](const std::vector<std::string>& more) {
    command.insert(command.end(), more.begin(), more.end());
  };
  append(kernel_options(soc));
  append({"-O2", "-fPIC", "-shared", "-x", "c++", fs::absolute(source).string(), "-x", "none"});
  append(options);

  const fs::path cache = cache_directory();
  const std::string key = fmt::format("{}\n{}\n{}\n{}", VINCI_VERSION, identity_of(command[0]),
                                      fmt::join(command, "\n"), fs::current_path().string());
  const fs::path entry = cache / fmt::format("{:016x}", hash_of(key));
  if (use_cache && is_fresh(entry)) return {entry / "kernel.so", true};

  std::error_code error;
  fs::create_directories(cache, error);
  std::string work = (cache / "work-XXXXXX").string();
  if (mkdtemp(work.data()) == nullptr) {
    throw Error(kExitCompile, fmt::format("cannot write to the cache {}: {} (set VINCI_CACHE)",
                                          cache.string(), std::strerror(errno)));
  }
  append({"-MMD", "-MF", work + "/kernel.d", "-o", work + "/kernel.so"});
  const bool terminal = !quiet && isatty(STDERR_FILENO) != 0;
  if (terminal) fmt::print(stderr, "compiling {} for {} ...", source, soc.name);
  const int status = run(command);
  if (terminal) fmt::print(stderr, "\r\033[K");
  if (status != 0) {
    fs::remove_all(work, error);
    throw Error(kExitCompile, fmt::format("{} does not compile for {}", source, soc.name));
  }
  write_inputs(work);
  publish(work, entry);
  drop_old_entries(cache);
  return {entry / "kernel.so", false};
}

}  // namespace vinci::cli
