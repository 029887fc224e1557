// Kernels that are called as a function of the C library is, hypot or select, say. The compiler of a
// device knows none of these; the host's has them from headers that vinci's own include.
#pragma once

#include <string>
#include <string_view>

namespace vinci::launch {

// Preprocessed text in which such kernels have another name, kRenamedKernel before their own
// (core/kernel_name.h): those that a compiler's errors tell, in all files but the system's and those
// below `own_headers`. Empty: the errors tell of none.
std::string with_kernels_renamed(std::string_view text, std::string_view errors,
                                 std::string_view own_headers);

}  // namespace vinci::launch
