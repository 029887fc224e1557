#include "cli/op_tables.h"

#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/error.h"
#include "op/names.h"

namespace vinci::cli {
namespace {

using nlohmann::json;

const char* name_of(op::Kind kind) {
  switch (kind) {
    case op::Kind::kOptional: return "optional";
    case op::Kind::kDynamic: return "dynamic";
    case op::Kind::kVirtual: return "virtual";
    case op::Kind::kIgnore: return "ignored";
    default: return "";
  }
}

void print_parameters(const char* what, const std::vector<op::Parameter>& parameters) {
  for (const op::Parameter& parameter : parameters) {
    std::vector<std::string> types;
    for (size_t row = 0; row < parameter.dtypes.size(); ++row) {
      const std::string format = op::format_name(parameter.formats[row]);
      types.push_back(op::type_name(parameter.dtypes[row]) + (format == "ND" ? "" : " " + format));
    }
    fmt::print("    {:<7} {:<16} {:<9} {}{}\n", what, parameter.name, name_of(parameter.kind),
               fmt::join(types, ", "), parameter.value_depend ? " (its values tile)" : "");
  }
}

template <class T>
T load(const std::vector<uint8_t>& data, uint64_t at) {
  T value{};
  if (at + sizeof(T) <= data.size()) std::memcpy(&value, data.data() + at, sizeof(T));
  return value;
}

std::string element(const std::vector<uint8_t>& data, const std::string& type, uint64_t at) {
  if (type == "int8_t") return fmt::format("{}", int(load<int8_t>(data, at)));
  if (type == "uint8_t") return fmt::format("{}", unsigned(load<uint8_t>(data, at)));
  if (type == "int16_t") return fmt::format("{}", load<int16_t>(data, at));
  if (type == "uint16_t") return fmt::format("{}", load<uint16_t>(data, at));
  if (type == "int32_t" || type == "int") return fmt::format("{}", load<int32_t>(data, at));
  if (type == "uint32_t") return fmt::format("{}", load<uint32_t>(data, at));
  if (type == "int64_t") return fmt::format("{}", load<int64_t>(data, at));
  if (type == "uint64_t") return fmt::format("{}", load<uint64_t>(data, at));
  if (type == "float") return fmt::format("{}", load<float>(data, at));
  if (type == "double") return fmt::format("{}", load<double>(data, at));
  if (type == "bool") return load<uint8_t>(data, at) != 0 ? "true" : "false";
  return "?";
}

uint64_t bytes_of(const std::string& type) {
  if (type.ends_with("8_t") || type == "bool") return 1;
  if (type.ends_with("16_t")) return 2;
  return type.ends_with("64_t") || type == "double" ? 8 : 4;
}

void print_fields(const json& of, const std::vector<uint8_t>& data, uint64_t start,
                  const std::string& path) {
  for (const json& field : of.at("fields")) {
    const std::string name = field.at("name"), type = field.at("type");
    const uint64_t at = start + field.at("offset").get<uint64_t>();
    if (field.value("is_class", false)) {
      print_fields(field, data, at, path + name + ".");
      continue;
    }
    if (field.value("padding", false)) continue;
    std::vector<std::string> values;
    const uint64_t count = field.value("count", uint64_t{1});
    for (uint64_t i = 0; i < count; ++i)
      values.push_back(element(data, type, at + i * bytes_of(type)));
    fmt::print("  {:>5}  {:<24} {:<9} {}\n", at, path + name, type, fmt::join(values, " "));
  }
}

// As words, where nobody knows the fields' names.
void print_words(const std::vector<uint8_t>& data) {
  for (uint64_t at = 0; at < data.size(); at += 4) {
    fmt::print("  {:>5}  {:#010x} {:>12} {:>14}\n", at, load<uint32_t>(data, at),
               load<int32_t>(data, at), load<float>(data, at));
  }
}

}  // namespace

int list_operators(const launch::Package& package, const std::string& only) {
  if (!only.empty()) package.find(only);
  for (const auto& [type, definition] : package.operators()) {
    if (!only.empty() && type != only) continue;
    fmt::print("{}\n", type);
    for (const auto& [chip, on] : definition.chips) {
      fmt::print("  {}\n", chip);
      print_parameters("in", on.inputs);
      print_parameters("out", on.outputs);
    }
    for (const op::Attribute& attribute : definition.attributes) {
      if (attribute.is_private) continue;
      fmt::print("    {:<7} {:<16} {:<9} {}\n", "attr", attribute.name, attribute.type,
                 attribute.required ? "required" : "= " + attribute.value.dump());
    }
  }
  return kExitClean;
}

void explain(const launch::Package& package, const op::Definition& definition,
             launch::OperatorRun& run) {
  const json& answer = run.answer();
  if (!answer.contains("tiled")) {
    fmt::print("{}: all outputs are empty, nothing is tiled or launched\n", definition.type);
    return;
  }
  const json& tiled = answer.at("tiled");
  const auto data = tiled.at("data").get<std::vector<uint8_t>>();
  const auto key = tiled.at("key").get<uint64_t>();
  const auto workspaces = tiled.at("workspaces").get<std::vector<uint64_t>>();
  fmt::print(
      "{}: tiling key {}, {} block(s), {} bytes of workspace ({} of the kernel's own), {} "
      "bytes of tiling data\n",
      definition.type, key, tiled.at("blocks").get<uint32_t>(),
      workspaces.empty() ? "no" : fmt::format("{}", fmt::join(workspaces, " + ")),
      run.workspace_bytes(), data.size());
  if (answer.contains("template")) {
    fmt::print("  template arguments: {}\n", answer.at("template").at("names").get<std::string>());
  }
  const json& classes = package.tiling_classes(definition);
  for (const std::string& name : {fmt::format("{}_{}", definition.type, key), definition.type}) {
    const auto found = classes.find(name);
    if (found != classes.end()) return print_fields(*found, data, 0, "");
  }
  const json fields = package.tiling_fields(run.kernel());
  if (!fields.is_null()) return print_fields({{"fields", fields}}, data, 0, "");
  print_words(data);
}

}  // namespace vinci::cli
