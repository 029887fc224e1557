// The kernels that a program can start by name: its own, and those of binaries that it loads.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vinci/grid.h"
#include "vinci/kernel_entry.h"

namespace vinci::host {

// What all passes together made of a kernel.
struct KnownKernel {
  using Run = void (*)(const void* const* arguments);
  using Parameter = KernelEntry::Parameter;

  std::string name;      // "outer::add<float, 8>"
  std::string function;  // the same with its parameters
  std::string type, soc;
  std::vector<Parameter> parameters;
  std::array<Run, kCoreKinds> code{};  // by kind of core
  const void* address = nullptr;       // of the host's version

  // The cores of one block.
  Grid block() const;
};

class Kernels {
 public:
  // The program's own.
  static Kernels& of_program();
  // Loads a shared object, which stays loaded: reports name its lines until the program ends. Empty
  // if it has no kernels. Throws std::runtime_error if it cannot be loaded.
  static std::shared_ptr<Kernels> load(const std::string& path);

  // nullptr: there is none. The name is mangled or plain; a plain one means the first of that name.
  const KnownKernel* find(const std::string& name) const;
  const KnownKernel* find(const void* address) const;
  // By KernelEntry::name, whichever file defines it.
  const KnownKernel* find_entry(std::string_view name) const;
  std::vector<std::string> names() const;

  void add(const KernelEntry& entry);

 private:
  std::map<std::pair<std::string, std::string>, KnownKernel> kernels_;  // by unit and name
};

// The cores of a launch, as its kernel's type says. A type that is none, as those of other chips,
// leaves it to the code: for whole cores or not.
Grid grid_of(int64_t blocks, const std::string& type, bool is_whole);

}  // namespace vinci::host
