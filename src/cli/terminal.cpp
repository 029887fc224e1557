// Lines on a terminal, which go away again.
#include "cli/terminal.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "cli/signals.h"
#include "launch/compile/compile.h"

namespace vinci::cli {
namespace {

constexpr double kQuietSeconds = 2;  // before the first progress line

bool has_colours() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

// A line for as long as it exists.
class PassingLine {
 public:
  explicit PassingLine(const std::string& text)
      : shown_(!text.empty() && isatty(STDERR_FILENO) != 0) {
    if (shown_) fmt::print(stderr, "{}", text);
  }
  ~PassingLine() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  PassingLine(const PassingLine&) = delete;
  PassingLine& operator=(const PassingLine&) = delete;

 private:
  const bool shown_;
};

}  // namespace

int start_compiler(std::vector<std::string> command, const launch::Redirection& to,
                   const std::string& source, std::string_view soc, bool quiet) {
  if (has_colours()) {
    command.insert(command.begin() + long(launch::compiler().size()), "-fdiagnostics-color=always");
  }
  const PassingLine line(quiet ? "" : fmt::format("compiling {} for {} ...", source, soc));
  return launch::run_command(command, to);
}

void tell_messages(const std::string& messages) {
  std::string text;
  for (size_t i = 0; i < messages.size(); ++i) {
    // ESC [ parameters, and a letter.
    if (messages[i] == '\033' && !has_colours()) {
      i = messages.find_first_of("mK", i);
      if (i == std::string::npos) break;
    } else {
      text += messages[i];
    }
  }
  std::fputs(text.c_str(), stderr);
}

Onlooker::Onlooker(const launch::Launch& launch)
    : launch_(launch), terminal_(isatty(STDERR_FILENO) != 0) {}

Onlooker::~Onlooker() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

launch::Watch Onlooker::watch() {
  return {[this](int64_t block, double seconds) { show(block, seconds); },
          [] { return Signals::came(); }};
}

void Onlooker::show(int64_t block, double seconds) {
  if (!terminal_ || seconds < kQuietSeconds) return;
  shown_ = true;
  fmt::print(stderr, "\r\033[K{} on {}: block {} of {}, {:.0f} s", launch_.kernel.name, launch_.soc,
             block + 1, launch_.grid.blocks, seconds);
}

}  // namespace vinci::cli
