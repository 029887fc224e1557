// Where the kernel is: return addresses of the calls that led here.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace vinci {

// The whole stack, innermost first; microseconds. It ends where kernels begin on this thread.
std::vector<uint64_t> call_stack();
// From now on this thread's stacks end before this return address; nullptr: they go on.
void end_call_stacks_at(const void* return_address);

// A few innermost frames, in nanoseconds, to remember where something began. Follows frame
// pointers, so it ends early where code was compiled without them; unused places are 0.
using Origin = std::array<uint64_t, 12>;
Origin call_origin();

}  // namespace vinci
