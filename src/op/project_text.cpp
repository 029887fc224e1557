#include "op/project_text.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "op/error.h"
#include "op/names.h"

namespace vinci::op {
namespace {

using nlohmann::json;

[[noreturn]] void tell_wrong(const std::string& text) { throw Error(Error::Kind::kCall, text); }

std::string string_of(const json& object, const char* name, const std::string& place) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (!object.is_object() || found == object.end() || !found->is_string()) {
    tell_wrong(fmt::format("{} has no {}", place, name));
  }
  return *found;
}

// A string that names something in C++, and a file.
std::string name_of(const json& object, const char* name, const std::string& place) {
  const std::string said = string_of(object, name, place);
  const auto fits = [](unsigned char c) { return c < 128 && (std::isalnum(c) != 0 || c == '_'); };
  if (said.empty() || std::isdigit(static_cast<unsigned char>(said[0])) != 0 ||
      !std::ranges::all_of(said, fits)) {
    tell_wrong(
        fmt::format("{}: {} {}; legal: letters, digits and _, no digit first", place, name, said));
  }
  return said;
}

// A name alone is a list of one.
std::vector<std::string> strings_of(const json& object, const char* name,
                                    const std::string& place) {
  const json list = object.is_object() ? object.value(name, json()) : json();
  if (list.is_string()) return {list.get<std::string>()};
  std::vector<std::string> names;
  for (const json& each : list.is_array() ? list : json::array()) {
    if (!each.is_string()) tell_wrong(fmt::format("{}: {} has what is no name", place, name));
    names.push_back(each);
  }
  if (names.empty()) tell_wrong(fmt::format("{} has no {}", place, name));
  return names;
}

std::string type_text(const std::string& name, const std::string& place) {
  const std::string shorter = lowered(name);
  const int type = type_named(shorter == "fp16" || shorter == "half" ? "float16"
                              : shorter == "fp32"                    ? "float"
                              : shorter == "bfloat16"                ? "bf16"
                                                                     : name);
  if (type < 0) tell_wrong(fmt::format("{}: type {} is none", place, name));
  return "ge::DT_" + type_constant(type);
}

std::string format_text(const std::string& name, const std::string& place) {
  if (format_named(name) < 0) tell_wrong(fmt::format("{}: format {} is none", place, name));
  return "ge::FORMAT_" + name;
}

std::string parameter_kind(const json& one, const std::string& place) {
  const json said = one.value("param_type", json("required"));
  const std::string kind = lowered(said.is_string() ? said.get<std::string>() : said.dump());
  if (kind != "required" && kind != "optional" && kind != "dynamic") {
    tell_wrong(fmt::format("{}: param_type {}; legal: required, optional, dynamic", place, kind));
  }
  return kind == "required" ? "REQUIRED" : kind == "optional" ? "OPTIONAL" : "DYNAMIC";
}

struct DescribedParameter {
  std::string name, kind;
  std::vector<std::string> types, formats;
};

std::vector<DescribedParameter> parameters_of(const json& one, const char* list,
                                              const std::string& op) {
  std::vector<DescribedParameter> parameters;
  for (const json& said : one.value(list, json::array())) {
    const std::string number = fmt::format("{}, {} {}", op, list, parameters.size());
    DescribedParameter parameter{
        .name = name_of(said, "name", number), .kind = {}, .types = {}, .formats = {}};
    const std::string place = fmt::format("{}, {}", op, parameter.name);
    parameter.kind = parameter_kind(said, place);
    for (const std::string& type : strings_of(said, "type", place)) {
      parameter.types.push_back(type_text(type, place));
    }
    for (const std::string& format : strings_of(said, "format", place)) {
      parameter.formats.push_back(format_text(format, place));
    }
    if (parameter.formats.size() == 1) {
      parameter.formats.resize(parameter.types.size(), parameter.formats.front());
    }
    if (parameter.types.size() != parameter.formats.size()) {
      tell_wrong(fmt::format("{} has {} types and {} formats; legal: as many", place,
                             parameter.types.size(), parameter.formats.size()));
    }
    parameters.push_back(parameter);
  }
  return parameters;
}

std::string parameter_lines(const char* side, const DescribedParameter& one) {
  const std::string formats = fmt::format("{{{}}}", fmt::join(one.formats, ", "));
  return fmt::format(
      "        this->{}(\"{}\")\n"
      "            .ParamType({})\n"
      "            .DataType({{{}}})\n"
      "            .Format({})\n"
      "            .UnknownShapeFormat({});\n",
      side, one.name, one.kind, fmt::join(one.types, ", "), formats, formats);
}

struct AttributeKind {
  const char *said, *method;
  bool text = false;
};
constexpr AttributeKind kAttributeKinds[] = {{"int", "Int"},
                                             {"float", "Float"},
                                             {"bool", "Bool"},
                                             {"string", "String", true},
                                             {"str", "String", true},
                                             {"list_int", "ListInt"},
                                             {"listint", "ListInt"},
                                             {"list_float", "ListFloat"},
                                             {"listfloat", "ListFloat"},
                                             {"list_bool", "ListBool"},
                                             {"listbool", "ListBool"}};

// In C++: a list's brackets, which may be missing, are braces there.
std::string value_text(const json& value, const AttributeKind& kind) {
  std::string words = value.is_string() ? value.get<std::string>() : value.dump();
  if (kind.text) return json(words).dump();
  for (char& c : words) c = c == '[' ? '{' : c == ']' ? '}' : c;
  const bool is_list = std::string_view(kind.method).starts_with("List");
  if (is_list && !words.empty() && words.front() != '{') return "{" + words + "}";
  return words == "True" ? "true" : words == "False" ? "false" : words;
}

std::string attribute_line(const json& one, const std::string& op) {
  const std::string name = name_of(one, "name", op + ", an attribute");
  const std::string place = fmt::format("{}, {}", op, name),
                    type = lowered(string_of(one, "type", place));
  const auto* kind = std::ranges::find(kAttributeKinds, type, &AttributeKind::said);
  if (kind == std::end(kAttributeKinds)) {
    tell_wrong(
        fmt::format("{}: type {}; legal: int, float, bool, string, list_int, list_float, "
                    "list_bool",
                    place, type));
  }
  const bool optional = parameter_kind(one, place) == "OPTIONAL";
  const std::string value = optional ? value_text(one.value("default_value", json("")), *kind) : "";
  return fmt::format("        this->Attr(\"{}\").AttrType({}).{}({});\n", name,
                     optional ? "OPTIONAL" : "REQUIRED", kind->method, value);
}

constexpr const char* kHost = R"(#include "../op_kernel/@snake@_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {
static ge::graphStatus TilingFunc(gert::TilingContext* context)
{
    auto* tiling = context->GetTilingData<@Op@TilingData>();
    tiling->size = context->GetInputShape(0)->GetOriginShape().GetShapeSize();
    context->SetBlockDim(1);
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ge {
static ge::graphStatus InferShape(gert::InferShapeContext* context)
{
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}
static ge::graphStatus InferDataType(gert::InferDataTypeContext* context)
{
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return GRAPH_SUCCESS;
}
}  // namespace ge

namespace ops {
class @Op@ : public OpDef {
public:
    explicit @Op@(const char* name) : OpDef(name)
    {
@parameters@        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::TilingFunc);
@configurations@    }
};
OP_ADD(@Op@);
}  // namespace ops
)";

constexpr const char* kTiling = R"(#ifndef @OP@_TILING_H
#define @OP@_TILING_H
#include <cstdint>

struct @Op@TilingData {
    uint32_t size;
};
#endif
)";

constexpr const char* kKernel = R"(#include "kernel_operator.h"
#include "@snake@_tiling.h"

extern "C" __global__ __aicore__ void @snake@(@arguments@, GM_ADDR workspace, GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(@Op@TilingData);
    GET_TILING_DATA(tilingData, tiling);
    // What the operator computes comes here.
}
)";

constexpr const char* kBuild = R"sh(#!/bin/bash
# Builds the package: build_out/custom_opp_<os>_<processor>.run installs it.
set -e
cd "$(dirname "${BASH_SOURCE[0]}")"
cmake -S . -B build_out --preset=default "$@"
cmake --build build_out --target binary package -j"$(nproc)"
)sh";

constexpr const char* kTop = R"(cmake_minimum_required(VERSION 3.19)
project(opp)
find_package(ASC REQUIRED HINTS ${ASCEND_CANN_PACKAGE_PATH}/compiler/tikcpp/ascendc_kernel_cmake)
set(package_name ${vendor_name})
npu_op_package(${package_name}
    TYPE RUN
    CONFIG
        ENABLE_SOURCE_PACKAGE ${ENABLE_SOURCE_PACKAGE}
        ENABLE_BINARY_PACKAGE ${ENABLE_BINARY_PACKAGE}
        INSTALL_PATH ${CMAKE_BINARY_DIR}/
)
add_subdirectory(op_host)
add_subdirectory(op_kernel)
)";

constexpr const char* kHostLists = R"(aux_source_directory(${CMAKE_CURRENT_SOURCE_DIR} ops_srcs)
npu_op_code_gen(SRC ${ops_srcs} PACKAGE ${package_name} COMPILE_OPTIONS -g OUT_DIR ${ASCEND_AUTOGEN_PATH})

file(GLOB aclnn_srcs ${ASCEND_AUTOGEN_PATH}/aclnn_*.cpp)
npu_op_library(cust_opapi ACLNN ${aclnn_srcs})
npu_op_library(cust_optiling TILING ${ops_srcs})
npu_op_package_add(${package_name} LIBRARY cust_optiling cust_opapi)
)";

constexpr const char* kKernelLists =
    R"(npu_op_kernel_library(ascendc_kernels SRC_BASE ${CMAKE_CURRENT_SOURCE_DIR} TILING_LIBRARY cust_optiling)
npu_op_package_add(${package_name} LIBRARY ascendc_kernels)
)";

std::string with(std::string text, const std::vector<std::pair<std::string, std::string>>& words) {
  for (const auto& [name, value] : words) {
    const std::string mark = "@" + name + "@";
    for (size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size()) {
      text.replace(at, mark.size(), value);
    }
  }
  return text;
}

std::string uppered(std::string text) {
  for (char& c : text) c = char(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::vector<json> described_by_msopgen(const json& description) {
  if (description.is_object()) return {description};
  if (!description.is_array() || description.empty()) tell_wrong("no operator is described");
  return {description.begin(), description.end()};
}

std::vector<ProjectFile> operator_files(const json& one, const std::vector<std::string>& families) {
  const std::string op = name_of(one, "op", "an operator");
  const std::vector<DescribedParameter> inputs = parameters_of(one, "input_desc", op);
  const std::vector<DescribedParameter> outputs = parameters_of(one, "output_desc", op);
  if (inputs.empty() || outputs.empty()) {
    tell_wrong(fmt::format("{} has {} inputs and {} outputs; legal: 1 and more", op, inputs.size(),
                           outputs.size()));
  }
  std::string parameters, configurations;
  std::vector<std::string> arguments;
  for (const auto& [side, list] : {std::pair("Input", &inputs), std::pair("Output", &outputs)}) {
    for (const DescribedParameter& parameter : *list) {
      parameters += parameter_lines(side, parameter);
      const std::string argument = "GM_ADDR " + parameter.name;
      if (std::ranges::find(arguments, argument) == arguments.end()) arguments.push_back(argument);
    }
  }
  for (const json& attribute : one.value("attr", json::array())) {
    parameters += attribute_line(attribute, op);
  }
  for (const std::string& family : families) {
    configurations += fmt::format("        this->AICore().AddConfig(\"{}\");\n", family);
  }
  const std::string file = snake(op);
  const std::vector<std::pair<std::string, std::string>> words = {
      {"Op", op},
      {"snake", file},
      {"OP", uppered(file)},
      {"parameters", parameters},
      {"configurations", configurations},
      {"arguments", fmt::format("{}", fmt::join(arguments, ", "))}};
  return {{"op_host/" + file + ".cpp", with(kHost, words)},
          {"op_kernel/" + file + "_tiling.h", with(kTiling, words)},
          {"op_kernel/" + file + ".cpp", with(kKernel, words)}};
}

std::vector<ProjectFile> project_files(const std::vector<std::string>& families) {
  const auto variable = [](const char* type, const std::string& value) {
    return json{{"type", type}, {"value", value}};
  };
  const json presets = {
      {"version", 1},
      {"cmakeMinimumRequired", {{"major", 3}, {"minor", 19}, {"patch", 0}}},
      {"configurePresets",
       json::array({{{"name", "default"},
                     {"generator", "Unix Makefiles"},
                     {"binaryDir", "${sourceDir}/build_out"},
                     {"cacheVariables",
                      {{"CMAKE_BUILD_TYPE", variable("STRING", "Release")},
                       {"ENABLE_SOURCE_PACKAGE", variable("BOOL", "True")},
                       {"ENABLE_BINARY_PACKAGE", variable("BOOL", "True")},
                       {"ASCEND_COMPUTE_UNIT",
                        variable("STRING", fmt::format("{}", fmt::join(families, ";")))},
                       {"vendor_name", variable("STRING", "customize")},
                       {"ASCEND_CANN_PACKAGE_PATH",
                        variable("PATH", "$env{ASCEND_CANN_PACKAGE_PATH}")}}}}})}};
  return {{"build.sh", kBuild},
          {"CMakeLists.txt", kTop},
          {"CMakePresets.json", presets.dump(4) + "\n"},
          {"op_host/CMakeLists.txt", kHostLists},
          {"op_kernel/CMakeLists.txt", kKernelLists}};
}

}  // namespace vinci::op
