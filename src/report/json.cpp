// JSON forms of a fault.
#include "report/json.h"

#include <algorithm>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace vinci {
namespace {

nlohmann::json json_of(const std::vector<SourceLine>& lines) {
  nlohmann::json places = nlohmann::json::array();
  for (const SourceLine& line : lines) {
    places.push_back({{"file", line.file}, {"line", line.line}, {"function", line.function}});
  }
  return places;
}

}  // namespace

nlohmann::json json_of(const Fault& fault, const SourceLines& lines) {
  nlohmann::json places = nlohmann::json::array();
  if (fault.line != 0) places.push_back({{"file", fault.file}, {"line", fault.line}});
  for (auto& place : json_of(lines.kernel_lines(fault.frames))) places.push_back(std::move(place));
  nlohmann::json other;
  if (!fault.other.empty()) {
    other = {{"what", fault.other}, {"lines", json_of(lines.kernel_lines(fault.other_frames))}};
  }
  nlohmann::json also = nlohmann::json::array();
  for (const Fault::Place& place : fault.also) {
    also.push_back({{"what", place.what}, {"lines", json_of(lines.kernel_lines(place.frames))}});
  }
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
          {"lines", places},
          {"other", other},
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
          {"other", fault.other},
          {"other_frames", fault.other_frames},
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
  fault.other = wire.at("other");
  fault.other_frames = wire.at("other_frames").get<std::vector<uint64_t>>();
  for (const nlohmann::json& place : wire.at("also")) {
    fault.also.push_back({place.at(0), place.at(1).get<std::vector<uint64_t>>()});
  }
  return fault;
}

}  // namespace vinci
