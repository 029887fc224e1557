// The part of a kernel's text that compares the structs which it reads with what the host writes.
#pragma once

#include <set>
#include <string>

#include "op/kernel_text.h"

namespace vinci::op {

// Defines VINCI_SAME_TILING(type), which does not compile where a member of `type` lies elsewhere
// than the host has one of its name, or has another size. "": nothing is known of the host's.
// `own` is the class that is registered for the kernel, or null; `structs` have been made of
// registered classes, and are not compared.
std::string same_tiling(const nlohmann::json* own, const KernelRequest& request,
                        const KernelSource& source, const std::set<std::string>& structs);

}  // namespace vinci::op
