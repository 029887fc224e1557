// What is known about a run, as JSON.
#include "launch/report.h"

#include <nlohmann/json.hpp>

#include "launch/cores.h"

#include "report/json.h"

namespace vinci::launch {
namespace {

nlohmann::json kinds_of(const std::vector<Fault>& faults) {
  nlohmann::json kinds = nlohmann::json::object();
  for (const Fault& fault : faults) {
    nlohmann::json& kind = kinds[to_string(fault.code)];
    if (kind.is_null()) kind = {{"title", fault.entry().title}, {"places", 0}, {"count", 0}};
    kind["places"] = kind["places"].get<uint64_t>() + 1;
    kind["count"] = kind["count"].get<uint64_t>() + fault.count;
  }
  return kinds;
}

}  // namespace

nlohmann::json report_of(const std::string& file, const Launch& launch, const Checks& checks,
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
          {"schedule", schedule_name(launch.order)},
          {"auto_sync", launch.order.auto_sync},
          {"seconds", outcome.seconds},
          {"faults", list},
          {"kinds", kinds_of(faults)},
          {"made",
           {{"infinities", outcome.made.infinities},
            {"nans", outcome.made.nans},
            {"saturated", outcome.made.saturated}}},
          {"exit_code", exit_code(faults)}};
}

}  // namespace vinci::launch
