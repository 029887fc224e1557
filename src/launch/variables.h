// The variables of a kernel's own outside functions, which its blocks share here and on no chip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vinci::launch {

// A file in memory: of a large one only the pages that are looked at are read.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  // nullptr if the file ends before.
  template <class T>
  const T* at(uint64_t offset, uint64_t count = 1) const {
    const bool is_inside = offset <= bytes_.size() && count <= (bytes_.size() - offset) / sizeof(T);
    return is_inside ? reinterpret_cast<const T*>(bytes_.data() + offset) : nullptr;
  }
  bool starts_with(std::string_view text) const { return bytes_.starts_with(text); }

 private:
  std::string_view bytes_;
};

class Variables {
 public:
  struct Variable {
    std::string name;  // "table", "Kernel::count"
    uint64_t address = 0;
    std::vector<std::byte> before;
  };

  // Of a shared object, which may not be loaded yet; later no file may be opened.
  explicit Variables(const std::string& path) : path_(path), file_(path) {}
  // Those of the object, which is loaded now, as they are now.
  void look();
  // Those that are no longer as they were.
  std::vector<const Variable*> changed() const;

 private:
  std::string path_;
  MappedFile file_;
  std::vector<Variable> variables_;
};

}  // namespace vinci::launch
