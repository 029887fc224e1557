#include "host/program.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "acl/acl_base.h"
#include "core/core.h"
#include "core/crash.h"
#include "host/driver.h"
#include "host/findings.h"
#include "report/crash_fault.h"
#include "op/tile.h"
#include "report/nearest.h"

namespace vinci::host {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Devices that are not in use, and the one whose GM they share. Never destroyed.
struct Card {
  std::unique_ptr<Device> memory;
  std::multimap<std::string, std::unique_ptr<Device>> idle;  // by chip
};
struct Program {
  std::mutex mutex;
  std::string compiled_for;
  std::map<int32_t, Card> cards;
};
Program& program() {
  static Program* const all = new Program;
  return *all;
}

// A device of this launch's own.
class Lease {
 public:
  Lease(int32_t card, const std::string& soc) : card_(card), soc_(soc) {
    const Device& memory = memory_of(card);
    const std::lock_guard lock(program().mutex);
    auto& idle = program().cards[card].idle;
    if (const auto found = idle.find(soc); found != idle.end()) {
      device_ = std::move(found->second);
      idle.erase(found);
    } else {
      device_ = std::make_unique<Device>(soc, program_checks(), memory);
      device_->set_threads(0);
    }
  }
  ~Lease() {
    const std::lock_guard lock(program().mutex);
    program().cards[card_].idle.emplace(soc_, std::move(device_));
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  Device& device() { return *device_; }

 private:
  const int32_t card_;
  const std::string soc_;
  std::unique_ptr<Device> device_;
};

double timeout_seconds() {
  static const double seconds = [] {
    const std::string text = environment("VINCI_TIMEOUT");
    if (text.empty()) return 0.0;
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [parsed, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || parsed != end || value <= 0) {
      refuse(fmt::format("VINCI_TIMEOUT is {}; legal: seconds, more than 0", text));
    }
    return value;
  }();
  return seconds;
}

// The host function of a package that this thread runs, for its last words.
thread_local const char* running_function = "";

// Not async-signal-safe, and the last thing that happens: the process is lost anyway.
void last_words(const Crash& crash) {
  const char* const running = *crash.kernel != '\0' ? crash.kernel : running_function;
  Fault fault = crash_fault(crash, running);
  const char* const null = op::last_null();
  if (*null != '\0' && fault.code == Code::kBadAddress) {
    fault.message += fmt::format("; before that a null pointer came from {}", null);
  }
  if (fault.code == Code::kTimeout) {
    fault.message = fmt::format("{}: no end after {} s", running, timeout_seconds());
    fault.legal = "kernels that end within VINCI_TIMEOUT seconds";
  }
  tell(fault, running);
  write_reports();
  remove_scratch();
  _exit(1);
}

void prepare_for_crashes() {
  static std::once_flag once;
  std::call_once(once, [] {
    install_crash_handler(last_words);
    read_suppressions();
  });
}

// Asks the kernel of a device where it is when its time is over.
class Watch {
 public:
  Watch(Device& device, const std::string& name) {
    const double seconds = timeout_seconds();
    if (seconds == 0) return;
    sigset_t all, before;
    sigfillset(&all);  // signals are for the threads that run kernels
    pthread_sigmask(SIG_BLOCK, &all, &before);
    thread_ = std::thread([this, &device, name, seconds] { watch(device, name, seconds); });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  ~Watch() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_all();
    thread_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  void watch(Device& device, const std::string& name, double seconds) {
    static constexpr auto kAnswer = std::chrono::seconds(5);
    std::unique_lock lock(mutex_);
    const auto is_over = [this] { return is_over_; };
    if (over_.wait_for(lock, std::chrono::duration<double>(seconds), is_over)) return;
    if (!device.ask_where()) return;
    if (over_.wait_for(lock, kAnswer, is_over)) return;
    fmt::print(stderr, "vinci: {}: no end after {} s, and no answer\n", name, seconds);
    _exit(1);
  }

  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;
};

// The same kind of end on a vector core has another number.
struct Codes {
  int32_t any, vector;
};
Codes codes_of(Code code) {
  switch (code) {
    case Code::kBarrierAlone:
    case Code::kDeadlock:
    case Code::kTimeout: return {ACL_ERROR_RT_AICORE_TIMEOUT, ACL_ERROR_RT_VECTOR_CORE_TIMEOUT};
    case Code::kGmOverrun:
      return {ACL_ERROR_RT_AICORE_TRAP_WRITE_OVERFLOW,
              ACL_ERROR_RT_VECTOR_CORE_TRAP_WRITE_OVERFLOW};
    case Code::kAssertion:
      return {ACL_ERROR_RT_AICORE_TRAP_EXCEPTION, ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION};
    default: return {ACL_ERROR_RT_AICORE_EXCEPTION, ACL_ERROR_RT_VECTOR_CORE_EXCEPTION};
  }
}

int32_t code_of(const Fault& fault, const Grid& grid, const Soc& soc) {
  // A fault that names no core may be of any of the launch.
  const bool is_vector =
      grid.is_whole() ? soc.arch->vector_core
                      : grid.aic == 0 || fault.core == core_of(soc, CoreKind::kAiv).arch->core_name;
  const Codes codes = codes_of(fault.code);
  return is_vector ? codes.vector : codes.any;
}

}  // namespace

// At once: whoever runs at the end of the program would ask the same again.
void refuse(const std::string& text) {
  std::cout.flush();
  std::fflush(nullptr);
  fmt::print(stderr, "vinci: {}\n", text);
  _exit(2);
}

void set_program_soc(const char* soc) {
  const std::lock_guard lock(program().mutex);
  if (program().compiled_for.empty()) program().compiled_for = soc;
}

std::string program_soc() {
  const std::lock_guard lock(program().mutex);
  const std::string& soc = program().compiled_for;
  return soc_of(soc.empty() ? std::string(kDefaultSoc) : soc);
}

std::string soc_of(const std::string& compiled_for) {
  const std::string soc = environment("VINCI_SOC");
  return soc.empty() ? compiled_for : soc;
}

const Soc& chip(const std::string& name) {
  if (const Soc* soc = find_soc(name)) return *soc;
  std::vector<std::string_view> names;
  for (const Soc& soc : all_socs()) names.push_back(soc.name);
  refuse(fmt::format("unknown chip {}{}\n  chips: {}", name, did_you_mean(name, names),
                     fmt::join(names, " ")));
}

Checks program_checks() {
  const std::string text = environment("VINCI_CHECK");
  if (text.empty()) return Checks::kFull;
  if (const auto checks = find_checks(text)) return *checks;
  refuse(fmt::format("VINCI_CHECK is {}; legal: {}", text, legal_checks()));
}

Order program_order() {
  try {
    return Order::of_environment();
  } catch (const std::invalid_argument& error) {
    refuse(error.what());
  }
}

Device& memory_of(int32_t id) {
  {
    const std::lock_guard lock(program().mutex);
    if (auto& memory = program().cards[id].memory; memory != nullptr) return *memory;
  }
  const std::string soc(chip(program_soc()).name);
  const std::lock_guard lock(program().mutex);
  auto& memory = program().cards[id].memory;
  if (memory == nullptr) {
    program_order();  // is legal, or the end
    memory = std::make_unique<Device>(soc, program_checks());
  }
  return *memory;
}

MayCrash::MayCrash(const char* name) {
  prepare_for_crashes();
  running_function = name;
}
MayCrash::~MayCrash() { running_function = ""; }

Ending run_kernel(int32_t card, const std::string& soc, const std::string& name, const Grid& grid,
                  const std::function<void()>& kernel) {
  prepare_for_crashes();
  const CrashStack crash_stack;
  Lease lease(card, soc);
  try {
    lease.device().check(grid);
  } catch (const std::invalid_argument& error) {
    return {ACL_ERROR_RT_PARAM_INVALID, fmt::format("{}: {}", name, error.what())};
  }
  FaultList found;
  lease.device().on_fault([&](const Fault& fault) { return found.add(fault); });
  {
    const Watch watch(lease.device(), name);
    lease.device().launch(grid, [&] {
      Core::current().set_kernel_name(name.c_str());
      kernel();
    });
  }
  std::fflush(stdout);
  Ending ending;
  for (const Fault& fault : found.faults()) {
    const bool counts = tell(fault, name);
    if (ending.code != 0 || !counts) continue;
    ending = {code_of(fault, grid, chip(soc)), fmt::format("{}: {}", name, words_of(fault))};
  }
  return ending;
}

}  // namespace vinci::host

extern "C" void vinci_set_program_soc(const char* soc) { vinci::host::set_program_soc(soc); }
