// The process in which a kernel runs: it writes one message for each thing that happens.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "launch/launch.h"

namespace vinci::launch {

// Messages are objects with one of these keys:
//   load_error  the shared object could not be loaded; nothing follows
//   maps        the process's modules, before or behind the first fault or crash
//   block       a block begins; with `seconds` since the first
//   fault       a fault at a new place, as to_wire gives it
//   done        true: all blocks ran to their end; with `seconds`, `counts` of the faults and
//               `lost_output` as in Outcome
//   crash       the last words of a signal handler, with `note`
using Send = std::function<void(const nlohmann::json&)>;

// Runs the kernel on this thread.
void run_blocks(const Launch& launch, Device& device, const Call& call, const Send& send);

// What a forked child does: runs the kernel and ends. Messages go to `pipe` as lines: `seal`, which
// the kernel's text cannot know, and JSON. The
// kernel has a thread of its own, with no handler of vinci's below it on the stack: an exception
// that escapes ends the process where it was thrown, and its line can be told.
[[noreturn]] void be_the_child(int pipe, const std::string& seal, const Launch& launch,
                               Device& device, const Call& call);

}  // namespace vinci::launch
