// The name of a kernel that is compiled under another one (launch/renamed_kernels.h).
#pragma once

#include <string>
#include <string_view>

namespace vinci {

inline constexpr std::string_view kRenamedKernel = "vinci_renamed_";

// As the source has it.
inline std::string own_name(std::string name) {
  if (name.starts_with(kRenamedKernel)) name.erase(0, kRenamedKernel.size());
  return name;
}

}  // namespace vinci
