#include "tool/tools.h"

#include <cstdlib>
#include <string_view>

#include "tool/allocation.h"
#include "tool/queue_protocol.h"
#include "tool/races.h"
#include "tool/true_footprint.h"

namespace vinci {

std::vector<std::unique_ptr<Tool>> full_tools() {
  std::vector<std::unique_ptr<Tool>> tools;
  tools.push_back(std::make_unique<Allocation>());
  tools.push_back(std::make_unique<QueueProtocol>());
  tools.push_back(std::make_unique<Races>());
  return tools;
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
