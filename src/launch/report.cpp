// What is known about a run, as JSON.
#include "launch/report.h"

#include <nlohmann/json.hpp>

#include "launch/cores.h"

#include "report/json.h"

namespace vinci::launch {

std::string_view name_of(Checks checks) {
  constexpr std::string_view kNames[] = {"off", "basic", "full", "strict"};
  return kNames[size_t(checks)];
}

nlohmann::json report_of(const std::string& file, const Launch& launch, Checks checks,
                         const Outcome& outcome, const std::vector<Fault>& faults,
                         const SourceLines& lines) {
  nlohmann::json list = nlohmann::json::array();
  for (const Fault& fault : faults) list.push_back(json_of(fault, lines));
  return {{"vinci", VINCI_VERSION},
          {"file", file},
          {"kernel", launch.kernel.name},
          {"soc", launch.soc},
          {"blocks", launch.grid.blocks},
          {"cores", name_of(launch.grid)},
          {"blocks_finished", outcome.blocks_finished},
          {"check", name_of(checks)},
          {"seconds", outcome.seconds},
          {"faults", list},
          {"exit_code", exit_code(faults)}};
}

}  // namespace vinci::launch
