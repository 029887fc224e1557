// Lines on a terminal, which go away again; and Ctrl-C.
#include "cli/terminal.h"

#include <unistd.h>

#include <fmt/format.h>

namespace vinci::cli {
namespace {

constexpr double kQuietSeconds = 2;  // before the first progress line

volatile sig_atomic_t interrupted = 0;

}  // namespace

int start_compiler(const std::vector<std::string>& command, const std::string& source,
                   std::string_view soc, bool quiet) {
  const bool terminal = !quiet && isatty(STDERR_FILENO) != 0;
  if (terminal) fmt::print(stderr, "compiling {} for {} ...", source, soc);
  const int status = launch::run_command(command);
  if (terminal) fmt::print(stderr, "\r\033[K");
  return status;
}

Onlooker::Onlooker(const launch::Launch& launch)
    : launch_(launch), terminal_(isatty(STDERR_FILENO) != 0) {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupted = 1; };
  sigaction(SIGINT, &action, &before_);
}

Onlooker::~Onlooker() {
  sigaction(SIGINT, &before_, nullptr);
  if (shown_) fmt::print(stderr, "\r\033[K");
}

launch::Watch Onlooker::watch() {
  return {[this](int64_t block, double seconds) { show(block, seconds); },
          [] { return interrupted != 0; }};
}

void Onlooker::show(int64_t block, double seconds) {
  if (!terminal_ || seconds < kQuietSeconds) return;
  shown_ = true;
  fmt::print(stderr, "\r\033[K{} on {}: block {} of {}, {:.0f} s", launch_.kernel.name, launch_.soc,
             block + 1, launch_.blocks, seconds);
}

}  // namespace vinci::cli
