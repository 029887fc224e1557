#include "tool/tools.h"

#include <algorithm>
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
#include "tool/step_trace.h"
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
// By name only. What all cores of a launch share makes drift's (src/core/device.cpp).
struct Request {
  std::string_view name;
  uint32_t tool;
};
constexpr Request kRequests[] = {
    {"numbers", Checks::kNumbers}, {"drift", Checks::kDrift}, {"pointers", Checks::kPointers}};
constexpr uint32_t kAllTools = (uint32_t(1) << std::size(kTools)) - 1;

constexpr uint32_t tool(std::string_view name) {
  for (const Request& request : kRequests) {
    if (request.name == name) return request.tool;
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
  Checks checks = Checks::kBasic;
  bool with_level = false;
  for (bool first = true, more = true; more; first = false) {
    const size_t comma = names.find(',');
    const std::string_view name = names.substr(0, comma);
    more = comma != std::string_view::npos;
    const auto level = std::ranges::find(kLevels, name, &Level::name);
    if (first && level != std::end(kLevels)) {
      checks = level->checks;
      with_level = true;
      if (more && checks.level == CheckLevel::kOff) return std::nullopt;
    } else {
      const uint32_t tools = tools_named(name);
      // A level says which others there are.
      if (tools == 0 || (with_level && (tools & ~Checks::kOnRequest) != 0)) return std::nullopt;
      checks.tools |= tools;
    }
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
  for (const Request& request : kRequests) text += " " + std::string(request.name) + ",";
  text.pop_back();
  return text;
}

std::string name_of(const Checks& checks) {
  const auto known = [](Checks of) {
    of.tools &= kAllTools;
    return of;
  };
  std::string more;
  for (const Request& request : kRequests) {
    if ((checks.tools & request.tool) != 0) more += "," + std::string(request.name);
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
    const bool in_order = checks.pipes_in_order && (checks.tools & kOrdersPipesInPart) == 0;
    if (in_order && row.make == make<Races>) continue;
    if ((checks.tools & tool(row.name)) != 0) tools.push_back(row.make());
  }
  if ((checks.tools & Checks::kNumbers) != 0) tools.push_back(std::make_unique<Numbers>());
  if ((checks.tools & Checks::kPointers) != 0) tools.push_back(std::make_unique<Pointers>());
  return tools;
}

bool has_tool(const Checks& checks, std::string_view name) {
  return (checks.tools & tool(name)) != 0;
}

const Races* races_among(std::span<const std::unique_ptr<Tool>> tools) {
  for (const auto& tool : tools) {
    if (const auto* races = dynamic_cast<const Races*>(tool.get())) return races;
  }
  return nullptr;
}

std::vector<std::unique_ptr<Tool>> self_tools() {
  std::vector<std::unique_ptr<Tool>> tools;
  const char* wanted = std::getenv("VINCI_SELF_CHECK");
  if (wanted == nullptr) return tools;
  constexpr std::string_view kTrace = "trace=";
  const std::string_view text = wanted;
  if (text == "footprint") tools.push_back(std::make_unique<TrueFootprint>());
  if (text.starts_with(kTrace)) {
    tools.push_back(std::make_unique<StepTrace>(std::string(text.substr(kTrace.size()))));
  }
  return tools;
}

}  // namespace vinci
