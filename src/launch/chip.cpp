// Looking a chip up for the user.
#include "launch/chip.h"

#include <fmt/format.h>

#include "launch/error.h"

namespace vinci::launch {

const Soc& chip(const std::string& name) {
  if (const Soc* soc = find_soc(name)) return *soc;
  std::string list, families;
  for (const Soc& soc : all_socs()) list += fmt::format(" {}", soc.name);
  for (const Family& family : soc_families()) {
    families += fmt::format(" {} ({})", family.name, family.representative);
  }
  throw usage(fmt::format("unknown chip {}\n  chips:{}\n  families:{}", name, list, families));
}

}  // namespace vinci::launch
