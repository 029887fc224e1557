// A device for each chip that a program with its own main() is compiled for; faults go to stderr.
#include "vinci/host.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "core/crash.h"
#include "report/crash_fault.h"
#include "report/text.h"
#include "vinci/device.h"

namespace vinci {
namespace {

const char* running_kernel = "";

void print_faults(const std::vector<Fault>& faults) {
  const SourceLines lines = SourceLines::of_this_process();
  for (const Fault& fault : faults) std::fputs((text_of(fault, lines) + "\n").c_str(), stderr);
}

// Not async-signal-safe, and the last thing that happens: the process is lost anyway.
void last_words(const Crash& crash) {
  print_faults({crash_fault(crash, running_kernel)});
  _exit(1);
}

using Devices = std::map<std::string, std::unique_ptr<Device>, std::less<>>;

Devices& devices() {
  static Devices all;
  return all;
}

// A program's files may be compiled for several chips.
Device& device(const char* soc) {
  auto& device = devices()[soc];
  try {
    if (device == nullptr) device = std::make_unique<Device>(soc);
    return *device;
  } catch (const std::exception& error) {
    fmt::print(stderr, "vinci: {}\n", error.what());
    std::exit(2);
  }
}

}  // namespace

void* host_alloc(const char* soc, size_t bytes) {
  static int number = 0;
  try {
    return device(soc).allocate(bytes, fmt::format("GmAlloc {}", ++number));
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "vinci: GmAlloc: {} bytes of memory are not to be had\n", bytes);
    std::exit(2);
  }
}

void host_free(const void* data) {
  for (const auto& [soc, device] : devices()) device->release(data);
}

void host_launch(const char* soc, const char* name, uint32_t blocks,
                 const std::function<void()>& kernel) {
  Device& chip = device(soc);
  running_kernel = name;
  const CrashStack crash_stack;
  install_crash_handler(last_words);
  const size_t before = chip.faults().size();
  chip.launch(blocks, kernel);
  uninstall_crash_handler();
  std::fflush(stdout);
  const std::vector<Fault> found(chip.faults().begin() + long(before), chip.faults().end());
  if (found.empty()) return;
  print_faults(found);
  if (const int code = exit_code(found); code != 0) std::exit(code);
}

}  // namespace vinci
