// Looking a chip up for the user.
#include "launch/chip.h"

#include <utility>

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

std::vector<std::string> chip_options(const Soc& soc, const std::vector<std::string>& definitions) {
  static constexpr std::pair<const char*, Space> kMemories[] = {
      {"UB", Space::kUb},   {"L1", Space::kL1},   {"L0A", Space::kL0A},
      {"L0B", Space::kL0B}, {"L0C", Space::kL0C}, {"BT", Space::kBt}};
  std::vector<std::string> options{fmt::format("-DVINCI_SOC=\"{}\"", soc.name)};
  for (const auto& [name, space] : kMemories) {
    options.push_back(fmt::format("-DASC_{}_SIZE={}UL", name, soc.usable_bytes(space)));
  }
  options.push_back(fmt::format("-DVINCI_SPLIT_CHIP={}", int(soc.arch->split)));
  for (const std::string& definition : definitions) options.push_back("-D" + definition);
  return options;
}

}  // namespace vinci::launch
