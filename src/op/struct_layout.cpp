// Reading of debug information with elfutils' libdw.
#include "op/struct_layout.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace vinci::op {
namespace {

using nlohmann::json;

constexpr uint64_t kMostElements = 64;           // of an array of structs
constexpr const char* kUnnamed = "{anonymous}";  // a namespace, as g++ writes it

std::optional<Dwarf_Die> type_of(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  Dwarf_Die found, peeled;
  if (dwarf_attr_integrate(&die, DW_AT_type, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &found) == nullptr || dwarf_peel_type(&found, &peeled) != 0) {
    return std::nullopt;
  }
  return peeled;
}

uint64_t number_of(Dwarf_Die& die, unsigned name, uint64_t otherwise) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(&die, name, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &value) != 0) {
    return otherwise;
  }
  return value;
}

// "uint32_t", as classes of tiling data name their types; empty: it is no number.
std::string number_type(Dwarf_Die& type) {
  const uint64_t bytes = number_of(type, DW_AT_byte_size, 0);
  switch (dwarf_tag(&type)) {
    case DW_TAG_pointer_type: return "uint64_t";
    case DW_TAG_enumeration_type: return fmt::format("int{}_t", bytes * 8);
    case DW_TAG_base_type: break;
    default: return "";
  }
  switch (number_of(type, DW_AT_encoding, 0)) {
    case DW_ATE_boolean: return "bool";
    case DW_ATE_float: return bytes == 4 ? "float" : bytes == 8 ? "double" : "";
    case DW_ATE_signed:
    case DW_ATE_signed_char: return fmt::format("int{}_t", bytes * 8);
    default: return fmt::format("uint{}_t", bytes * 8);
  }
}

template <class Visit>
void for_children(Dwarf_Die& die, const Visit& visit) {
  Dwarf_Die child;
  if (dwarf_child(&die, &child) != 0) return;
  do visit(child);
  while (dwarf_siblingof(&child, &child) == 0);
}

uint64_t elements_of(Dwarf_Die& array) {
  uint64_t count = 1;
  for_children(array, [&](Dwarf_Die& child) {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) return;
    const uint64_t last = number_of(child, DW_AT_upper_bound, ~uint64_t{0});
    count *= number_of(child, DW_AT_count, last + 1);
  });
  return count;
}

void add_members(Dwarf_Die& type, const std::string& path, uint64_t start, json& fields);

void add_field(Dwarf_Die type, const std::string& name, uint64_t at, json& fields) {
  uint64_t count = 1;
  const bool is_array = dwarf_tag(&type) == DW_TAG_array_type;
  if (is_array) {
    count = elements_of(type);
    const auto element = type_of(type);
    if (!element) return;
    type = *element;
  }
  if (const std::string number = number_type(type); !number.empty()) {
    fields.push_back({{"name", name}, {"type", number}, {"offset", at}, {"count", count}});
    return;
  }
  const uint64_t bytes = number_of(type, DW_AT_byte_size, 0);
  for (uint64_t i = 0; i < std::min(count, kMostElements); ++i) {
    const std::string one = is_array ? fmt::format("{}[{}]", name, i) : name;
    add_members(type, one + ".", at + i * bytes, fields);
  }
}

void add_members(Dwarf_Die& type, const std::string& path, uint64_t start, json& fields) {
  for_children(type, [&](Dwarf_Die& child) {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) return;
    if (dwarf_hasattr(&child, DW_AT_external) != 0) return;  // a static one
    const auto own = type_of(child);
    if (!own) return;
    const uint64_t at = start + number_of(child, DW_AT_data_member_location, 0);
    const char* const name = dwarf_diename(&child);
    Dwarf_Die members = *own;
    if (tag == DW_TAG_inheritance || name == nullptr) return add_members(members, path, at, fields);
    add_field(members, path + name, at, fields);
  });
}

// Visits the structs of a name below `die`, with their namespaces as "outer::inner::".
template <class Visit>
void for_structs(Dwarf_Die& die, std::string_view name, const std::string& scope,
                 const Visit& visit) {
  for_children(die, [&](Dwarf_Die& child) {
    const int tag = dwarf_tag(&child);
    const char* const own = dwarf_diename(&child);
    if (tag == DW_TAG_namespace) {
      for_structs(child, name, fmt::format("{}{}::", scope, own == nullptr ? kUnnamed : own),
                  visit);
    } else if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type) {
      const bool is_whole = dwarf_hasattr(&child, DW_AT_byte_size) != 0;
      if (own != nullptr && own == name && is_whole) visit(child, scope + own);
    }
  });
}

// As libdw knows it.
std::string with_unnamed(std::string name) {
  constexpr std::string_view kOfClang = "(anonymous namespace)";
  const size_t at = name.find(kOfClang);
  return at == std::string::npos ? name : name.replace(at, kOfClang.size(), kUnnamed);
}

}  // namespace

json fields_of_struct(const std::string& library, const std::string& said, uint64_t bytes) {
  const std::string name = with_unnamed(said);
  const size_t scope = name.rfind("::");
  const std::string own = scope == std::string::npos ? name : name.substr(scope + 2);
  const int file = open(library.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  std::set<json> in_full, others;  // the layouts
  if (Dwarf* const debug = dwarf_begin(file, DWARF_C_READ); debug != nullptr) {
    Dwarf_CU* unit = nullptr;
    Dwarf_Die die;
    while (dwarf_get_units(debug, unit, &unit, nullptr, nullptr, &die, nullptr) == 0) {
      for_structs(die, own, "", [&](Dwarf_Die& found, const std::string& full) {
        if (bytes != 0 && number_of(found, DW_AT_byte_size, 0) != bytes) return;
        json fields = json::array();
        add_members(found, "", 0, fields);
        (full == name ? in_full : others).insert(fields);
      });
    }
    dwarf_end(debug);
  }
  close(file);
  const auto& layouts = in_full.empty() ? others : in_full;
  return layouts.size() == 1 ? *layouts.begin() : json();
}

}  // namespace vinci::op
