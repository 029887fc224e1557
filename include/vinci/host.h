// Kernels started by a program's own main(): what tikicpulib.h and compiled launches call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "vinci/grid.h"
#include "vinci/unit.h"

namespace vinci {

// GM of the program's device of the chip `soc`, which is made when it is first asked for. Never
// nullptr: prints a message and ends the program if there is no such chip or no memory.
void* host_alloc(const char* soc, size_t bytes);
// Takes GM of any device. What is none is a fault (V8004).
void host_free(const void* data);

// Runs the kernel on all blocks, 1 to 65535 of them: another number is a fault (V8004). Faults are
// printed; after an error the program ends with the exit code of `vinci run`, and so it does when
// the kernel crashes.
void host_launch(const char* soc, const char* name, int64_t blocks,
                 const std::function<void()>& kernel);

namespace host {

// Puts a launch onto a stream of the current context, nullptr being its default stream, and returns
// at once: 0, or the code of the ACL function that would have failed so. `kernel` runs once on each
// core of the grid; `name` is for reports.
int32_t enqueue_kernel(void* stream, const char* name, const Grid& grid,
                       std::function<void()> kernel);

}  // namespace host
}  // namespace vinci
