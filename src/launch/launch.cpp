// The parent of a kernel's process: it reads the messages, watches the clock, and knows what to say
// when the messages end too early.
#include "launch/launch.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/crash.h"
#include "core/own_library.h"
#include "launch/child.h"
#include "launch/child_process.h"
#include "launch/error.h"
#include "report/common_frames.h"
#include "report/crash_fault.h"
#include "report/json.h"
#include "soc/soc.h"

namespace vinci::launch {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr double kPatienceSeconds = 2;  // for a child that was asked where it is
constexpr double kQuickSeconds = 0.05;  // a kernel that has ended by then is not looked at
constexpr size_t kMostLineBytes = 64 << 20;
constexpr int kMostCutOff = 4;
constexpr size_t kMostFaults = 10 * kMostFaultPlaces;  // a kernel that has the seal tells more

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

// A kernel's cores have one each, and more are nobody's.
constexpr int kMostThreads = 1024;

// Turns messages into an Outcome.
class Listener {
 public:
  Listener(const Launch& launch, Outcome& outcome) : launch_(launch), outcome_(outcome) {}

  // What begins each line of the child.
  void expect_seal(std::string seal) { seal_ = std::move(seal); }

  void hear(const json& message) {
    if (message.contains("fault")) {
      if (outcome_.faults.size() == kMostFaults) return tampered();
      outcome_.faults.push_back(from_wire(message.at("fault")));
    } else if (message.contains("block")) {
      block_ = message.at("block");
      outcome_.blocks_finished = block_;
      outcome_.seconds = message.at("seconds");
    } else if (message.contains("maps")) {
      outcome_.maps = message.at("maps");
    } else if (message.contains("load_error")) {
      outcome_.load_error = message.at("load_error");
      done_ = true;
    } else if (message.contains("crash")) {
      hear_crash(message.at("crash").get<std::vector<uint64_t>>(),
                 message.at("note").get<std::vector<uint8_t>>());
    } else if (message.contains("done")) {
      done_ = true;
      outcome_.seconds = message.at("seconds");
      outcome_.lost_output = message.at("lost_output");
      const auto made = message.at("made").get<std::array<uint64_t, 3>>();
      outcome_.made = {made[0], made[1], made[2]};
      has_finished_ = message.at("done").get<bool>();
      if (has_finished_) outcome_.blocks_finished = launch_.grid.blocks;
      const auto counts = message.at("counts").get<std::vector<uint64_t>>();
      for (size_t i = 0; i < counts.size() && i < outcome_.faults.size(); ++i) {
        outcome_.faults[i].count = counts[i];
      }
    }
  }

  // Of a pipe that the kernel may write to, too.
  void hear_text(std::string_view text) {
    size_t looked_at = pending_.size(), begin = 0, end;
    pending_ += text;
    while ((end = pending_.find('\n', looked_at)) != std::string::npos) {
      hear_line(std::string_view(pending_).substr(begin, end - begin));
      begin = looked_at = end + 1;
    }
    pending_.erase(0, begin);
    if (pending_.size() > kMostLineBytes) {
      tampered();
      pending_.clear();
    }
  }

  void hear_of_threads() {
    add(Code::kSystemCall,
        fmt::format("the system is called for more than {} threads", kMostThreads),
        "what an AI Core can do");
    crashed_ = true;
  }

  // The child is gone; what it did not say itself is said here.
  void hear_end(int status, bool timed_out) {
    if (done_ || crashed_) return;
    if (timed_out) {
      add(Code::kTimeout, "still running, and too busy to say where", "");
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS) {
      add(Code::kSystemCall, "the system is called in a way that ends a process at once",
          "what an AI Core can do");
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
  // Whether the kernel has come to its end, as far as it can be believed.
  bool is_done() const { return done_ && outcome_.load_error.empty(); }
  // Whether all blocks ran to their end.
  bool has_finished() const { return has_finished_; }

 private:
  void hear_line(std::string_view line) {
    // A crash may have cut off the line before its own.
    if (std::string_view(seal_).starts_with(line) && ++cut_off_ <= kMostCutOff) return;
    if (!line.starts_with(seal_)) return tampered();
    line.remove_prefix(seal_.size());
    const json message = json::parse(line.begin(), line.end(), nullptr, false);
    try {
      if (message.is_object()) hear(message);
    } catch (const std::exception&) {  // nothing that vinci says
      tampered();
    }
  }

  void tampered() {
    if (is_tampered_) return;
    is_tampered_ = true;
    add(Code::kTampered, "somebody else wrote to the report of vinci",
        "kernels that write to nothing but GM and their core's memories");
  }

  void hear_crash(const std::vector<uint64_t>& numbers, const std::vector<uint8_t>& note) {
    if (numbers.size() < 8 || numbers[6] >= kCoreKinds) return;
    if (note.empty() || note.size() > sizeof(Crash::note)) return;
    crashed_ = true;
    Crash crash;
    std::copy(note.begin() + 1, note.end(), crash.note);
    crash.signal = int(numbers[0]);
    crash.address = numbers[1];
    crash.in_stack = numbers[2] != 0;
    crash.astray = numbers[3] != 0;
    crash.no_stack = numbers[4] != 0;
    crash.block = block_ = int64_t(numbers[5]) - 1;
    crash.kind = CoreKind(numbers[6]);
    crash.sub_block = int(numbers[7]) - 1;
    crash.depth = int(std::min<size_t>(numbers.size() - 8, kMostCrashFrames));
    std::copy_n(numbers.begin() + 8, crash.depth, crash.frames);
    Fault fault = crash_fault(crash, launch_.kernel.name);
    if (crash.signal == where_signal()) {
      fault.message = outcome_.interrupted
                          ? fmt::format("{}: interrupted", launch_.kernel.name)
                          : fmt::format("{}: still running after {} s", launch_.kernel.name,
                                        launch_.timeout_seconds);
      if (!outcome_.interrupted) {
        fault.legal = fmt::format("a kernel that ends, or a larger {}", launch_.timeout_name);
      }
    }
    if (crash.signal == SIGSYS) {
      fault.code = Code::kSystemCall;
      fault.message = fmt::format("{}: the system is called for {}", launch_.kernel.name,
                                  system_call_name(int(crash.address)));
      fault.legal = "what an AI Core can do";
    }
    add(std::move(fault), crash.kind);
  }

  void add(Code code, const std::string& message, std::string legal) {
    Fault fault;
    fault.code = code;
    fault.message = fmt::format("{}: {}", launch_.kernel.name, message);
    fault.legal = std::move(legal);
    fault.block = block_;
    add(std::move(fault));
  }

  void add(Fault fault, CoreKind kind = CoreKind::kWhole) {
    fault.core = core_of(*find_soc(launch_.soc), kind).arch->core_name;
    outcome_.faults.push_back(std::move(fault));
  }

  const Launch& launch_;
  Outcome& outcome_;
  std::string seal_, pending_;
  int64_t block_ = -1;
  int cut_off_ = 0;  // lines that ended in their seal
  bool done_ = false;
  bool has_finished_ = false;
  bool crashed_ = false;
  bool is_tampered_ = false;
};

// Asks a child where it is, and ends it if it does not answer.
class Patience {
 public:
  void ask(const ChildProcess& child) {
    if (is_asked_) return;
    is_asked_ = true;
    asked_ = Clock::now();
    child.signal(where_signal());
  }
  void check(const ChildProcess& child) {
    if (!is_asked_ || is_killed_ || seconds_since(asked_) <= kPatienceSeconds) return;
    is_killed_ = true;
    child.signal(SIGKILL);
  }
  bool is_over() const { return is_killed_; }

 private:
  Clock::time_point asked_;
  bool is_asked_ = false, is_killed_ = false;
};

void watch_child(ChildProcess& child, int pipe, const Launch& launch, const Watch& watch,
                 Listener& listener, Outcome& outcome) {
  const auto start = Clock::now();
  Patience patience;
  bool open = true;
  char buffer[1 << 16];
  while (true) {
    if (child.await(open ? pipe : -1)) {  // the kernel may close what is not its own
      const ssize_t got = read(pipe, buffer, sizeof(buffer));
      open = got != 0;
      if (got > 0) listener.hear_text({buffer, size_t(got)});
      // What is shut in may have said so while it goes on.
      if (listener.has_finished() && launch.sandbox == Sandbox::kOff) return child.leave();
    } else if (child.has_ended()) {
      break;  // something the kernel started may still hold the pipe
    }
    const double seconds = seconds_since(start);
    if (watch.progress) watch.progress(listener.block(), seconds);
    if (watch.interrupted && watch.interrupted()) outcome.interrupted = true;
    const bool late = launch.timeout_seconds > 0 && seconds > launch.timeout_seconds;
    if (late || outcome.interrupted) patience.ask(child);
    patience.check(child);
    const bool is_looked_at = launch.sandbox != Sandbox::kOff && seconds > kQuickSeconds;
    if (is_looked_at && child.threads() > kMostThreads) {
      listener.hear_of_threads();
      child.signal(SIGKILL);
      break;
    }
  }
  listener.hear_end(child.status(), patience.is_over());
}

// The reading end of the child's pipe.
struct Started {
  pid_t child;
  int pipe;
  std::string seal;
};

// 128 bits that nobody guesses.
std::string new_seal() {
  uint64_t words[2] = {};
  if (getrandom(words, sizeof(words), 0) != sizeof(words)) {
    throw Error(Error::Kind::kInternal, "no random bits are to be had");
  }
  return fmt::format("{:016x}{:016x}", words[0], words[1]);
}

// What loading a kernel may read: its files, and libraries.
std::vector<std::string> readable_of(const Launch& launch) {
  std::vector<std::string> readable = {"/lib",       "/lib64",           "/usr/lib",
                                       "/usr/lib64", "/etc/ld.so.cache", own_library().folder};
  for (const std::string& object : launch.shared_objects) {
    if (!object.empty()) readable.push_back(object);
  }
  return readable;
}

// One at a time: a child that held the pipe of another would keep it open.
Started start_child(const Launch& launch, Device& device, const Call& call) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Error(Error::Kind::kInternal, "no pipe is to be had");
  std::fflush(stdout);
  if (launch.sandbox != Sandbox::kOff) prepare_shut_in(readable_of(launch));
  const std::string seal = new_seal();
  // The child opens itself to this signal once it has a handler for it.
  sigset_t where, before;
  sigemptyset(&where);
  sigaddset(&where, where_signal());
  pthread_sigmask(SIG_BLOCK, &where, &before);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    be_the_child(ends[1], seal, launch, device, call);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    throw Error(Error::Kind::kInternal, "no process is to be had");
  }
  return {child, ends[0], seal};
}

// To what was heard: faults of one line are one.
void count_by_line(Outcome& outcome) {
  const auto is_error = [](const Fault& fault) { return !fault.entry().warning; };
  const auto is_endless = [&](const Fault& fault) {
    return is_error(fault) && fault.count >= kMostFaultTimes;
  };
  outcome.stopped = size_t(std::ranges::count_if(outcome.faults, is_error)) >= kMostFaultPlaces ||
                    std::ranges::any_of(outcome.faults, is_endless);
  if (outcome.faults.size() < 2) return;
  outcome.faults = merged_by_line(outcome.faults, SourceLines::of_maps(outcome.maps));
}

}  // namespace

Outcome run_kernel(const Launch& launch, Device& device, const std::vector<Value>& values,
                   const Watch& watch) {
  const Call call(launch.kernel, values);
  device.set_order(launch.order);
  device.keep_copies();
  Outcome outcome;
  Listener listener(launch, outcome);
  if (launch.in_this_process || under_debugger()) {
    run_blocks(launch, device, call, [&](const json& message) { listener.hear(message); });
    count_by_line(outcome);
    return outcome;
  }
  device.prepare(launch.grid);
  const auto [id, pipe, seal] = start_child(launch, device, call);
  listener.expect_seal(seal);
  {
    ChildProcess child(id);
    watch_child(child, pipe, launch, watch, listener, outcome);
  }
  close(pipe);
  // What only the kernel's process would have told, is told by its traces, too.
  if (listener.is_done()) {
    for (Fault& fault : device.evidence()) outcome.faults.push_back(std::move(fault));
  }
  count_by_line(outcome);
  return outcome;
}

}  // namespace vinci::launch
