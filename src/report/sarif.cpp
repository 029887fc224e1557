#include "report/sarif.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/places.h"
#include "report/text.h"

namespace vinci {
namespace {

using nlohmann::json;

constexpr const char* kRoot = "%SRCROOT%";  // as code hosts call the folder that paths begin in

const char* level_of(const CodeEntry& entry) { return entry.warning ? "warning" : "error"; }

json message(const std::string& text) { return {{"text", text}}; }

json rules() {
  json list = json::array();
  for (const CodeEntry& entry : code_table()) {
    const std::string code = to_string(entry.code);
    list.push_back({{"id", code},
                    {"shortDescription", message(std::string(entry.title))},
                    {"help", message(fmt::format("vinci explain {}", code))},
                    {"defaultConfiguration", {{"level", level_of(entry)}}},
                    {"properties", {{"class", name_of(entry.kind)}}}});
  }
  return list;
}

json location(const SourceLine& line) {
  const std::string path = shortened(line.file);
  json artifact{{"uri", uri_of(path)}};
  if (!std::filesystem::path(path).is_absolute()) artifact["uriBaseId"] = kRoot;
  json place{{"physicalLocation",
              {{"artifactLocation", artifact}, {"region", {{"startLine", line.line}}}}}};
  if (!line.function.empty()) {
    place["logicalLocations"] = {{{"fullyQualifiedName", line.function}, {"kind", "function"}}};
  }
  return place;
}

json stack(const std::vector<SourceLine>& places) {
  json frames = json::array();
  for (const SourceLine& place : places) frames.push_back({{"location", location(place)}});
  return {{"message", message("how the kernel got there")}, {"frames", frames}};
}

json related(const Fault& fault, const SourceLines& lines) {
  json list = json::array();
  const auto add = [&](const Fault::Place& there) {
    const auto found = places_of(there, lines);
    if (there.what.empty() || found.empty()) return;
    json place = location(found[0]);
    place["id"] = list.size() + 1;
    place["message"] = message(there.what);
    list.push_back(place);
  };
  add(fault.other);
  for (const Fault::Place& there : fault.also) add(there);
  return list;
}

// Its place among the rules.
size_t index_of(Code code) {
  const auto& table = code_table();
  return size_t(std::ranges::find(table, code, &CodeEntry::code) - table.begin());
}

json result(const Fault& fault, const SourceLines& lines) {
  std::string text = fault.message;
  if (!fault.legal.empty()) text += fmt::format("; legal: {}", fault.legal);
  const auto places = places_of(fault, lines);
  json result{{"ruleId", to_string(fault.code)},
              {"ruleIndex", index_of(fault.code)},
              {"kind", "fail"},
              {"level", level_of(fault.entry())},
              {"message", message(text)},
              {"locations", json::array()},
              {"relatedLocations", related(fault, lines)},
              {"occurrenceCount", fault.count},
              {"properties",
               {{"count", fault.count},
                {"block", fault.block},
                {"core", fault.core},
                {"pipe", fault.pipe},
                {"instruction", fault.instruction}}}};
  // Where one result says it, all must.
  result["suppressions"] = json::array();
  if (!fault.suppressed.empty()) {
    result["suppressions"].push_back(
        {{"kind", "external"}, {"status", "accepted"}, {"justification", fault.suppressed}});
  }
  if (!places.empty()) result["locations"].push_back(location(places[0]));
  if (places.size() > 1) result["stacks"] = json::array({stack(places)});
  return result;
}

}  // namespace

std::string uri_of(const std::string& path) {
  constexpr std::string_view kPlain = "-._~/";
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                          (c >= 'a' && c <= 'z') || kPlain.find(c) != std::string_view::npos;
    uri += is_plain ? std::string(1, c) : fmt::format("%{:02X}", uint8_t(c));
  }
  return uri;
}

json sarif_of(const std::vector<Fault>& faults, const SourceLines& lines) {
  json results = json::array();
  for (const Fault& fault : faults) results.push_back(result(fault, lines));
  const int code = exit_code(faults);
  std::error_code error;
  const std::string folder = std::filesystem::current_path(error).string();
  json run{
      {"tool", {{"driver", {{"name", "vinci"}, {"version", VINCI_VERSION}, {"rules", rules()}}}}},
      {"invocations", {{{"executionSuccessful", code != 5}, {"exitCode", code}}}},
      {"results", results}};
  if (!folder.empty()) {
    run["originalUriBaseIds"] = {{kRoot, {{"uri", uri_of(folder == "/" ? folder : folder + "/")}}}};
  }
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", json::array({run})}};
}

}  // namespace vinci
