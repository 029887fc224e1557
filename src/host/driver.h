// vinci's compiler driver, called by a program while it runs.
#pragma once

#include <string>
#include <vector>

namespace vinci::host {

// A folder for what such a program makes and loads. It goes at the program's end, when reports have
// been written: they name lines of what lies there. Throws std::runtime_error if none can be made.
std::string scratch_folder();
// A new one in it.
std::string new_scratch_folder();
void remove_scratch();

struct Driven {
  int code = 0;  // the driver's exit code
  std::string log;
};
// Runs `vinci bisheng` with these words. Throws std::runtime_error if it cannot be started.
Driven run_driver(const std::vector<std::string>& words);

}  // namespace vinci::host
