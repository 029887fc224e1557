#include "launch/compile/variables.h"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

namespace vinci::launch {
namespace {

// Where the object begins in memory.
std::optional<uint64_t> load_address_of(const std::string& path) {
  struct Search {
    std::string path;
    std::optional<uint64_t> base;
  } search{path, {}};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        if (wanted.path == info->dlpi_name) wanted.base = info->dlpi_addr;
        return int(wanted.base.has_value());
      },
      &search);
  return search.base;
}

std::string demangled(const char* symbol) {
  int status = 0;
  char* plain = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = status == 0 ? plain : symbol;
  std::free(plain);
  return name;
}

// Whether the compiler or a library made it.
bool is_of_others(std::string_view name) {
  for (const char* start : {"AscendC::", "vinci::", "std::", "__gnu_cxx::", "guard variable for ",
                            "vtable for ", "_", "completed."}) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

// A file in memory: of a large one only the pages that are looked at are read.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file < 0) return;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
      void* start = mmap(nullptr, size_t(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (start != MAP_FAILED) bytes_ = {static_cast<const char*>(start), size_t(status.st_size)};
    }
    close(file);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }

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

}  // namespace

Variables::Variables(const std::string& path) : path_(path) {
  const MappedFile file(path);
  const auto* head = file.at<ElfW(Ehdr)>(0);
  if (head == nullptr || !file.starts_with(ELFMAG)) return;
  const auto* sections = file.at<ElfW(Shdr)>(head->e_shoff, head->e_shnum);
  for (int i = 0; sections != nullptr && i < head->e_shnum; ++i) {
    const ElfW(Shdr)& table = sections[i];
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= head->e_shnum) continue;
    const uint64_t count = table.sh_size / sizeof(ElfW(Sym));
    const auto* symbols = file.at<ElfW(Sym)>(table.sh_offset, count);
    for (uint64_t k = 0; symbols != nullptr && k < count; ++k) {
      const ElfW(Sym)& symbol = symbols[k];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx >= head->e_shnum) continue;
      const ElfW(Shdr)& section = sections[symbol.st_shndx];
      const bool can_change = (section.sh_flags & (SHF_WRITE | SHF_TLS)) == SHF_WRITE;
      const char* text = file.at<char>(sections[table.sh_link].sh_offset + symbol.st_name);
      if (symbol.st_size == 0 || !can_change || text == nullptr) continue;
      Variable variable{demangled(text), symbol.st_value, symbol.st_size, {}};
      if (!is_of_others(variable.name)) variables_.push_back(std::move(variable));
    }
  }
}

void Variables::look() {
  const auto base = load_address_of(path_);
  if (!base) variables_.clear();
  for (Variable& variable : variables_) {
    variable.address += *base;
    const auto* now = reinterpret_cast<const std::byte*>(variable.address);
    variable.before.assign(now, now + variable.size);
  }
}

std::vector<const Variables::Variable*> Variables::changed() const {
  std::vector<const Variable*> found;
  for (const Variable& variable : variables_) {
    const void* now = reinterpret_cast<const void*>(variable.address);
    if (std::memcmp(now, variable.before.data(), variable.before.size()) != 0)
      found.push_back(&variable);
  }
  return found;
}

}  // namespace vinci::launch
