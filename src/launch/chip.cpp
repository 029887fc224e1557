// Looking a chip up for the user.
#include "launch/chip.h"

#include <fmt/format.h>

#include "launch/error.h"
#include "report/nearest.h"

namespace vinci::launch {

const Soc& chip(const std::string& name) {
  if (const Soc* soc = find_soc(name)) return *soc;
  std::string list, families;
  std::vector<std::string_view> names;
  for (const Soc& soc : all_socs()) {
    list += fmt::format(" {}", soc.name);
    names.push_back(soc.name);
  }
  for (const Family& family : soc_families()) {
    names.push_back(family.name);
    families += fmt::format(" {} ({})", family.name, family.representative);
  }
  throw usage(fmt::format("unknown chip {}{}\n  chips:{}\n  families:{}", name,
                          did_you_mean(name, names), list, families));
}

}  // namespace vinci::launch
