#include "op/template_keys.h"

#include <map>

#include <fmt/format.h>

#include "op/kernel_types.h"
#include "vinci/op/template_keys.h"

namespace vinci::op {
namespace {

std::map<uint64_t, nlohmann::json>& keys() {
  static thread_local std::map<uint64_t, nlohmann::json> keys;
  return keys;
}

// As ASCENDC_TPL_AIV_ONLY and its kind are numbered.
const char* name_of_type(int number) {
  switch (number) {
    case 0: return "AIV_ONLY";
    case 1: return "AIC_ONLY";
    case 4: return "MIX_AIV_1_0";
    case 5: return "MIX_AIC_1_0";
    case 6: return "MIX_AIC_1_1";
    case 7: return "MIX_AIC_1_2";
    default: return "";
  }
}

}  // namespace

void add_template_key(uint64_t key, const TemplateInstance& instance) {
  std::string arguments, names;
  for (size_t i = 0; i < instance.count; ++i) {
    const TemplateArgument& argument = instance.arguments[i];
    const char* comma = i == 0 ? "" : ", ";
    arguments += comma;
    arguments +=
        argument.is_type ? kernel_type_of(int(argument.value)) : fmt::format("{}", argument.value);
    names += fmt::format("{}{}={}", comma, argument.name, argument.value);
  }
  keys()[key] = {
      {"arguments", arguments},
      {"names", names},
      {"selected", instance.is_selected},
      {"kernel_type", name_of_type(instance.kernel_type)},
      {"tiling_struct", instance.tiling_struct == nullptr ? "" : instance.tiling_struct}};
}

std::optional<nlohmann::json> template_key(uint64_t key) {
  const auto found = keys().find(key);
  if (found == keys().end()) return std::nullopt;
  return found->second;
}

}  // namespace vinci::op
