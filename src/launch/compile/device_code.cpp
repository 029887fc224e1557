// The library's functions are those symbols of the binary that nothing but the host defines; the
// assembly is looked for in the text.
#include "launch/compile/device_code.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "launch/compile/preprocess.h"
#include "launch/compile/source_text.h"

namespace vinci::launch {
namespace {

// What compilers put into any code by themselves.
constexpr std::string_view kOwn[] = {"memcpy",
                                     "memset",
                                     "memmove",
                                     "memcmp",
                                     "__cxa_finalize",
                                     "__gxx_personality_v0",
                                     "__cxa_atexit",
                                     "__cxa_guard_acquire",
                                     "__cxa_guard_abort",
                                     "__cxa_guard_release",
                                     "_Unwind_Resume",
                                     "__cxa_pure_virtual",
                                     "__stack_chk_fail",
                                     "_GLOBAL_OFFSET_TABLE_",
                                     "__tls_get_addr"};
constexpr std::string_view kAssembly[] = {"asm", "__asm", "__asm__"};
// What follows #pragma and is the host compiler's alone; of GCC's these are everybody's.
constexpr std::string_view kHostPragmas[] = {"GCC", "omp", "STDC"};
constexpr std::string_view kCommonPragmas[] = {"diagnostic", "unroll", "ivdep"};

// The sections of a file; what points out of it is left out.
class Object {
 public:
  explicit Object(std::string bytes) : bytes_(std::move(bytes)) {
    const auto header = at<Elf64_Ehdr>(0);
    if (!header || !bytes_.starts_with(ELFMAG) || header->e_ident[EI_CLASS] != ELFCLASS64) return;
    for (unsigned i = 0; i < header->e_shnum; ++i) {
      const auto section = at<Elf64_Shdr>(header->e_shoff + i * sizeof(Elf64_Shdr));
      if (section) sections_.push_back(*section);
    }
  }

  const Elf64_Shdr* section(unsigned type) const {
    for (const Elf64_Shdr& section : sections_) {
      if (section.sh_type == type) return &section;
    }
    return nullptr;
  }

  // Calls `found` with the name of each symbol that another file is to define.
  template <class F>
  void undefined(F found) const {
    for_each_symbol(SHT_DYNSYM, [&](const Elf64_Sym& symbol, uint64_t name) {
      const bool weak = ELF64_ST_BIND(symbol.st_info) == STB_WEAK;
      if (symbol.st_shndx == SHN_UNDEF && !weak) found(name_at(name));
    });
  }
  // The same of each function that it has.
  template <class F>
  void functions(F found) const {
    for_each_symbol(SHT_SYMTAB, [&](const Elf64_Sym& symbol, uint64_t name) {
      const bool is_function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
      if (symbol.st_shndx != SHN_UNDEF && is_function) found(name_at(name));
    });
  }

 private:
  // f(symbol, offset of its name) for those of a table.
  template <class F>
  void for_each_symbol(unsigned table, F f) const {
    const Elf64_Shdr* symbols = section(table);
    if (symbols == nullptr || symbols->sh_link >= sections_.size()) return;
    const uint64_t names = sections_[symbols->sh_link].sh_offset;
    for (uint64_t i = 1; i < symbols->sh_size / sizeof(Elf64_Sym); ++i) {
      const auto symbol = at<Elf64_Sym>(symbols->sh_offset + i * sizeof(Elf64_Sym));
      if (!symbol) return;
      f(*symbol, names + symbol->st_name);
    }
  }

  template <class T>
  std::optional<T> at(uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T copy{};
    std::memcpy(&copy, bytes_.data() + offset, sizeof(T));
    return copy;
  }

  std::string name_at(uint64_t offset) const {
    if (offset >= bytes_.size()) return "";
    return bytes_.substr(offset, bytes_.find('\0', offset) - offset);
  }

  const std::string bytes_;
  std::vector<Elf64_Shdr> sections_;
};

std::string readable(const std::string& name) {
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, nullptr), std::free);
  return text == nullptr ? name : text.get();
}

// "std::sort" of a function of the host's C++ library that became part of the kernel; "" of others.
std::string of_host_library(const std::string& name) {
  for (const char* start : {"_ZSt", "_ZNSt", "_ZNKSt"}) {
    if (!name.starts_with(start)) continue;
    const std::string text = readable(name);
    const size_t from = text.find("std::");
    return from == text.npos ? "" : text.substr(from, text.find_first_of("<(", from) - from);
  }
  return "";
}

// A #pragma that only the host's compiler has.
bool has_host_pragma(std::string_view text) {
  constexpr std::string_view kPragma = "#pragma";
  const auto word_at = [&](size_t at) {
    const size_t from = std::min(text.find_first_not_of(" \t", at), text.size());
    return text.substr(from, text.find_first_of(" \t\n(", from) - from);
  };
  for (size_t at = 0; (at = text.find(kPragma, at)) != text.npos; ++at) {
    const std::string_view whose = word_at(at + kPragma.size());
    if (std::ranges::find(kHostPragmas, whose) == std::end(kHostPragmas)) continue;
    const std::string_view what = word_at(size_t(whose.end() - text.begin()));
    if (std::ranges::find(kCommonPragmas, what) == std::end(kCommonPragmas)) return true;
  }
  return false;
}

// vinci's own functions and what compilers need; `name` is as it was mangled.
bool is_own(const std::string& name) {
  for (const std::string_view own : kOwn) {
    if (name == own) return true;
  }
  for (const char* start : {"_ZN5vinci", "_ZNK5vinci", "_ZTIN5vinci", "_ZTVN5vinci", "_ZN7AscendC",
                            "_ZNK7AscendC", "_ZTVN10__cxxabiv1", "vinci_"}) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> foreign_parts(const std::string& shared_object) {
  const Object object(content_of(shared_object).value_or(""));
  std::set<std::string> calls;
  object.undefined([&](const std::string& name) {
    if (!is_own(name)) calls.insert(readable(name));
  });
  object.functions([&](const std::string& name) {
    const std::string function = of_host_library(name);
    if (!function.empty()) calls.insert(function);
  });
  std::vector<std::string> parts;
  for (const std::string& name : calls) parts.push_back("calls " + name);
  // One is the compiler's.
  const Elf64_Shdr* before = object.section(SHT_INIT_ARRAY);
  if (before != nullptr && before->sh_size > sizeof(Elf64_Addr)) {
    parts.push_back("code that runs before the kernel: constructors, or variables set by calls");
  }
  return parts;
}

std::vector<std::string> not_device_code(const Built& built, const std::string& source,
                                         const std::vector<std::string>& words) {
  std::set<std::string> parts;
  for (const std::string& object : built.shared_objects) {
    if (object.empty()) continue;
    for (std::string& part : foreign_parts(object)) parts.insert(std::move(part));
  }
  const std::string text = source_text(source, words);
  for (const std::string_view word : kAssembly) {
    if (has_word(text, word)) parts.insert("inline assembly");
  }
  if (has_host_pragma(text)) parts.insert("#pragma of the host's compiler");
  return {parts.begin(), parts.end()};
}

}  // namespace vinci::launch
