// Running a kernel in a process of its own, so that the caller survives whatever the kernel does.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "launch/bind.h"
#include "launch/kernel_file.h"
#include "launch/sandbox/sandbox.h"
#include "report/source_line.h"
#include "vinci/device.h"

namespace vinci::launch {

struct Launch {
  std::array<std::string, kCoreKinds> shared_objects;  // by CoreKind; empty: no such core
  Kernel kernel;
  std::string soc;
  Grid grid;
  Order order;
  double timeout_seconds = 0;            // 0: none
  int threads = 0;                       // of the host; 0: as many as it runs at once
  std::string timeout_name = "timeout";  // as the user knows it
  // Without a child: quick, but a kernel that crashes takes the caller along, nothing is watched,
  // and the blocks run on the caller's thread.
  bool in_this_process = false;
  bool silent = false;  // what the kernel prints is lost, if it has a child
  // What the kernel's process may do. With kRequired the caller has looked whether the host has all
  // parts; in_this_process there is no sandbox.
  Sandbox sandbox = Sandbox::kOff;
  bool loads_lazily = false;  // functions that nobody calls may be missing
};

// What happens while a kernel runs: some ten times a second, and on the thread that waits.
struct Watch {
  std::function<void(int64_t block, double seconds)> progress;
  std::function<bool()> interrupted;  // whether the kernel is to end
};

struct Outcome {
  std::vector<Fault> faults;
  int64_t blocks_finished = 0;
  double seconds = 0;        // in the kernel
  std::string maps;          // the process's modules, for SourceLines::of_maps
  std::string load_error;    // the shared object could not be loaded
  bool interrupted = false;  // by Watch::interrupted
  bool lost_output = false;  // the kernel printed what standard output did not take
  Made made;                 // with all checks, but without those of numbers
  bool stopped = false;      // ended at errors in so many places, or as often in one
};

// Runs the kernel on `device`, in the launch's order, with values for its parameters, and waits.
// May be called by several threads at once, with a device each. Under a debugger too the kernel
// runs in this process. Throws Error (internal) if there is no process to be had.
Outcome run_kernel(const Launch& launch, Device& device, const std::vector<Value>& values,
                   const Watch& watch = {});

}  // namespace vinci::launch
