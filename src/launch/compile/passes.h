// Compiling a source with host and device code: once for the host and once for each kind of core
// that its chip has, into one object.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "launch/installation.h"
#include "launch/compile/launch_stub.h"
#include "soc/soc.h"

namespace vinci::launch {

struct PassOptions {
  std::vector<std::string> words;         // for all passes: definitions, include folders, ...
  std::vector<std::string> dependencies;  // -MD and its companions, for the host's pass
  bool twin = false;                      // the program asks for the CPU twin: ASCENDC_CPU_DEBUG
  StubOptions stub = {};
  // Kernels that programs find by name: instances of templates. Their mangled names are written to
  // the file `names`, a line each.
  std::vector<std::string> instances = {};
  std::string names = {};
  std::set<std::string>* inputs = nullptr;  // gets the files that the passes read
};

// Throws Error (compile), when the compiler has said why.
void compile_object(const std::string& source, const std::string& object, const Soc& soc,
                    const Installation& installation, const PassOptions& options);

// What the host's preprocessor makes of the source.
std::string preprocessed(const std::string& source, const Soc& soc,
                         const Installation& installation, const PassOptions& options);

}  // namespace vinci::launch
