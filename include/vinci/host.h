// Kernels started by a program's own main(): what tikicpulib.h calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace vinci {

// GM of the program's device of the chip `soc`, which is made when it is first asked for. Never
// nullptr: prints a message and ends the program if there is no such chip or no memory.
void* host_alloc(const char* soc, size_t bytes);
// Takes GM of any device.
void host_free(const void* data);

// Runs the kernel on all blocks. Faults are printed; after an error the program ends with the exit
// code of `vinci run`, and so it does when the kernel crashes.
void host_launch(const char* soc, const char* name, uint32_t blocks,
                 const std::function<void()>& kernel);

}  // namespace vinci
