#include "op/ops_info.h"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "op/kernel_request.h"
#include "op/names.h"

namespace vinci::op {
namespace {

const char* kind_name(const Parameter& parameter) {
  if (parameter.dynamic()) return "dynamic";
  return parameter.absent_allowed() ? "optional" : "required";
}

void add_parameters(const char* side, const std::vector<Parameter>& parameters, std::string& text) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& one = parameters[i];
    std::vector<std::string> types, formats;
    for (const int type : one.dtypes) types.push_back(type_name(type));
    for (const int format : one.formats) formats.push_back(format_name(format));
    text += fmt::format(
        "{0}{1}.name={2}\n{0}{1}.dtype={3}\n{0}{1}.format={4}\n"
        "{0}{1}.unknownshape_format={4}\n{0}{1}.shape=all\n{0}{1}.paramType={5}\n",
        side, i, one.name, fmt::join(types, ","), fmt::join(formats, ","), kind_name(one));
    if (one.value_depend) text += fmt::format("{}{}.valueDepend=required\n", side, i);
  }
}

void add_attributes(const std::vector<Attribute>& attributes, std::string& text) {
  static const std::map<std::string, std::string> kTypes{{"string", "str"},
                                                         {"list_bool", "listBool"},
                                                         {"list_int", "listInt"},
                                                         {"list_float", "listFloat"},
                                                         {"list_list_int", "listListInt"}};
  std::vector<std::string> names;
  for (const Attribute& one : attributes) {
    if (!one.is_private) names.push_back(one.name);
  }
  if (names.empty()) return;
  text += fmt::format("attr.list={}\n", fmt::join(names, ","));
  for (const Attribute& one : attributes) {
    if (one.is_private) continue;
    const auto type = kTypes.find(one.type);
    text += fmt::format("attr_{0}.type={1}\nattr_{0}.value=all\nattr_{0}.paramType={2}\n", one.name,
                        type == kTypes.end() ? one.type : type->second,
                        one.required ? "required" : "optional");
    if (one.required) continue;
    text += fmt::format("attr_{}.defaultValue={}\n", one.name,
                        one.value.is_string() ? one.value.get<std::string>() : one.value.dump());
  }
}

}  // namespace

std::string ops_info(const std::vector<Operator>& operators, const std::string& chip) {
  std::string text;
  for (const Operator& one : operators) {
    const auto found = one.definition.chips.find(chip);
    if (found == one.definition.chips.end()) continue;
    const Chip& on = found->second;
    text += fmt::format("[{}]\n", one.definition.type);
    add_parameters("input", on.inputs, text);
    add_parameters("output", on.outputs, text);
    add_attributes(one.definition.attributes, text);
    for (const char* flag :
         {"dynamicCompileStatic", "dynamicFormat", "dynamicRankSupport", "dynamicShapeSupport"}) {
      text += fmt::format("{}.flag=true\n", flag);
    }
    text +=
        fmt::format("opFile.value={}\nopInterface.value={}\n", kernel_file_name(one.definition, on),
                    kernel_function_name(one.definition, on));
  }
  return text;
}

}  // namespace vinci::op
