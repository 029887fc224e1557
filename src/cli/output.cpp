#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "cli/error.h"

namespace vinci::cli {
namespace {

namespace fs = std::filesystem;

bool is_lost = false;  // something of somebody else's

// Such as /dev/stderr: a link to what has other lines, too.
bool is_systems(const fs::path& path) {
  return path.native().starts_with("/dev/") || path.native().starts_with("/proc/");
}

}  // namespace

void prepare_streams() {
  signal(SIGPIPE, SIG_IGN);
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest number that is free is this stream's.
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

void note_lost_output() { is_lost = true; }

int finish_output(int code) {
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && !is_lost) return code;
  // Why it failed is forgotten by now, but the next attempt will fail, too.
  errno = 0;
  const bool says_why = ::write(STDOUT_FILENO, "\n", 1) < 0;
  std::fputs(fmt::format("vinci: standard output cannot be written{}{}\n", says_why ? ": " : "",
                         says_why ? std::strerror(errno) : "")
                 .c_str(),
             stderr);
  return code == kExitClean ? kExitUsage : code;
}

void drop_report(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::error_code error;
  fs::path file = path;
  for (int links = 0; links < kMostLinks && fs::is_symlink(file, error); ++links) {
    if (is_systems(file)) return;
    file = file.parent_path() / fs::read_symlink(file, error);
  }
  if (!is_systems(file) && fs::is_regular_file(file, error)) fs::remove(file, error);
}

void write_report(const ReportPath& report, const std::string& text) {
  const auto& [option, path] = report;
  if (path == "-" || path == "/dev/stdout") {
    fmt::print("{}", text);
    return;
  }
  // Behind what is there: it is of this run.
  std::ofstream file(path, std::ios::app);
  file << text;
  file.close();
  if (!file) throw usage(fmt::format("{} {}: cannot be written", option, path));
}

void write_file(const fs::path& path, const std::string& text) {
  std::ifstream old(path, std::ios::binary);
  if (old && std::string(std::istreambuf_iterator<char>(old), {}) == text) return;
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) throw usage(fmt::format("{} cannot be written", path.string()));
}

}  // namespace vinci::cli
