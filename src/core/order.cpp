// Names of orders.
#include "vinci/order.h"

#include <charconv>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>

namespace vinci {
namespace {

constexpr std::string_view kRandom = "random:";

// What a variable says, if it says something, and `set` takes it.
void set_by_environment(const char* variable, std::string_view legal, auto set) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0' || set(std::string_view(value))) return;
  throw std::invalid_argument(fmt::format("{} is {}; legal: {}", variable, value, legal));
}

}  // namespace

bool Order::set_schedule(std::string_view name) {
  if (name.starts_with(kRandom)) {
    const std::string_view text = name.substr(kRandom.size());
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return false;
    kind = Kind::kRandom;
    seed = number;
    return true;
  }
  if (name != "eager" && name != "lazy") return false;
  kind = name == "lazy" ? Kind::kLazy : Kind::kEager;
  seed = 0;
  return true;
}

bool Order::set_auto_sync(std::string_view name) {
  if (name != "on" && name != "off") return false;
  auto_sync = name == "on";
  return true;
}

Order Order::of_environment() {
  Order order;
  set_by_environment("VINCI_SCHEDULE", kLegalSchedules,
                     [&](std::string_view name) { return order.set_schedule(name); });
  set_by_environment("VINCI_AUTO_SYNC", kLegalAutoSync,
                     [&](std::string_view name) { return order.set_auto_sync(name); });
  return order;
}

std::string schedule_name(const Order& order) {
  switch (order.kind) {
    case Order::Kind::kEager: return "eager";
    case Order::Kind::kLazy: return "lazy";
    case Order::Kind::kRandom: break;
  }
  return fmt::format("{}{}", kRandom, order.seed);
}

}  // namespace vinci
