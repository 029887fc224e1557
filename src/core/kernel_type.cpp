#include "core/kernel_type.h"

#include <algorithm>

namespace vinci {
namespace {

constexpr KernelType kTypes[] = {
    {"AIV_ONLY", 0, 1},    {"AIC_ONLY", 1, 0},    {"MIX_AIV_1_0", 0, 1},
    {"MIX_AIC_1_0", 1, 0}, {"MIX_AIC_1_1", 1, 1}, {"MIX_AIC_1_2", 1, 2},
};

}  // namespace

std::span<const KernelType> kernel_types() { return kTypes; }

std::optional<Grid> block_of_type(std::string_view name) {
  const auto* found = std::ranges::find(kTypes, name, &KernelType::name);
  if (found == std::end(kTypes)) return std::nullopt;
  return Grid{1, found->aic, found->aiv};
}

}  // namespace vinci
