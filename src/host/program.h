// What a program with its own main() is to vinci: its chip, and how its kernels run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/crash.h"
#include "soc/soc.h"
#include "vinci/device.h"
#include "vinci/host.h"

namespace vinci::host {

// The chip that the program was compiled for, or that VINCI_SOC names.
std::string program_soc();
// The same for a file that was compiled for a chip of its own.
std::string soc_of(const std::string& compiled_for);
// Says what is wrong with the environment, and ends the program at once with exit code 2.
[[noreturn]] void refuse(const std::string& text);

// The chip of that name, or the end of the program.
const Soc& chip(const std::string& name);
// VINCI_CHECK, and VINCI_SCHEDULE with VINCI_AUTO_SYNC.
Checks program_checks();
Order program_order();

// What a launch on a card's device `id` leaves.
struct Ending {
  int32_t code = 0;  // of the ACL runtime; 0: all went well
  std::string text;  // what it means
};

// Runs a kernel to its end on this thread and as many others as the host runs at once. Faults have
// been told when it returns. A crash ends the program, and so does a kernel that takes longer than
// VINCI_TIMEOUT seconds. Several threads may run kernels at once.
Ending run_kernel(int32_t device, const std::string& soc, const std::string& name, const Grid& grid,
                  const std::function<void()>& kernel);

// While it lives, a crash of this thread is told as one of `name`, as a kernel's would be: for
// other functions that are somebody's own.
class MayCrash {
 public:
  explicit MayCrash(const char* name);
  MayCrash(const MayCrash&) = delete;
  MayCrash& operator=(const MayCrash&) = delete;
  ~MayCrash();

 private:
  const CrashStack stack_;
};

// The device whose GM all launches on the card's device `id` share.
Device& memory_of(int32_t id);

}  // namespace vinci::host

// For files in C.
extern "C" void vinci_set_program_soc(const char* soc);
