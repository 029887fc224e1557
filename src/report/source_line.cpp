// Line lookup with elfutils' libdw.
#include "report/source_line.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "core/kernel_name.h"
#include "report/function_index.h"
#include "soc/soc.h"

namespace vinci {
namespace {

constexpr Dwfl_Callbacks kCallbacks{
    .find_elf = dwfl_linux_proc_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = nullptr,
    .debuginfo_path = nullptr,
};

// A module that is not the kernel's: vinci itself, and the libraries between it and the kernel.
bool is_own_module(const char* path) {
  const std::string name = std::filesystem::path(path == nullptr ? "" : path).filename();
  for (const char* own : {"libvinci", "libffi", "libc.so", "libgcc_s", "libstdc++", "libasan",
                          "libubsan", "libtsan", "ld-linux", "[vdso"}) {
    if (name.starts_with(own)) return true;
  }
  return name.empty() || name == "vinci";
}

// The thin headers through which a kernel calls vinci, and the system's.
bool is_own_header(const std::string& file) {
  return file.find("/include/ascendc/") != std::string::npos ||
         file.find("/include/vinci/") != std::string::npos ||
         file.find("/include/c_api/") != std::string::npos ||
         file.find("/include/exe_graph/runtime/") != std::string::npos ||
         file.find("/include/register/") != std::string::npos ||
         file.ends_with("/include/tikicpulib.h") || file.starts_with("/usr/");
}

// What calls a kernel of a program (include/vinci/kernel_entry.h): a compiler may give it the line
// of the kernel whose address it is made with.
bool is_own_function(const std::string& function) { return function.starts_with("vinci::host::"); }

// As long as the name, with _ for what an operator is called, "operator<< <int>(int)": that
// opens and closes nothing.
std::string without_symbols(std::string name) {
  constexpr std::string_view kWord = "operator";
  constexpr std::string_view kSymbols[] = {"<<=", ">>=", "<=>", "->*", "<<", ">>",
                                           "<=",  ">=",  "->",  "()",  "<",  ">"};
  for (size_t at = name.find(kWord); at != name.npos; at = name.find(kWord, at + 1)) {
    const char before = at == 0 ? ':' : name[at - 1];
    if (before == '_' || std::isalnum(static_cast<unsigned char>(before)) != 0) continue;
    const size_t begin = at + kWord.size();
    for (const std::string_view symbol : kSymbols) {
      if (name.compare(begin, symbol.size(), symbol) != 0) continue;
      const bool has_blank = name.compare(begin + symbol.size(), 1, " ") == 0;
      const size_t count = symbol.size() + (has_blank ? 1 : 0);
      name.replace(begin, count, count, '_');
      break;
    }
  }
  return name;
}

// "A<int>::f(int) const" without its parameters.
std::string without_parameters(const std::string& name) {
  const std::string read = without_symbols(name);
  int depth = 0;
  for (size_t i = 0; i < read.size(); ++i) {
    if (read[i] == '<' || read[i] == '{') ++depth;
    if (read[i] == '>' || read[i] == '}') --depth;
    if (read[i] == '(' && depth == 0 && i != 0) return name.substr(0, i);
  }
  return name;
}

// "decltype(auto) f(int)" as "f(int)": that parenthesis holds no parameters.
std::string without_decltype(std::string name) {
  constexpr std::string_view kWord = "decltype";
  if (!name.starts_with(kWord)) return name;
  int depth = 0;
  for (size_t i = kWord.size(); i < name.size(); ++i) {
    if (name[i] == '(') ++depth;
    if (name[i] == ')' && --depth == 0) return name.substr(std::min(name.size(), i + 2));
  }
  return name;
}

// "TQue<(vinci::Position)9, 1>" as "TQue<VECIN, 1>".
std::string with_position_names(std::string name) {
  static constexpr std::string_view kCast = "(vinci::Position)";
  for (size_t at; (at = name.find(kCast)) != std::string::npos;) {
    const size_t digits = at + kCast.size();
    const size_t end = std::min(name.find_first_not_of("0123456789", digits), name.size());
    const int number = std::atoi(name.substr(digits, end - digits).c_str());
    name.replace(at, end - at, name_of(Position(number)));
  }
  return name;
}

// Empty: it is no mangled name, or one that the library does not know.
std::string demangled(const std::string& linkage) {
  int status = 0;
  char* text = abi::__cxa_demangle(linkage.c_str(), nullptr, nullptr, &status);
  const std::string name = status == 0 ? text : "";
  std::free(text);
  return name;
}

// The function that a lambda stands in, "_ZZ<function>E<lambda>"; empty: it is none.
std::string around_lambda(const std::string& linkage) {
  if (!linkage.starts_with("_ZZ") || linkage.find("Ul") == linkage.npos) return "";
  for (size_t end = linkage.find('E'); end != linkage.npos; end = linkage.find('E', end + 1)) {
    const std::string name = demangled("_Z" + linkage.substr(3, end - 3));
    if (!name.empty()) return name;
  }
  return "";
}

std::string function_name(Dwarf_Die* die);

// The function that a member of a class without linkage stands in, as of a lambda; empty: it is
// none.
std::string function_around(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Die declared = *die;
  for (const unsigned of : {DW_AT_abstract_origin, DW_AT_specification}) {
    dwarf_formref_die(dwarf_attr(&declared, of, &attribute), &declared);
  }
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&declared, &scopes);
  std::string name;
  for (int i = 1; i < count && name.empty(); ++i) {
    if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram) name = function_name(&scopes[i]);
  }
  std::free(scopes);
  return name;
}

std::string function_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  const char* linkage = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
  if (linkage != nullptr) {
    std::string name = around_lambda(linkage);
    if (name.empty()) name = demangled(linkage);
    if (name.empty()) name = linkage;
    name = with_position_names(std::move(name));
    // A function template's name starts with its result type.
    name = without_parameters(without_decltype(std::move(name)));
    const std::string read = without_symbols(name);
    int angles = 0;
    for (size_t i = read.size(); i-- > 0;) {
      if (read[i] == '>') ++angles;
      if (read[i] == '<') --angles;
      if (read[i] == ' ' && angles == 0 && !read.substr(0, i).ends_with("operator")) {
        return name.substr(i + 1);
      }
    }
    return name;
  }
  const char* plain = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
  const std::string name = plain == nullptr ? "" : own_name(plain);
  const std::string around = name.starts_with("operator()") ? function_around(die) : "";
  return around.empty() ? name : around;
}

int integer_attribute(Dwarf_Die* die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) != 0) return 0;
  return int(value);
}

// File names of a unit may be relative to the folder it was compiled in.
std::string absolute(Dwarf_Die* unit, const char* name) {
  if (name == nullptr || name[0] == '/') return name == nullptr ? "" : name;
  Dwarf_Attribute attribute;
  const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  return folder == nullptr ? name : (std::filesystem::path(folder) / name).lexically_normal();
}

std::string file_of(Dwarf_Die* unit, int index) {
  Dwarf_Files* files = nullptr;
  size_t count = 0;
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || size_t(index) >= count) return "";
  return absolute(unit, dwarf_filesrc(files, size_t(index), nullptr, nullptr));
}

// The compilation unit of an address. Not every compiler writes the index that answers at once.
Dwarf_Die* unit_of(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr* bias) {
  if (Dwarf_Die* unit = dwfl_module_addrdie(module, address, bias)) return unit;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, bias)) != nullptr;) {
    if (dwarf_haspc(unit, address - *bias) == 1) return unit;
  }
  return nullptr;
}

// The row of an address. Code that belongs to no line (row 0) takes the line before it.
Dwarf_Line* row_of(Dwarf_Die* unit, Dwarf_Addr address) {
  Dwarf_Line* row = dwarf_getsrc_die(unit, address);
  int line = 0;
  if (row == nullptr || dwarf_lineno(row, &line) != 0 || line != 0) return row;
  Dwarf_Lines* rows = nullptr;
  size_t count = 0;
  dwarf_getsrclines(unit, &rows, &count);
  for (size_t i = 0; i < count; ++i) {
    Dwarf_Line* candidate = dwarf_onesrcline(rows, i);
    Dwarf_Addr start = 0;
    dwarf_lineaddr(candidate, &start);
    if (start > address) break;  // rows ascend
    dwarf_lineno(candidate, &line);
    if (line != 0) row = candidate;
  }
  return row;
}

// Whether the variable's type is one of the API's, as TPipe, whose content is vinci's.
bool has_own_type(Dwarf_Die* variable) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_formref_die(dwarf_attr(variable, DW_AT_type, &attribute), &type) == nullptr)
    return false;
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&type, &scopes);
  bool is_own = false;
  for (int i = 1; i < count; ++i) {
    const char* name = dwarf_diename(&scopes[i]);
    is_own |= name != nullptr && std::string_view(name) == "AscendC";
  }
  std::free(scopes);
  return is_own;
}

// Whether a location is an address, this one: as it stands (g++), or in the unit's table (clang).
bool is_at(Dwarf_Attribute* location, Dwarf_Addr address) {
  Dwarf_Op* place = nullptr;
  size_t length = 0;
  if (dwarf_getlocation(location, &place, &length) != 0 || length != 1) return false;
  if (place->atom == DW_OP_addr) return place->number == address;
  Dwarf_Attribute entry;
  Dwarf_Addr found = 0;
  return place->atom == DW_OP_addrx && dwarf_getlocation_attr(location, place, &entry) == 0 &&
         dwarf_formaddr(&entry, &found) == 0 && found == address;
}

// The declaration below `die` of the variable at an address; none of the API's types.
bool variable_below(Dwarf_Die* unit, Dwarf_Die* die, Dwarf_Addr address, SourceLine& line) {
  Dwarf_Die child;
  if (dwarf_child(die, &child) != 0) return false;
  do {
    Dwarf_Attribute attribute;
    if (dwarf_tag(&child) == DW_TAG_variable &&
        is_at(dwarf_attr(&child, DW_AT_location, &attribute), address)) {
      // One that was declared before says there where.
      Dwarf_Attribute whole;
      Dwarf_Die declared = child;
      if (dwarf_attr(&child, DW_AT_specification, &whole) != nullptr)
        dwarf_formref_die(&whole, &declared);
      if (has_own_type(&declared)) return false;
      line.file = file_of(unit, integer_attribute(&declared, DW_AT_decl_file));
      line.line = integer_attribute(&declared, DW_AT_decl_line);
      const char* name = dwarf_diename(&declared);
      line.function = name == nullptr ? "" : name;
      return true;
    }
    if (dwarf_haschildren(&child) && variable_below(unit, &child, address, line)) return true;
  } while (dwarf_siblingof(&child, &child) == 0);
  return false;
}

// The same in a module.
std::vector<SourceLine> variable_at(Dwfl_Module* module, Dwarf_Addr address) {
  Dwarf_Addr bias = 0;
  for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr;) {
    SourceLine line;
    if (variable_below(unit, unit, address - bias, line)) return {line};
  }
  return {};
}

}  // namespace

struct SourceLines::State {
  Dwfl* dwfl = dwfl_begin(&kCallbacks);
  std::map<Dwarf_Addr, std::vector<SourceLine>> known;  // by address: a report asks twice
  std::map<const void*, FunctionIndex> indices;         // by unit
  std::vector<SourceLine> lines_at(Dwfl_Module* module, Dwarf_Addr address);
  ~State() { dwfl_end(dwfl); }
};

// The lines at one address: the innermost inlined function first, the real function last.
std::vector<SourceLine> SourceLines::State::lines_at(Dwfl_Module* module, Dwarf_Addr address) {
  std::vector<SourceLine> lines;
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = unit_of(module, address, &bias);
  Dwarf_Line* row = unit == nullptr ? nullptr : row_of(unit, address - bias);
  if (row == nullptr) return variable_at(module, address);
  SourceLine current;
  current.file = absolute(unit, dwarf_linesrc(row, nullptr, nullptr));
  dwarf_lineno(row, &current.line);

  const auto index = indices.try_emplace(unit->addr, *unit).first;
  std::vector<Dwarf_Die> functions = index->second.around(address - bias);
  if (functions.empty()) return {current};
  for (Dwarf_Die& function : functions) {
    current.function = function_name(&function);
    lines.push_back(current);
    if (dwarf_tag(&function) == DW_TAG_subprogram) break;
    current.file = file_of(unit, integer_attribute(&function, DW_AT_call_file));
    current.line = integer_attribute(&function, DW_AT_call_line);
  }
  return lines;
}

SourceLines::SourceLines(std::unique_ptr<State> state) : state_(std::move(state)) {}
SourceLines::SourceLines(SourceLines&&) noexcept = default;
SourceLines& SourceLines::operator=(SourceLines&&) noexcept = default;
SourceLines::~SourceLines() = default;

SourceLines SourceLines::of_this_process() {
  auto state = std::make_unique<State>();
  dwfl_linux_proc_report(state->dwfl, getpid());
  dwfl_report_end(state->dwfl, nullptr, nullptr);
  return SourceLines(std::move(state));
}

SourceLines SourceLines::of_maps(const std::string& maps) {
  auto state = std::make_unique<State>();
  if (FILE* text = fmemopen(const_cast<char*>(maps.data()), maps.size(), "r")) {
    dwfl_linux_proc_maps_report(state->dwfl, text);
    std::fclose(text);
  }
  dwfl_report_end(state->dwfl, nullptr, nullptr);
  return SourceLines(std::move(state));
}

std::vector<SourceLine> SourceLines::kernel_lines(const std::vector<uint64_t>& frames) const {
  std::vector<SourceLine> lines;
  for (const uint64_t frame : frames) {
    if (frame == 0) break;
    const Dwarf_Addr address = frame - 1;  // inside the call instruction
    Dwfl_Module* module = dwfl_addrmodule(state_->dwfl, address);
    const char* path = module == nullptr ? nullptr
                                         : dwfl_module_info(module, nullptr, nullptr, nullptr,
                                                            nullptr, nullptr, nullptr, nullptr);
    if (is_own_module(path)) {
      if (!lines.empty()) break;
      continue;
    }
    const auto [known, is_new] = state_->known.try_emplace(address);
    if (is_new) known->second = state_->lines_at(module, address);
    for (const SourceLine& line : known->second) {
      if (!is_own_header(line.file) && !is_own_function(line.function)) lines.push_back(line);
    }
  }
  return lines;
}

std::string SourceLines::module_offset(const std::vector<uint64_t>& frames) const {
  for (const uint64_t frame : frames) {
    Dwfl_Module* module = dwfl_addrmodule(state_->dwfl, frame - 1);
    if (module == nullptr) continue;
    Dwarf_Addr start = 0;
    const char* path =
        dwfl_module_info(module, nullptr, &start, nullptr, nullptr, nullptr, nullptr, nullptr);
    if (is_own_module(path)) continue;
    return fmt::format("{}+{:#x}", std::filesystem::path(path).filename().string(),
                       frame - 1 - start);
  }
  return "";
}

}  // namespace vinci
