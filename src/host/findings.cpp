#include "host/findings.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/call_stack.h"
#include "host/driver.h"
#include "host/program.h"
#include "report/common_frames.h"
#include "report/json.h"
#include "report/sarif.h"
#include "report/suppress.h"
#include "report/text.h"
#include "vinci/device.h"

namespace vinci::host {
namespace {

using Clock = std::chrono::steady_clock;

// Never destroyed: streams may be at work until the very end.
struct Findings {
  std::recursive_mutex mutex;  // what crashes while it tells something has its last words, too
  FaultList list;
  std::vector<std::string> kernels;  // of each
  CommonFrames common;
  std::optional<Suppressions> suppressions;
  std::atomic<int64_t> launches = 0;
  Clock::time_point start = Clock::now();
  // Processes that fork from the program do not speak for it.
  pid_t process = getpid();
};
Findings* findings = nullptr;

Findings& all() {
  static Findings* const made = findings = new Findings;
  return *made;
}

// The program's exit code is its own if it has one, or says that it wants it so.
int exit_code_for(int status) {
  const char* whose = std::getenv("VINCI_EXIT_CODE");
  if (status != 0 || (whose != nullptr && std::string_view(whose) == "program")) return status;
  return exit_code(findings->list.faults());
}

void write_report(const char* variable, nlohmann::json (*report)()) {
  const char* path = std::getenv(variable);
  if (path == nullptr || *path == '\0') return;
  const std::string text = report().dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
  if (std::string_view(path) == "-") {
    std::fputs((text + "\n").c_str(), stdout);
    return;
  }
  std::ofstream file(path);
  file << text << "\n";
  if (!file.flush()) fmt::print(stderr, "vinci: {}: {} cannot be written\n", variable, path);
}

// Suppressions for what is no longer found.
void tell_unused() {
  if (!findings->suppressions) return;
  for (const std::string& line : findings->suppressions->unused()) {
    fmt::print(stderr, "vinci: {} matched nothing\n", line);
  }
}

void at_end(int status, void*) {
  if (findings == nullptr) return remove_scratch();
  if (findings->process != getpid()) return;
  write_reports();
  tell_unused();
  remove_scratch();
  const int code = exit_code_for(status);
  if (code == status) return;
  std::cout.flush();
  std::fflush(nullptr);
  _exit(code);
}

// As early as can be: such functions run in reverse order, and the program's own destructors and
// functions at its end are to run before this one.
[[gnu::constructor]] void wait_for_the_end() { on_exit(at_end, nullptr); }

std::string name_of_program() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  return length < 0 ? "" : std::string(path, size_t(length));
}

nlohmann::json report() {
  const SourceLines lines = SourceLines::of_this_process();
  nlohmann::json faults = nlohmann::json::array();
  const std::vector<Fault>& found = findings->list.faults();
  for (size_t i = 0; i < found.size(); ++i) {
    faults.push_back(json_of(found[i], lines));
    faults.back()["kernel"] = findings->kernels[i];
  }
  const Order order = program_order();
  return {{"vinci", VINCI_VERSION},
          {"file", name_of_program()},
          {"soc", program_soc()},
          {"launches", findings->launches.load()},
          {"check", name_of(program_checks())},
          {"schedule", schedule_name(order)},
          {"auto_sync", order.auto_sync},
          {"seconds", std::chrono::duration<double>(Clock::now() - findings->start).count()},
          {"faults", faults},
          {"exit_code", exit_code(found)}};
}

nlohmann::json sarif() {
  auto log = sarif_of(findings->list.faults(), SourceLines::of_this_process());
  auto& results = log["runs"][0]["results"];
  for (size_t i = 0; i < results.size(); ++i) {
    results[i]["properties"]["kernel"] = findings->kernels[i];
  }
  return log;
}

}  // namespace

std::string words_of(const Fault& fault) { return text_of(fault, SourceLines::of_this_process()); }

void read_suppressions() {
  Findings& known = all();
  const std::lock_guard lock(known.mutex);
  const char* file = std::getenv("VINCI_SUPPRESS");
  if (known.suppressions || file == nullptr || *file == '\0') return;
  try {
    known.suppressions = Suppressions::read(file);
  } catch (const std::runtime_error& error) {
    refuse(fmt::format("VINCI_SUPPRESS: {}", error.what()));
  }
}

bool tell(Fault fault, const std::string& kernel) {
  read_suppressions();
  Findings& known = all();
  const std::lock_guard lock(known.mutex);
  for (auto* frames : {&fault.frames, &fault.other.frames}) {
    *frames = known.common.of(*frames,
                              [&] { return SourceLines::of_this_process().kernel_lines(*frames); });
  }
  for (Fault::Place& place : fault.also) {
    place.frames = known.common.of(place.frames, [&] {
      return SourceLines::of_this_process().kernel_lines(place.frames);
    });
  }
  if (known.suppressions) known.suppressions->apply(fault, SourceLines::of_this_process());
  known.list.add(fault);
  const bool is_heard = fault.suppressed.empty();
  const bool counts = is_heard && !fault.entry().warning;
  if (known.list.faults().size() == known.kernels.size()) return counts;
  known.kernels.push_back(kernel);
  if (is_heard) std::fputs((words_of(fault) + "\n").c_str(), stderr);
  return counts;
}

void tell_wrong_call(std::string message, std::string legal) {
  Fault fault;
  fault.code = Code::kHostCall;
  fault.message = std::move(message);
  fault.legal = std::move(legal);
  fault.frames = call_stack();
  tell(std::move(fault), "");
}

int exit_code_so_far() {
  const std::lock_guard lock(all().mutex);
  return exit_code(all().list.faults());
}

void count_launch() { ++all().launches; }

void write_reports() {
  if (findings == nullptr) return;
  const std::lock_guard lock(findings->mutex);
  write_report("VINCI_JSON", report);
  write_report("VINCI_SARIF", sarif);
}

}  // namespace vinci::host
