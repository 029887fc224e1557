// Words that become options of a launch.
#include "launch/options.h"

#include <stdexcept>

#include <fmt/format.h>

#include "launch/error.h"

namespace vinci::launch {
namespace {

Error illegal(const Word& word, std::string_view legal) {
  return usage(fmt::format("{} {}; legal: {}", word.option, word.value, legal));
}

Order order_of_environment() {
  try {
    return Order::of_environment();
  } catch (const std::invalid_argument& error) {
    throw usage(error.what());
  }
}

}  // namespace

Checks checks_of(const Word& check) {
  const auto checks = find_checks(check.value);
  if (!checks) throw illegal(check, legal_checks());
  return *checks;
}

Order order_of(const Word& schedule, const Word& auto_sync, std::optional<bool> of_compiler) {
  Order order = order_of_environment();
  order.auto_sync = of_compiler.value_or(order.auto_sync);
  if (!schedule.value.empty() && !order.set_schedule(schedule.value)) {
    throw illegal(schedule, kLegalSchedules);
  }
  if (!auto_sync.value.empty() && !order.set_auto_sync(auto_sync.value)) {
    throw illegal(auto_sync, kLegalAutoSync);
  }
  return order;
}

std::optional<bool> take_auto_sync(std::vector<std::string>& words) {
  static constexpr std::string_view kOption = "--cce-auto-sync";
  std::optional<bool> found;
  std::erase_if(words, [&](const std::string& word) {
    if (word != kOption && !word.starts_with(std::string(kOption) + "=")) return false;
    Order order;
    if (word != kOption && !order.set_auto_sync(word.substr(kOption.size() + 1))) {
      throw usage(fmt::format("{}; legal: {} with {}", word, kOption, kLegalAutoSync));
    }
    found = order.auto_sync;
    return true;
  });
  return found;
}

}  // namespace vinci::launch
