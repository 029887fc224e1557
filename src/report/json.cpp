// JSON forms of a fault.
#include "report/json.h"

#include <algorithm>
#include <stdexcept>

#include <nlohmann/json.hpp>

#include "report/places.h"

namespace vinci {
namespace {

nlohmann::json json_of(const std::vector<SourceLine>& lines) {
  nlohmann::json places = nlohmann::json::array();
  for (const SourceLine& line : lines) {
    nlohmann::json place = {{"file", line.file}, {"line", line.line}};
    if (!line.function.empty()) place["function"] = line.function;
    places.push_back(std::move(place));
  }
  return places;
}

}  // namespace

nlohmann::json json_of(const Fault& fault, const SourceLines& lines) {
  const auto of_place = [&](const Fault::Place& place) {
    return nlohmann::json{{"what", place.what}, {"lines", json_of(places_of(place, lines))}};
  };
  nlohmann::json also = nlohmann::json::array();
  for (const Fault::Place& place : fault.also) also.push_back(of_place(place));
  return {{"code", to_string(fault.code)},
          {"class", name_of(fault.entry().kind)},
          {"severity", fault.entry().warning ? "warning" : "error"},
          {"title", fault.entry().title},
          {"message", fault.message},
          {"legal", fault.legal},
          {"block", fault.block},
          {"core", fault.core},
          {"sub_block", fault.sub_block < 0 ? nlohmann::json() : nlohmann::json(fault.sub_block)},
          {"pipe", fault.pipe},
          {"instruction", fault.instruction},
          {"serial", fault.serial},
          {"count", fault.count},
          {"suppressed",
           fault.suppressed.empty() ? nlohmann::json() : nlohmann::json(fault.suppressed)},
          {"lines", json_of(places_of(fault, lines))},
          {"other", fault.other.what.empty() ? nlohmann::json() : of_place(fault.other)},
          {"also", also}};
}

nlohmann::json to_wire(const Fault& fault) {
  nlohmann::json also = nlohmann::json::array();
  for (const Fault::Place& place : fault.also) also.push_back({place.what, place.frames});
  return {{"code", int(fault.code)},
          {"message", fault.message},
          {"legal", fault.legal},
          {"block", fault.block},
          {"core", fault.core},
          {"sub_block", fault.sub_block},
          {"pipe", fault.pipe},
          {"serial", fault.serial},
          {"instruction", fault.instruction},
          {"count", fault.count},
          {"frames", fault.frames},
          {"other", fault.other.what},
          {"other_frames", fault.other.frames},
          {"also", also}};
}

Fault from_wire(const nlohmann::json& wire) {
  Fault fault;
  fault.code = Code(wire.at("code").get<int>());
  const auto& table = code_table();
  if (std::ranges::find(table, fault.code, &CodeEntry::code) == table.end()) {
    throw std::out_of_range("no code of a fault");
  }
  fault.message = wire.at("message");
  fault.legal = wire.at("legal");
  fault.block = wire.at("block");
  fault.core = wire.at("core");
  fault.sub_block = wire.at("sub_block");
  fault.pipe = wire.at("pipe");
  fault.serial = wire.at("serial");
  fault.instruction = wire.at("instruction");
  fault.count = wire.at("count");
  fault.frames = wire.at("frames").get<std::vector<uint64_t>>();
  fault.other.what = wire.at("other");
  fault.other.frames = wire.at("other_frames").get<std::vector<uint64_t>>();
  for (const nlohmann::json& place : wire.at("also")) {
    fault.also.push_back({place.at(0), place.at(1).get<std::vector<uint64_t>>(), "", 0});
  }
  return fault;
}

}  // namespace vinci
