// Running a kernel in a process of its own, so that vinci survives whatever the kernel does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/argument.h"
#include "cli/kernel_file.h"
#include "report/source_line.h"
#include "vinci/device.h"

namespace vinci::cli {

struct Launch {
  std::string shared_object;
  Kernel kernel;
  std::string soc;
  int64_t blocks = 1;
  double timeout_seconds = 0;  // 0: none
  int threads = 0;             // of the host; 0: as many as it runs at once
};

struct Outcome {
  std::vector<Fault> faults;
  int64_t blocks_finished = 0;
  double seconds = 0;        // in the kernel
  std::string maps;          // the process's modules, for SourceLines::of_maps
  std::string load_error;    // the shared object could not be loaded
  bool interrupted = false;  // by Ctrl-C
};

// Runs the kernel on `device` and waits. Under a debugger the kernel runs in this process.
Outcome run_kernel(const Launch& launch, Device& device, const std::vector<Bound>& arguments);

}  // namespace vinci::cli
