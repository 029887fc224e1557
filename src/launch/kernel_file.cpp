// Kernels from the symbol table, parameters from DWARF.
#include "launch/kernel_file.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include <cxxabi.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/kernel_name.h"
#include "launch/error.h"

namespace vinci::launch {
namespace {

constexpr std::string_view kKernelSection = "vinci_kernel";  // see include/ascendc/keyword.h

class ElfFile {
 public:
  explicit ElfFile(const std::string& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    elf_ = elf_begin(descriptor_, ELF_C_READ_MMAP_PRIVATE, nullptr);
    if (elf_ == nullptr || elf_kind(elf_) != ELF_K_ELF) {
      throw Error(Error::Kind::kInternal, fmt::format("{} is not an ELF file", path));
    }
    dwarf_ = dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
  }
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  ~ElfFile() {
    if (dwarf_ != nullptr) dwarf_end(dwarf_);
    elf_end(elf_);
    close(descriptor_);
  }
  Elf* elf() const { return elf_; }
  Dwarf* dwarf() const { return dwarf_; }

 private:
  int descriptor_;
  Elf* elf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
};

// Functions in the kernels' section, by address.
std::map<uint64_t, std::string> kernel_symbols(Elf* elf) {
  std::map<uint64_t, std::string> symbols;
  size_t names = 0;
  elf_getshdrstrndx(elf, &names);
  size_t kernel_section = 0;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    gelf_getshdr(section, &header);
    const char* name = elf_strptr(elf, names, header.sh_name);
    if (name != nullptr && kKernelSection == name) kernel_section = elf_ndxscn(section);
  }
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    gelf_getshdr(section, &header);
    if (kernel_section == 0 || header.sh_type != SHT_DYNSYM) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    for (size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      gelf_getsym(data, int(i), &symbol);
      if (symbol.st_shndx != kernel_section || GELF_ST_TYPE(symbol.st_info) != STT_FUNC) continue;
      symbols[symbol.st_value] = elf_strptr(elf, header.sh_link, symbol.st_name);
    }
  }
  return symbols;
}

// What a variable with a pointer holds when the linker has done its part.
struct Pointer {
  uint64_t address = 0;  // once the file is loaded at 0; not of object files
  std::string symbol;    // empty: a function that only its own file sees
};

std::optional<Pointer> pointer_in(Elf* elf, std::string_view variable) {
  GElf_Ehdr file;
  gelf_getehdr(elf, &file);
  const bool is_object = file.e_type == ET_REL;
  Elf_Data* symbols = nullptr;
  size_t table = 0, names = 0;
  std::optional<GElf_Sym> place;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    gelf_getshdr(section, &header);
    if (header.sh_type != (is_object ? SHT_SYMTAB : SHT_DYNSYM)) continue;
    symbols = elf_getdata(section, nullptr);
    table = elf_ndxscn(section);
    names = header.sh_link;
    for (size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Sym symbol;
      gelf_getsym(symbols, int(i), &symbol);
      const char* name = elf_strptr(elf, names, symbol.st_name);
      if (name != nullptr && variable == name) place = symbol;
    }
  }
  for (Elf_Scn* section = nullptr; place && (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    gelf_getshdr(section, &header);
    if (header.sh_type != SHT_RELA || header.sh_link != table) continue;
    if (is_object && header.sh_info != place->st_shndx) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    for (size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
      GElf_Rela relocation;
      gelf_getrela(data, int(i), &relocation);
      if (relocation.r_offset != place->st_value) continue;
      GElf_Sym symbol{};
      gelf_getsym(symbols, int(GELF_R_SYM(relocation.r_info)), &symbol);
      const char* name = elf_strptr(elf, names, symbol.st_name);
      return Pointer{symbol.st_value + uint64_t(relocation.r_addend), name == nullptr ? "" : name};
    }
  }
  return std::nullopt;
}

// "outer::kernel" for a C++ symbol. A C name stays: "f" is also how C++ mangles float.
std::string source_name(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  char* demangled = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 ? demangled : symbol;
  std::free(demangled);
  constexpr std::string_view kResult = "void ";  // of a function template's instance
  if (name.starts_with(kResult)) name.erase(0, kResult.size());
  int angles = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    angles += (name[i] == '<') - (name[i] == '>');
    if (angles == 0 && name[i] == '(') return name.substr(0, i);
  }
  return name;
}

bool type_of(Dwarf_Die* die, Dwarf_Die* type) {
  Dwarf_Attribute attribute;
  return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) != nullptr;
}

std::string type_text(Dwarf_Die type) {
  const char* name = dwarf_diename(&type);
  if (name != nullptr) return name;
  const int tag = dwarf_tag(&type);
  Dwarf_Die inner;
  const std::string of = type_of(&type, &inner) ? type_text(inner) : "void";
  if (tag == DW_TAG_pointer_type) return of + "*";
  if (tag == DW_TAG_reference_type) return of + "&";
  if (tag == DW_TAG_const_type) return "const " + of;
  return of;
}

// The type behind its other names; of an enumeration, the integer.
Dwarf_Die plain_type(Dwarf_Die type) {
  while (dwarf_tag(&type) == DW_TAG_typedef || dwarf_tag(&type) == DW_TAG_const_type ||
         dwarf_tag(&type) == DW_TAG_volatile_type || dwarf_tag(&type) == DW_TAG_enumeration_type) {
    Dwarf_Die inner;
    if (!type_of(&type, &inner)) break;
    type = inner;
  }
  return type;
}

uint64_t number_of(Dwarf_Die* die, unsigned name, uint64_t otherwise) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  return dwarf_formudata(dwarf_attr(die, name, &attribute), &value) == 0 ? value : otherwise;
}

std::string_view without_arguments(const char* name) {
  const std::string_view text = name == nullptr ? "" : name;
  return text.substr(0, text.find('<'));
}

// A destructor, or a constructor from the same type, that the source writes: compilers then pass
// the address of a copy.
bool copies_or_ends(Dwarf_Die* function, Dwarf_Die* type) {
  const std::string_view name = without_arguments(dwarf_diename(function));
  if (dwarf_hasattr(function, DW_AT_defaulted) != 0) return false;
  if (name.starts_with("~")) return true;
  Dwarf_Die parameter, of;
  if (name != without_arguments(dwarf_diename(type)) || dwarf_child(function, &parameter) != 0) {
    return false;
  }
  while (dwarf_siblingof(&parameter, &parameter) == 0) {  // the first one is `this`
    if (!type_of(&parameter, &of)) continue;
    const int tag = dwarf_tag(&of);
    if (tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type) continue;
    Dwarf_Die source;
    if (!type_of(&of, &source)) continue;
    source = plain_type(source);
    if (dwarf_dieoffset(&source) == dwarf_dieoffset(type)) return true;
  }
  return false;
}

// Walks through a struct down to its numbers and pointers.
class Leaves {
 public:
  explicit Leaves(Parameter& parameter) : parameter_(parameter) {}

  void add(Dwarf_Die type, uint64_t offset) {
    type = plain_type(type);
    const int tag = dwarf_tag(&type);
    Dwarf_Word bytes = 8;
    dwarf_aggregate_size(&type, &bytes);
    if (number_of(&type, DW_AT_alignment, 1) > 8) refuse("it has an alignment over 8 bytes");
    if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type) {
      add_members(&type, offset);
    } else if (tag == DW_TAG_array_type) {
      add_elements(&type, offset, bytes);
    } else if (bytes > 8) {
      refuse("it holds a number of more than 8 bytes");
    } else {
      const bool is_number = tag == DW_TAG_base_type;
      const bool is_float =
          is_number && number_of(&type, DW_AT_encoding, 0) == uint64_t(DW_ATE_float);
      parameter_.leaves.push_back({offset, unsigned(bytes), is_float});
    }
  }

 private:
  static constexpr const char* kCopies =
      "it has virtual functions, or a constructor or destructor that copies or ends it";

  void refuse(const char* obstacle) { parameter_.obstacle = obstacle; }

  void add_members(Dwarf_Die* type, uint64_t offset) {
    // Only some compilers say how they pass it; of others its functions tell.
    const uint64_t convention = number_of(type, DW_AT_calling_convention, 0);
    if (convention == DW_CC_pass_by_reference) refuse(kCopies);
    Dwarf_Die member;
    if (dwarf_child(type, &member) != 0) return;
    do {
      const int tag = dwarf_tag(&member);
      if (tag == DW_TAG_subprogram && convention == 0 && copies_or_ends(&member, type)) {
        refuse(kCopies);
      }
      if (dwarf_hasattr(&member, DW_AT_artificial) != 0 && tag == DW_TAG_member) refuse(kCopies);
      const bool is_static = dwarf_hasattr(&member, DW_AT_external) != 0;
      Dwarf_Die inner;
      if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || is_static ||
          !type_of(&member, &inner)) {
        continue;
      }
      if (number_of(&member, DW_AT_alignment, 1) > 8) refuse("it has an alignment over 8 bytes");
      const uint64_t bits = number_of(&member, DW_AT_bit_size, 0);
      if (bits == 0) {
        add(inner, offset + number_of(&member, DW_AT_data_member_location, 0));
      } else {
        const uint64_t first = number_of(&member, DW_AT_data_bit_offset, 0);
        for (uint64_t byte = first / 8; byte <= (first + bits - 1) / 8; ++byte) {
          parameter_.leaves.push_back({offset + byte, 1, false});
        }
      }
    } while (dwarf_siblingof(&member, &member) == 0);
  }

  void add_elements(Dwarf_Die* type, uint64_t offset, uint64_t bytes) {
    Dwarf_Die inner;
    Dwarf_Word each = 0;
    if (!type_of(type, &inner)) return;
    inner = plain_type(inner);
    if (dwarf_aggregate_size(&inner, &each) != 0 || each == 0) return;
    for (uint64_t at = 0; at + each <= bytes; at += each) add(inner, offset + at);
  }

  Parameter& parameter_;
};

void describe_struct(Dwarf_Die* type, Parameter& parameter) {
  Leaves(parameter).add(*type, 0);
  std::ranges::stable_sort(parameter.leaves, {}, &Leaf::offset);
  const bool packed = std::ranges::any_of(
      parameter.leaves, [](const Leaf& leaf) { return leaf.offset % leaf.bytes != 0; });
  if (packed) parameter.obstacle = "its members are not aligned";
  if (parameter.leaves.empty()) parameter.obstacle = "it has no members";
  // Of a class with virtual functions only the name, where its table lies elsewhere.
  if (dwarf_hasattr(type, DW_AT_declaration) != 0) {
    parameter.obstacle = "the debug information does not have its members";
  }
}

Parameter parameter_of(Dwarf_Die* die) {
  Parameter parameter;
  const char* name = dwarf_diename(die);
  parameter.name = name == nullptr ? "" : name;
  Dwarf_Die type;
  if (!type_of(die, &type)) return parameter;
  parameter.type = type_text(type);
  type = plain_type(type);
  Dwarf_Word size = 8;
  dwarf_aggregate_size(&type, &size);
  parameter.bytes = unsigned(size);
  const int tag = dwarf_tag(&type);
  const char* base = dwarf_diename(&type);
  const std::string base_name = base == nullptr ? "" : base;
  if (tag == DW_TAG_structure_type && (base_name == "half" || base_name == "bfloat16_t")) {
    parameter.kind = Parameter::Kind::kInteger;  // passed as its two bytes
    parameter.dtype = base_name == "half" ? DType::kHalf : DType::kBfloat16;
  } else if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type) {
    parameter.kind = Parameter::Kind::kStruct;
    describe_struct(&type, parameter);
  } else if (tag == DW_TAG_base_type) {
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;
    dwarf_formudata(dwarf_attr(&type, DW_AT_encoding, &attribute), &encoding);
    const bool floating = encoding == DW_ATE_float;
    parameter.kind = !floating   ? Parameter::Kind::kInteger
                     : size == 4 ? Parameter::Kind::kFloat
                                 : Parameter::Kind::kDouble;
    parameter.is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
  }
  return parameter;
}

void add_parameters(Dwarf_Die* function, Kernel& kernel) {
  kernel.has_debug_info = true;
  // The out-of-line copy of an inlined function keeps its parameters in the abstract one.
  Dwarf_Die child;
  if (dwarf_child(function, &child) != 0) return;
  do {
    if (dwarf_tag(&child) != DW_TAG_formal_parameter) continue;
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    if (dwarf_formref_die(dwarf_attr(&child, DW_AT_abstract_origin, &attribute), &origin)) {
      kernel.parameters.push_back(parameter_of(&origin));
    } else {
      kernel.parameters.push_back(parameter_of(&child));
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

// Kernels are functions of a file or of a namespace. Not dwarf_getfuncs, which reads every class.
void describe_below(Dwarf_Die* die, std::map<uint64_t, Kernel>& kernels) {
  Dwarf_Die child;
  if (dwarf_child(die, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_namespace) describe_below(&child, kernels);
    Dwarf_Addr low = 0;
    if (tag != DW_TAG_subprogram || dwarf_lowpc(&child, &low) != 0) continue;
    const auto kernel = kernels.find(low);
    if (kernel != kernels.end() && !kernel->second.has_debug_info) {
      add_parameters(&child, kernel->second);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

void describe(Dwarf* dwarf, std::map<uint64_t, Kernel>& kernels) {
  Dwarf_Off offset = 0, next = 0;
  size_t header = 0;
  for (; dwarf_nextcu(dwarf, offset, &next, &header, nullptr, nullptr, nullptr) == 0;
       offset = next) {
    Dwarf_Die unit;
    if (dwarf_offdie(dwarf, offset + header, &unit) != nullptr) describe_below(&unit, kernels);
  }
}

bool is_called(const Kernel& kernel, const std::string& name) {
  return kernel.name == name || kernel.symbol == name || kernel.name.ends_with("::" + name);
}

}  // namespace

std::vector<Kernel> kernels_in(const std::string& shared_object) {
  const ElfFile file(shared_object);
  std::map<uint64_t, Kernel> by_address;
  for (const auto& [address, symbol] : kernel_symbols(file.elf())) {
    by_address[address] = {symbol, own_name(source_name(symbol)), {}};
  }
  if (const auto pointer = pointer_in(file.elf(), kInstance)) {
    by_address[pointer->address] = {kInstance, "", {}, false, true};
  }
  if (file.dwarf() != nullptr) describe(file.dwarf(), by_address);
  std::vector<Kernel> kernels;
  for (auto& [address, kernel] : by_address) kernels.push_back(std::move(kernel));
  return kernels;
}

std::string symbol_behind(const std::string& object, const std::string& variable) {
  const ElfFile file(object);
  const auto pointer = pointer_in(file.elf(), variable);
  return pointer ? pointer->symbol : "";
}

Kernel choose_kernel(const std::vector<Kernel>& kernels, const std::string& name,
                     const std::string& file, const std::string& how,
                     const std::function<std::vector<std::string>()>& templates) {
  if (name.empty() && kernels.size() == 1) return kernels[0];
  std::vector<std::string> names;
  std::vector<Kernel> called;
  for (const Kernel& kernel : kernels) {
    names.push_back(kernel.name);
    if (kernel.name == name) return kernel;
    if (!name.empty() && is_called(kernel, name)) called.push_back(kernel);
  }
  if (called.size() == 1) return called[0];
  const std::vector<std::string> forms = templates();
  for (const std::string& form : forms) {
    const Kernel kernel{"", form.substr(0, form.find('<')), {}};
    const bool only = name.empty() && kernels.empty() && forms.size() == 1;
    if (!only && (name.empty() || !is_called(kernel, name))) continue;
    throw usage(fmt::format("{}: {} is a template; choose its arguments with {}{}", file,
                            kernel.name, how, form));
  }
  names.insert(names.end(), forms.begin(), forms.end());
  if (names.empty()) throw usage(fmt::format("{} has no kernel: no __global__ function", file));
  if (name.empty() || !called.empty()) {
    throw usage(fmt::format("{} has several kernels; choose one with {}{}", file, how,
                            fmt::join(names, ", ")));
  }
  throw usage(
      fmt::format("{} has no kernel {}; there are: {}", file, name, fmt::join(names, ", ")));
}

std::string signature_text(const Kernel& kernel) {
  std::vector<std::string> parameters;
  for (const Parameter& parameter : kernel.parameters) {
    parameters.push_back(parameter.type + " " + parameter.name);
  }
  return fmt::format("{}({})", kernel.name, fmt::join(parameters, ", "));
}

}  // namespace vinci::launch
