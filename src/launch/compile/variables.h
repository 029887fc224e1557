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
    uint64_t size = 0;
    std::vector<std::byte> before;
  };

  // Of a shared object, which may not be loaded yet; later no file may be opened. It stays in no
  // memory: what reads the maps of the process would take a second place of the file for its first.
  explicit Variables(const std::string& path);
  // Those of the object, which is loaded now, as they are now.
  void look();
  // Those that are no longer as they were.
  std::vector<const Variable*> changed() const;

 private:
  std::string path_;
  std::vector<Variable> variables_;  // addresses in the object until it is looked for
};

}  // namespace vinci::launch
