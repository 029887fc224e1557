#include "op/aclnn_text.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "graph/types.h"
#include "op/error.h"
#include "op/names.h"

namespace vinci::op {
namespace {

// A parameter of the C function: what it is called, its C type, since which version.
struct Argument {
  std::string name, type;
  uint32_t version = 0;
};

[[noreturn]] void refuse(const std::string& text) { throw Error(Error::Kind::kLacks, text); }

// The C type of an array that stands for an input whose values tiling depends on.
std::string array_type(const std::string& type, const Parameter& input) {
  static const std::set<int> kIntegers{ge::DT_INT8,  ge::DT_INT16,  ge::DT_INT32,  ge::DT_INT64,
                                       ge::DT_UINT8, ge::DT_UINT16, ge::DT_UINT32, ge::DT_UINT64};
  const auto all = [&](const auto& fits) { return std::ranges::all_of(input.dtypes, fits); };
  if (all([](int dtype) { return dtype == ge::DT_FLOAT; })) return "const aclFloatArray*";
  if (all([](int dtype) { return dtype == ge::DT_BOOL; })) return "const aclBoolArray*";
  if (all([](int dtype) { return kIntegers.contains(dtype); })) return "const aclIntArray*";
  refuse(
      fmt::format("{}: input {} has ValueDepend and types that no array of aclnn holds; legal: "
                  "all DT_FLOAT, all DT_BOOL, or integers",
                  type, input.name));
}

const Chip& first_chip(const Definition& definition) {
  if (definition.chips.empty())
    refuse(fmt::format("{}: no AddConfig names a chip", definition.type));
  return definition.chips.begin()->second;
}

// Makes the parameters of one operator's functions.
class Maker {
 public:
  Maker(const Definition& definition, const AclnnOptions& options)
      : definition_(definition),
        chip_(first_chip(definition)),
        options_(options),
        type_(definition.type),
        writes_shapes_(std::ranges::any_of(chip_.outputs, &Parameter::shape_from_kernel)) {}

  AclnnText make() const {
    std::set<uint32_t> versions{0};
    for (const Parameter& input : chip_.inputs) versions.insert(input.version);
    for (const Attribute& attribute : definition_.attributes) versions.insert(attribute.version);
    std::string header, source;
    for (const uint32_t version : versions) {
      add_prepare(header, source, version, true, "");
      add_run(header, source, version);
    }
    if (std::ranges::any_of(chip_.inputs, &Parameter::value_depend)) {
      add_prepare(header, source, 0, false, "Tensor");
    }
    const std::string name = options_.file_prefix + "_" + snake(type_);
    return {name, header_of(name, header), source_of(name, source)};
  }

 private:
  Argument input(const Parameter& one, bool arrays) const {
    const bool in_place = chip_.output(one.name) != nullptr;
    std::string name = camel(one.name);
    if (in_place) name += "Ref";
    if (one.absent_allowed()) name += "Optional";
    const std::string is_const = in_place || writes_shapes_ ? "" : "const ";
    std::string type = is_const + (one.dynamic() ? "aclTensorList*" : "aclTensor*");
    if (!one.scalar.empty()) {
      type = one.scalar == "list" ? "const aclScalarList*" : "const aclScalar*";
    } else if (one.value_depend && arrays) {
      type = array_type(type_, one);
    }
    return {name, type, one.version};
  }

  Argument attribute(const Attribute& one) const {
    static const std::map<std::string, std::string> kTypes{{"bool", "bool"},
                                                           {"int", "int64_t"},
                                                           {"float", "double"},
                                                           {"string", "char*"},
                                                           {"list_bool", "const aclBoolArray*"},
                                                           {"list_int", "const aclIntArray*"},
                                                           {"list_float", "const aclFloatArray*"}};
    const auto type = kTypes.find(one.type);
    if (type == kTypes.end()) {
      refuse(fmt::format("{}: attribute {} is a {}, which aclnn has no parameter for", type_,
                         one.name, one.type));
    }
    std::string name = camel(one.name);
    if (!one.required && type->second.ends_with('*')) name += "Optional";
    return {name, type->second, one.version};
  }

  Argument output(const Parameter& one) const {
    std::string name = chip_.outputs.size() > 1 ? camel(one.name) + "Out" : "out";
    if (one.kind == Kind::kOptional) name += "Optional";
    const std::string is_const = writes_shapes_ ? "" : "const ";
    return {name, is_const + (one.dynamic() ? "aclTensorList*" : "aclTensor*"), 0};
  }

  std::vector<Argument> arguments(bool arrays) const {
    std::vector<Argument> all;
    for (const Parameter& one : chip_.inputs) all.push_back(input(one, arrays));
    for (const Attribute& one : definition_.attributes) {
      if (!one.is_private) all.push_back(attribute(one));
    }
    for (const Parameter& one : chip_.outputs) {
      if (chip_.input(one.name) == nullptr) all.push_back(output(one));
    }
    return all;
  }

  std::string function(uint32_t version) const {
    return options_.function_prefix + type_ + (version > 0 ? fmt::format("V{}", version) : "");
  }

  // The first phase of one version.
  void add_prepare(std::string& header, std::string& source, uint32_t version, bool arrays,
                   const char* infix) const {
    const std::string name = function(version) + infix + "GetWorkspaceSize";
    std::string declared, passed;
    for (const Argument& argument : arguments(arrays)) {
      const bool is_there = argument.version <= version;
      if (is_there) declared += fmt::format("{} {}, ", argument.type, argument.name);
      passed += is_there ? fmt::format("      vinci::op::argument({}),\n", argument.name)
                         : "      vinci::op::absent(),\n";
    }
    declared += "uint64_t* workspaceSize, aclOpExecutor** executor";
    header += fmt::format("VINCI_ACLNN aclnnStatus {}({});\n", name, declared);
    source += fmt::format(
        "aclnnStatus {0}({1}) {{\n"
        "  const vinci::op::AclnnArgument arguments[] = {{\n{2}      vinci::op::absent()}};\n"
        "  return vinci_aclnn_prepare(&kOperator, \"{0}\", arguments,\n"
        "                             sizeof(arguments) / sizeof(arguments[0]) - 1, "
        "workspaceSize,\n"
        "                             executor);\n}}\n",
        name, declared, passed);
  }

  void add_run(std::string& header, std::string& source, uint32_t version) const {
    const std::string name = function(version);
    const std::string declared =
        "void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream";
    header += fmt::format("VINCI_ACLNN aclnnStatus {}({});\n", name, declared);
    source += fmt::format(
        "aclnnStatus {0}({1}) {{\n"
        "  return vinci_aclnn_run(\"{0}\", workspace, workspaceSize, executor, stream);\n}}\n",
        name, declared);
  }

  std::string header_of(const std::string& name, const std::string& functions) const {
    std::string guard = name + "_H";
    std::ranges::transform(guard, guard.begin(),
                           [](unsigned char c) { return char(std::toupper(c)); });
    return fmt::format(
        "/* The operator {0}. */\n#ifndef {1}\n#define {1}\n\n#include \"aclnn/acl_meta.h\"\n\n"
        "#ifndef VINCI_ACLNN\n#define VINCI_ACLNN "
        "__attribute__((visibility(\"default\")))\n#endif\n\n"
        "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{2}\n#ifdef "
        "__cplusplus\n}}\n#endif\n\n#endif\n",
        type_, guard, functions);
  }

  std::string source_of(const std::string& name, const std::string& functions) const {
    std::string all, built;
    for (const auto& [chip, config] : definition_.chips) {
      all += (all.empty() ? "" : " ") + chip;
      if (std::ranges::find(options_.chips, chip) == options_.chips.end()) continue;
      built += (built.empty() ? "" : " ") + chip;
    }
    const std::string& chips = built.empty() ? all : built;
    // Reports name the line that called these functions, as that of all calls of vinci's headers.
    return fmt::format(
        "#line 1 \"/include/vinci/op/{1}.cpp\"\n// The operator {0}.\n#include "
        "\"{1}.h\"\n\n#include \"vinci/op/aclnn.h\"\n\n"
        "static const vinci::op::AclnnOperator kOperator = {{\"{0}\", {2}, \"{3}\"}};\n"
        "__attribute__((constructor)) static void say_chips() {{ "
        "vinci_aclnn_chips(kOperator.chips); }}\n\nextern \"C\" {{\n\n{4}\n}}\n",
        type_, name, nlohmann::json(options_.library).dump(), chips, functions);
  }

  const Definition& definition_;
  const Chip& chip_;
  const AclnnOptions& options_;
  const std::string type_;
  const bool writes_shapes_;
};

}  // namespace

AclnnText aclnn_text(const Definition& definition, const AclnnOptions& options) {
  return Maker(definition, options).make();
}

}  // namespace vinci::op
