// The variables of a kernel's own outside functions, which its blocks share here and on no chip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vinci::launch {

class Variables {
 public:
  struct Variable {
    std::string name;  // "table", "Kernel::count"
    uint64_t address = 0;
    std::vector<std::byte> before;
  };

  // Those of a shared object that was loaded from `path`, as they are now.
  explicit Variables(const std::string& path);
  // Those that are no longer as they were.
  std::vector<const Variable*> changed() const;

 private:
  std::vector<Variable> variables_;
};

}  // namespace vinci::launch
