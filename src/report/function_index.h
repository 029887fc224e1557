// The functions of a compilation unit, by address. libdw's own search reads every class of the unit
// for each address, and headers have thousands.
#pragma once

#include <elfutils/libdw.h>

#include <optional>
#include <vector>

namespace vinci {

class FunctionIndex {
 public:
  explicit FunctionIndex(Dwarf_Die unit);

  // The functions around an address of the unit, the innermost first: those that were inlined, and
  // at last the one that they are in. Empty: none is there.
  std::vector<Dwarf_Die> around(Dwarf_Addr address);

 private:
  struct Range {
    Dwarf_Addr first, end;
    Dwarf_Die function;
  };
  using Ranges = std::vector<Range>;  // ascending

  static void add(Dwarf_Die* function, Ranges& ranges);
  static void collect(Dwarf_Die* scope, bool all, Ranges& ranges);
  static Ranges ranges_of(Dwarf_Die* unit, bool all);
  static std::optional<Dwarf_Die> function_at(const Ranges& ranges, Dwarf_Addr address);

  Dwarf_Die unit_;
  Ranges ranges_;              // of namespaces' functions
  std::optional<Ranges> all_;  // of classes' and local classes' too, once they are asked for
};

bool is_function(Dwarf_Die* die);

}  // namespace vinci
