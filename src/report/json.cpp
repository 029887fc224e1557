// JSON forms of a fault.
#include "report/json.h"

#include <nlohmann/json.hpp>

namespace vinci {

nlohmann::json json_of(const Fault& fault, const SourceLines& lines) {
  nlohmann::json places = nlohmann::json::array();
  if (fault.line != 0) places.push_back({{"file", fault.file}, {"line", fault.line}});
  for (const SourceLine& line : lines.kernel_lines(fault.frames)) {
    places.push_back({{"file", line.file}, {"line", line.line}, {"function", line.function}});
  }
  return {{"code", to_string(fault.code)},
          {"class", name_of(fault.entry().kind)},
          {"severity", fault.entry().warning ? "warning" : "error"},
          {"title", fault.entry().title},
          {"message", fault.message},
          {"legal", fault.legal},
          {"block", fault.block},
          {"core", fault.core},
          {"pipe", fault.pipe},
          {"instruction", fault.instruction},
          {"serial", fault.serial},
          {"count", fault.count},
          {"lines", places}};
}

nlohmann::json to_wire(const Fault& fault) {
  return {{"code", int(fault.code)}, {"message", fault.message},
          {"legal", fault.legal},    {"block", fault.block},
          {"core", fault.core},      {"pipe", fault.pipe},
          {"serial", fault.serial},  {"instruction", fault.instruction},
          {"count", fault.count},    {"frames", fault.frames}};
}

Fault from_wire(const nlohmann::json& wire) {
  Fault fault;
  fault.code = Code(wire.at("code").get<int>());
  fault.message = wire.at("message");
  fault.legal = wire.at("legal");
  fault.block = wire.at("block");
  fault.core = wire.at("core");
  fault.pipe = wire.at("pipe");
  fault.serial = wire.at("serial");
  fault.instruction = wire.at("instruction");
  fault.count = wire.at("count");
  fault.frames = wire.at("frames").get<std::vector<uint64_t>>();
  return fault;
}

}  // namespace vinci
