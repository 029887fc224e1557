#include "tool/tools.h"

#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "tool/allocation.h"
#include "tool/left_state.h"
#include "tool/numbers.h"
#include "tool/pointers.h"
#include "tool/queue_protocol.h"
#include "tool/races.h"
#include "tool/true_footprint.h"
#include "tool/unwritten.h"

namespace vinci {
namespace {

template <class T>
std::unique_ptr<Tool> make() {
  return std::make_unique<T>();
}

// A tool by the name that --check and its kin give it. Tools see events in this order.
struct Row {
  std::string_view name;
  std::unique_ptr<Tool> (*make)();
};
constexpr Row kTools[] = {
    {"memory", make<Allocation>}, {"queue", make<QueueProtocol>}, {"race", make<Races>},
    {"init", make<Unwritten>},    {"state", make<LeftState>},
};
struct RequestRow {
  Row row;
  uint32_t bit;
};
// Those that only their names select.
constexpr RequestRow kByNameOnly[] = {{{"numbers", make<Numbers>}, uint32_t(1) << 31},
                                      {{"pointers", make<Pointers>}, uint32_t(1) << 30}};
constexpr uint32_t kAllTools = (uint32_t(1) << std::size(kTools)) - 1;

constexpr uint32_t tool(std::string_view name) {
  for (const auto& [row, bit] : kByNameOnly) {
    if (name == row.name) return bit;
  }
  for (size_t i = 0; i < std::size(kTools); ++i) {
    if (kTools[i].name == name) return uint32_t(1) << i;
  }
  return 0;
}

// Several tools under one name.
struct Group {
  std::string_view name;
  uint32_t tools;
};
constexpr Group kGroups[] = {{"sync", tool("queue") | tool("race")}};

struct Level {
  std::string_view name;
  Checks checks;
};
constexpr Level kLevels[] = {{"strict", Checks::kStrict},
                             {"full", Checks::kFull},
                             {"basic", Checks::kBasic},
                             {"off", Checks::kOff}};

uint32_t tools_named(std::string_view name) {
  for (const Group& group : kGroups) {
    if (group.name == name) return group.tools;
  }
  return tool(name);
}

}  // namespace

std::optional<Checks> find_checks(std::string_view names) {
  for (const Level& level : kLevels) {
    if (level.name == names) return level.checks;
    if (level.checks.level == CheckLevel::kOff) continue;
    if (!names.starts_with(std::string(level.name) + ",")) continue;
    const auto more = find_checks(names.substr(level.name.size() + 1));
    if (!more || (more->tools & ~Checks::kOnRequest) != 0 || more->tools == 0) continue;
    Checks checks = level.checks;
    checks.tools |= more->tools;
    return checks;
  }
  Checks checks = Checks::kBasic;
  for (bool more = true; more;) {
    const size_t comma = names.find(',');
    const uint32_t tools = tools_named(names.substr(0, comma));
    if (tools == 0) return std::nullopt;
    checks.tools |= tools;
    more = comma != std::string_view::npos;
    if (more) names.remove_prefix(comma + 1);
  }
  return checks;
}

std::string legal_checks() {
  std::string text;
  for (const Level& level : kLevels) text += std::string(level.name) + ", ";
  text += "or a list of";
  for (const Row& row : kTools) text += " " + std::string(row.name) + ",";
  for (const Group& group : kGroups) text += " " + std::string(group.name) + ",";
  for (const RequestRow& request : kByNameOnly) text += " " + std::string(request.row.name) + ",";
  text.pop_back();
  return text;
}

std::string name_of(const Checks& checks) {
  const auto known = [](Checks of) {
    of.tools &= kAllTools;
    return of;
  };
  std::string more;
  for (const auto& [row, bit] : kByNameOnly) {
    if ((checks.tools & bit) != 0) more += "," + std::string(row.name);
  }
  for (const Level& level : kLevels) {
    if (known(level.checks) == known(checks)) return std::string(level.name) + more;
  }
  std::string text;
  for (const Row& row : kTools) {
    if ((checks.tools & tool(row.name)) != 0)
      text += (text.empty() ? "" : ",") + std::string(row.name);
  }
  return text + more;
}

std::vector<std::unique_ptr<Tool>> tools_of(const Checks& checks) {
  std::vector<std::unique_ptr<Tool>> tools;
  for (const Row& row : kTools) {
    if ((checks.tools & tool(row.name)) != 0) tools.push_back(row.make());
  }
  for (const auto& [row, bit] : kByNameOnly) {
    if ((checks.tools & bit) != 0) tools.push_back(row.make());
  }
  return tools;
}

bool has_tool(const Checks& checks, std::string_view name) {
  return (checks.tools & tool(name)) != 0;
}

std::vector<std::unique_ptr<Tool>> self_tools() {
  std::vector<std::unique_ptr<Tool>> tools;
  const char* wanted = std::getenv("VINCI_SELF_CHECK");
  if (wanted != nullptr && std::string_view(wanted) == "footprint") {
    tools.push_back(std::make_unique<TrueFootprint>());
  }
  return tools;
}

}  // namespace vinci
