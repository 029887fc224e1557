// Kernels of operators, compiled when a program first calls them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "host/kernels.h"

namespace vinci::acl {

struct Build {
  std::shared_ptr<const host::Kernels> kernels;
  const host::KnownKernel* kernel = nullptr;
};

// What is compiled: once for a program, whoever asks.
struct BuildRequest {
  std::string text;   // of the source
  std::string entry;  // the kernel in it
  std::string soc;
  std::vector<std::string> options;

  auto operator<=>(const BuildRequest&) const = default;
};

// For any thread. Throws std::runtime_error with what the compiler said.
Build build_of(const BuildRequest& request);

}  // namespace vinci::acl
