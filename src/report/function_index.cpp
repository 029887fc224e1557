#include "report/function_index.h"

#include <dwarf.h>

#include <algorithm>

namespace vinci {
namespace {

// Those below `die` that hold the address, the innermost first.
void add_inlined(Dwarf_Die* die, Dwarf_Addr address, std::vector<Dwarf_Die>& functions) {
  Dwarf_Die child;
  if (dwarf_child(die, &child) != 0) return;
  do {
    const bool is_scope = is_function(&child) || dwarf_tag(&child) == DW_TAG_lexical_block;
    if (!is_scope || dwarf_haspc(&child, address) != 1) continue;
    add_inlined(&child, address, functions);
    if (is_function(&child)) functions.push_back(child);
    return;
  } while (dwarf_siblingof(&child, &child) == 0);
}

}  // namespace

bool is_function(Dwarf_Die* die) {
  const int tag = dwarf_tag(die);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

FunctionIndex::FunctionIndex(Dwarf_Die unit) : unit_(unit), ranges_(ranges_of(&unit_, false)) {}

void FunctionIndex::add(Dwarf_Die* function, Ranges& ranges) {
  Dwarf_Addr base = 0, first = 0, end = 0;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(function, at, &base, &first, &end)) > 0;) {
    ranges.push_back({first, end, *function});
  }
}

// `all`: inside of classes and functions, too.
void FunctionIndex::collect(Dwarf_Die* scope, bool all, Ranges& ranges) {
  Dwarf_Die child;
  if (dwarf_child(scope, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram) add(&child, ranges);
    if (tag == DW_TAG_namespace || all) collect(&child, all, ranges);
  } while (dwarf_siblingof(&child, &child) == 0);
}

FunctionIndex::Ranges FunctionIndex::ranges_of(Dwarf_Die* unit, bool all) {
  Ranges ranges;
  collect(unit, all, ranges);
  std::ranges::sort(ranges, {}, &Range::first);
  return ranges;
}

std::optional<Dwarf_Die> FunctionIndex::function_at(const Ranges& ranges, Dwarf_Addr address) {
  const auto next = std::ranges::upper_bound(ranges, address, {}, &Range::first);
  if (next == ranges.begin() || address >= std::prev(next)->end) return std::nullopt;
  return std::prev(next)->function;
}

std::vector<Dwarf_Die> FunctionIndex::around(Dwarf_Addr address) {
  std::optional<Dwarf_Die> function = function_at(ranges_, address);
  if (!function) {
    if (!all_) all_ = ranges_of(&unit_, true);
    function = function_at(*all_, address);
  }
  std::vector<Dwarf_Die> functions;
  if (!function) return functions;
  add_inlined(&*function, address, functions);
  functions.push_back(*function);
  return functions;
}

}  // namespace vinci
