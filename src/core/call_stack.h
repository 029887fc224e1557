// Where the kernel is: return addresses of the calls that led here.
#pragma once

#include <cstdint>
#include <vector>

#include "vinci/tool.h"

namespace vinci {

// The whole stack, innermost first; microseconds. It ends where kernels begin on this thread.
std::vector<uint64_t> call_stack();
// From now on this thread's stacks end before this return address; nullptr: they go on. Returns the
// one before.
const void* end_call_stacks_at(const void* return_address);

// What call_origin() gives, where it is kept: a copy would wait for each of its words.
[[gnu::hot]] void note_call_origin(Origin& origin);

}  // namespace vinci
