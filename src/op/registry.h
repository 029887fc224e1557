// What host libraries have registered, as it came: each definition as JSON.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vinci/op/registry.h"

namespace vinci::op {

struct Registered {
  std::map<std::string, std::string> definitions;
  std::map<std::string, std::map<std::string, std::string>> chips;  // by type, then by chip
  std::map<std::string, Functions> functions;
  std::map<std::string, std::vector<std::string>> private_attributes;
  std::map<std::string, std::string> tiling_classes;
};

Registered registered();
void set_registered(Registered all);

}  // namespace vinci::op
