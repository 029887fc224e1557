// A kernel compiled for each kind of core that it runs on.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launch/compile/compile.h"
#include "launch/kernel_file.h"
#include "vinci/grid.h"

namespace vinci::launch {

struct Built {
  std::array<std::string, kCoreKinds> shared_objects;  // by CoreKind; empty: not compiled for it
  std::vector<std::shared_ptr<const TemporaryFolder>> folders;  // where those lie
  Kernel kernel;
  Grid cores;                     // of one block
  std::optional<bool> auto_sync;  // by --cce-auto-sync among the compiler's options
};

// Compiles `source` for the cores that `cores` names (see cores_for) and finds the kernel `name` in
// it, where `how` tells how to choose one. Throws Error.
Built build_kernel(const std::string& source, const Soc& soc, const std::string& cores,
                   const std::string& name, const std::string& how, CompileOptions options);

}  // namespace vinci::launch
