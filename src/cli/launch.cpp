// The parent of a kernel's process: it reads the messages, watches the clock, and knows what to say
// when the messages end too early.
#include "cli/launch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/child.h"
#include "cli/error.h"
#include "core/crash.h"
#include "report/crash_fault.h"
#include "report/json.h"
#include "soc/soc.h"

namespace vinci::cli {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr double kQuietSeconds = 2;     // before the first progress line
constexpr double kPatienceSeconds = 2;  // for a child that was asked where it is

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// A debugger wants the kernel in this process; strace and its kind do not care.
bool under_debugger() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("TracerPid:")) continue;
    const int tracer = std::atoi(line.c_str() + 10);
    std::ifstream name(fmt::format("/proc/{}/comm", tracer));
    std::string program;
    std::getline(name, program);
    return tracer != 0 && program != "strace" && program != "ltrace";
  }
  return false;
}

volatile sig_atomic_t interrupted = 0;

// Turns messages into an Outcome.
class Listener {
 public:
  Listener(const Launch& launch, Outcome& outcome) : launch_(launch), outcome_(outcome) {}

  void hear(const json& message) {
    if (message.contains("fault")) {
      outcome_.faults.push_back(from_wire(message["fault"]));
    } else if (message.contains("block")) {
      block_ = message["block"];
      outcome_.blocks_finished = block_;
      outcome_.seconds = message["seconds"];
    } else if (message.contains("maps")) {
      outcome_.maps = message["maps"];
    } else if (message.contains("load_error")) {
      outcome_.load_error = message["load_error"];
      done_ = true;
    } else if (message.contains("crash")) {
      hear_crash(message["crash"].get<std::vector<uint64_t>>(),
                 message["note"].get<std::vector<uint8_t>>());
    } else if (message.contains("done")) {
      done_ = true;
      outcome_.seconds = message["seconds"];
      if (message["done"].get<bool>()) outcome_.blocks_finished = launch_.blocks;
      const auto counts = message["counts"].get<std::vector<uint64_t>>();
      for (size_t i = 0; i < counts.size() && i < outcome_.faults.size(); ++i) {
        outcome_.faults[i].count = counts[i];
      }
    }
  }

  void hear_text(std::string_view text) {
    pending_ += text;
    size_t end;
    while ((end = pending_.find('\n')) != std::string::npos) {
      const json message =
          json::parse(pending_.begin(), pending_.begin() + long(end), nullptr, false);
      pending_.erase(0, end + 1);
      if (message.is_object()) hear(message);
    }
  }

  // The child is gone; what it did not say itself is said here.
  void hear_end(int status, bool timed_out) {
    if (done_ || crashed_) return;
    if (timed_out) {
      add(Code::kTimeout, "still running, and too busy to say where", "");
    } else if (WIFSIGNALED(status)) {
      add(Code::kSignal,
          fmt::format("its process was killed by signal {}: {}", WTERMSIG(status),
                      strsignal(WTERMSIG(status))),
          "");
    } else {
      add(Code::kProcessEnded,
          fmt::format("it ended the process with status {}", WEXITSTATUS(status)),
          "return from the kernel");
    }
  }

  int64_t block() const { return block_; }

 private:
  void hear_crash(const std::vector<uint64_t>& numbers, const std::vector<uint8_t>& note) {
    if (numbers.size() < 4 || note.size() > sizeof(Crash::note)) return;
    crashed_ = true;
    Crash crash;
    std::copy(note.begin() + 1, note.end(), crash.note);
    crash.signal = int(numbers[0]);
    crash.address = numbers[1];
    crash.in_stack = numbers[2] != 0;
    crash.block = block_ = int64_t(numbers[3]) - 1;
    crash.depth = int(std::min<size_t>(numbers.size() - 4, kMostCrashFrames));
    std::copy_n(numbers.begin() + 4, crash.depth, crash.frames);
    Fault fault = crash_fault(crash, launch_.kernel.name);
    if (crash.signal == where_signal()) {
      fault.message = outcome_.interrupted
                          ? fmt::format("{}: interrupted", launch_.kernel.name)
                          : fmt::format("{}: still running after {} s", launch_.kernel.name,
                                        launch_.timeout_seconds);
      if (!outcome_.interrupted) fault.legal = "a kernel that ends, or a larger --timeout";
    }
    add(std::move(fault));
  }

  void add(Code code, const std::string& message, std::string legal) {
    Fault fault;
    fault.code = code;
    fault.message = fmt::format("{}: {}", launch_.kernel.name, message);
    fault.legal = std::move(legal);
    fault.block = block_;
    add(std::move(fault));
  }

  void add(Fault fault) {
    fault.core = find_soc(launch_.soc)->arch->core_name;
    outcome_.faults.push_back(std::move(fault));
  }

  const Launch& launch_;
  Outcome& outcome_;
  std::string pending_;
  int64_t block_ = -1;
  bool done_ = false;
  bool crashed_ = false;
};

class ProgressLine {
 public:
  void show(const Launch& launch, int64_t block, double seconds) {
    if (!terminal_ || seconds < kQuietSeconds) return;
    shown_ = true;
    fmt::print(stderr, "\r\033[K{} on {}: block {} of {}, {:.0f} s", launch.kernel.name, launch.soc,
               block + 1, launch.blocks, seconds);
  }
  ~ProgressLine() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
};

// Catches Ctrl-C while the child runs.
class InterruptScope {
 public:
  InterruptScope() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    sigaction(SIGINT, &action, &before_);
  }
  ~InterruptScope() { sigaction(SIGINT, &before_, nullptr); }

 private:
  struct sigaction before_ {};
};

void watch_child(pid_t child, int pipe, const Launch& launch, Listener& listener,
                 Outcome& outcome) {
  const auto start = Clock::now();
  Clock::time_point asked;
  bool open = true, is_asked = false, is_killed = false;
  ProgressLine progress;
  char buffer[1 << 16];
  int status = 0;
  while (true) {
    pollfd ready{open ? pipe : -1, POLLIN, 0};  // the kernel may close what is not its own
    poll(&ready, 1, open ? 100 : 1);
    if (ready.revents != 0) {
      const ssize_t got = read(pipe, buffer, sizeof(buffer));
      open = got != 0;
      if (got > 0) listener.hear_text({buffer, size_t(got)});
    } else if (waitpid(child, &status, WNOHANG) == child) {
      break;  // something the kernel started may still hold the pipe
    }
    const double seconds = seconds_since(start);
    progress.show(launch, listener.block(), seconds);
    const bool late = launch.timeout_seconds > 0 && seconds > launch.timeout_seconds;
    if (interrupted != 0) outcome.interrupted = true;
    if ((late || interrupted != 0) && !is_asked) {
      is_asked = true;
      asked = Clock::now();
      kill(child, where_signal());
    }
    if (is_asked && !is_killed && seconds_since(asked) > kPatienceSeconds) {
      is_killed = true;
      kill(child, SIGKILL);
    }
  }
  listener.hear_end(status, is_killed);
}

}  // namespace

Outcome run_kernel(const Launch& launch, Device& device, const std::vector<Bound>& arguments) {
  Outcome outcome;
  Listener listener(launch, outcome);
  if (under_debugger()) {
    run_blocks(launch, device, arguments, [&](const json& message) { listener.hear(message); });
    return outcome;
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error(kExitInternal, "no pipe is to be had");
  std::fflush(nullptr);
  const InterruptScope interrupts;
  // The child opens itself to this signal once it has a handler for it.
  sigset_t where, before;
  sigemptyset(&where);
  sigaddset(&where, where_signal());
  sigprocmask(SIG_BLOCK, &where, &before);
  const pid_t child = fork();
  if (child < 0) throw Error(kExitInternal, "no process is to be had");
  if (child == 0) {
    close(ends[0]);
    be_the_child(ends[1], launch, device, arguments);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  close(ends[1]);
  watch_child(child, ends[0], launch, listener, outcome);
  close(ends[0]);
  return outcome;
}

}  // namespace vinci::cli
