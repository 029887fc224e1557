// When the instructions of a launch run: docs/spec/order.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vinci {

struct Order {
  enum class Kind : uint8_t {
    kEager,   // as they are issued
    kLazy,    // as late as can be, what was issued last first
    kRandom,  // as the seed says
  };
  Kind kind = Kind::kEager;
  uint64_t seed = 0;
  bool auto_sync = true;  // the vendor's compiler orders what it sees

  // "eager", "lazy" or "random:SEED"; "on" or "off". False, and nothing changes: anything else.
  bool set_schedule(std::string_view name);
  bool set_auto_sync(std::string_view name);

  // That of VINCI_SCHEDULE and VINCI_AUTO_SYNC. Throws std::invalid_argument with the legal values.
  static Order of_environment();

  friend bool operator==(const Order&, const Order&) = default;
};

inline constexpr std::string_view kLegalSchedules = "eager, lazy, random:SEED";
inline constexpr std::string_view kLegalAutoSync = "on, off";

std::string schedule_name(const Order& order);  // "random:7"

}  // namespace vinci
