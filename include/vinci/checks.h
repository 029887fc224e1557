// How much a launch checks: a level, and the tools that come along.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vinci {

enum class CheckLevel : uint8_t {
  kOff,     // support tables only: for kernels that are known to be right
  kBasic,   // parameters, addresses, extents
  kStrict,  // and that what stays inside an allocation stays inside its tensor too
};

struct Checks {
  CheckLevel level = CheckLevel::kBasic;
  // By bit, in the order of their table (src/tool/tools.cpp); the highest are for those that only
  // their names select.
  uint32_t tools = 0;
  // Whoever issues instructions waits for each before the next: no race within a core.
  bool pipes_in_order = false;

  static constexpr uint32_t kNumbers = uint32_t(1) << 31;
  static constexpr uint32_t kDrift = uint32_t(1) << 30;
  static constexpr uint32_t kPointers = uint32_t(1) << 29;
  static constexpr uint32_t kOnRequest = kNumbers | kDrift | kPointers;

  static const Checks kOff, kBasic, kFull, kStrict;

  friend bool operator==(const Checks&, const Checks&) = default;
};

inline constexpr Checks Checks::kOff{CheckLevel::kOff};
inline constexpr Checks Checks::kBasic{CheckLevel::kBasic};
inline constexpr Checks Checks::kFull{CheckLevel::kBasic, ~kOnRequest};
inline constexpr Checks Checks::kStrict{CheckLevel::kStrict, ~kOnRequest};

// A level, or tools separated by commas, which come with basic: "full", "race,queue"; or a level
// and what only names select: "full,numbers,drift". None: that is none of them.
std::optional<Checks> find_checks(std::string_view names);
// What find_checks() takes, for messages.
std::string legal_checks();
// The shortest that find_checks() takes for it.
std::string name_of(const Checks& checks);

}  // namespace vinci
