#include "launch/variables.h"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
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

template <class T>
const T* in_file(const std::string& file, uint64_t offset, uint64_t count = 1) {
  const bool is_inside = offset <= file.size() && count <= (file.size() - offset) / sizeof(T);
  return is_inside ? reinterpret_cast<const T*>(file.data() + offset) : nullptr;
}

}  // namespace

Variables::Variables(const std::string& path) {
  const auto base = load_address_of(path);
  std::ifstream stream(path, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(stream), {}};
  const auto* head = in_file<ElfW(Ehdr)>(file, 0);
  if (!base || head == nullptr || !file.starts_with(ELFMAG)) return;
  const auto* sections = in_file<ElfW(Shdr)>(file, head->e_shoff, head->e_shnum);
  for (int i = 0; sections != nullptr && i < head->e_shnum; ++i) {
    const ElfW(Shdr)& table = sections[i];
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= head->e_shnum) continue;
    const uint64_t count = table.sh_size / sizeof(ElfW(Sym));
    const auto* symbols = in_file<ElfW(Sym)>(file, table.sh_offset, count);
    for (uint64_t k = 0; symbols != nullptr && k < count; ++k) {
      const ElfW(Sym)& symbol = symbols[k];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx >= head->e_shnum) continue;
      const ElfW(Shdr)& section = sections[symbol.st_shndx];
      const bool can_change = (section.sh_flags & (SHF_WRITE | SHF_TLS)) == SHF_WRITE;
      const char* text = in_file<char>(file, sections[table.sh_link].sh_offset + symbol.st_name);
      if (symbol.st_size == 0 || !can_change || text == nullptr) continue;
      Variable variable{demangled(text), *base + symbol.st_value, {}};
      if (is_of_others(variable.name)) continue;
      const auto* now = reinterpret_cast<const std::byte*>(variable.address);
      variable.before.assign(now, now + symbol.st_size);
      variables_.push_back(std::move(variable));
    }
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
