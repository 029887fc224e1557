#include "op/aclnn_text.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

namespace vinci::op {
namespace {

using Json = nlohmann::json;

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
char upper(char c) { return char(std::toupper(static_cast<unsigned char>(c))); }
char lower(char c) { return char(std::tolower(static_cast<unsigned char>(c))); }

// A parameter of the C function: what it is called, its C type, since which version.
struct Parameter {
  std::string name, type;
  int version = 0;
};

bool is_named(const Json& list, const std::string& name) {
  return std::ranges::any_of(list, [&](const Json& one) { return one["name"] == name; });
}

bool is_kind(const Json& parameter, const char* kind) { return parameter["kind"] == kind; }

// The C type of an array that stands for an input whose values tiling depends on.
std::string array_type(const std::string& type, const Json& input) {
  constexpr int kFloat = 0, kBool = 12;
  static const std::set<int> kIntegers{2, 3, 4, 6, 7, 8, 9, 10};
  const auto all = [&](const auto& fits) {
    return std::ranges::all_of(input["dtypes"], [&](const Json& one) { return fits(int(one)); });
  };
  if (all([](int dtype) { return dtype == kFloat; })) return "const aclFloatArray*";
  if (all([](int dtype) { return dtype == kBool; })) return "const aclBoolArray*";
  if (all([](int dtype) { return kIntegers.contains(dtype); })) return "const aclIntArray*";
  throw std::invalid_argument(
      fmt::format("{}: input {} has ValueDepend and a list of types that no array of aclnn holds; "
                  "legal: all DT_FLOAT, all DT_BOOL, or integers",
                  type, std::string(input["name"])));
}

// Makes the parameters of one operator's functions.
class Maker {
 public:
  Maker(const Json& definition, const AclnnOptions& options)
      : definition_(definition), options_(options), type_(definition["type"]) {
    depends_ = std::ranges::any_of(definition["outputs"], [](const Json& output) {
      return output.value("shape_depends_on_compute", false);
    });
  }

  AclnnText make() {
    for (const auto& input : definition_["inputs"]) {
      versions_.insert(input.value("version", 0));
      takes_values_ |= takes_values(input);
    }
    for (const auto& attribute : definition_["attributes"]) {
      versions_.insert(attribute.value("version", 0));
    }
    versions_.insert(0);
    std::string header, source;
    for (const int version : versions_) {
      add(header, source, version, true);
    }
    if (takes_values_) add_prepare(header, source, 0, false, "Tensor");
    const std::string name = options_.file_prefix + "_" + snake_name(type_);
    return {name, header_of(name, header), source_of(name, source)};
  }

 private:
  static bool takes_values(const Json& input) { return input.value("value_depend", false); }

  Parameter input(const Json& one, bool arrays) const {
    const std::string own = one["name"];
    const bool in_place = is_named(definition_["outputs"], own);
    std::string name = camel_name(own);
    if (in_place) name += "Ref";
    if (is_kind(one, "optional") || is_kind(one, "virtual")) name += "Optional";
    const std::string is_const = in_place || depends_ ? "" : "const ";
    const std::string scalar = one.value("scalar", "");
    std::string type = is_const + "aclTensor*";
    if (scalar == "list") {
      type = "const aclScalarList*";
    } else if (!scalar.empty()) {
      type = "const aclScalar*";
    } else if (takes_values(one) && arrays) {
      type = array_type(type_, one);
    } else if (is_kind(one, "dynamic")) {
      type = is_const + "aclTensorList*";
    }
    return {name, type, one.value("version", 0)};
  }

  Parameter attribute(const Json& one) const {
    const std::string kind = one["type"];
    std::string name = camel_name(one["name"]);
    const bool is_list = kind.starts_with("list");
    if (!one.value("required", true) && (is_list || kind == "string")) name += "Optional";
    const int version = one.value("version", 0);
    if (kind == "bool") return {name, "bool", version};
    if (kind == "int") return {name, "int64_t", version};
    if (kind == "float") return {name, "double", version};
    if (kind == "string") return {name, "char*", version};
    if (kind == "list_bool") return {name, "const aclBoolArray*", version};
    if (kind == "list_int") return {name, "const aclIntArray*", version};
    if (kind == "list_float") return {name, "const aclFloatArray*", version};
    throw std::invalid_argument(fmt::format(
        "{}: attribute {} is a {}, which aclnn has no parameter for", type_, std::string(one["name"]),
        kind));
  }

  Parameter output(const Json& one) const {
    std::string name = "out";
    if (definition_["outputs"].size() > 1) name = camel_name(one["name"]) + "Out";
    if (is_kind(one, "optional")) name += "Optional";
    const std::string is_const = depends_ ? "" : "const ";
    return {name, is_const + (is_kind(one, "dynamic") ? "aclTensorList*" : "aclTensor*"), 0};
  }

  std::vector<Parameter> parameters(bool arrays) const {
    std::vector<Parameter> all;
    for (const auto& one : definition_["inputs"]) all.push_back(input(one, arrays));
    for (const auto& one : definition_["attributes"]) all.push_back(attribute(one));
    for (const auto& one : definition_["outputs"]) {
      if (!is_named(definition_["inputs"], one["name"])) all.push_back(output(one));
    }
    return all;
  }

  std::string function(int version) const {
    return options_.function_prefix + type_ + (version > 0 ? fmt::format("V{}", version) : "");
  }

  // The first phase of one version.
  void add_prepare(std::string& header, std::string& source, int version, bool arrays,
                   const char* infix) const {
    const std::string name = function(version) + infix + "GetWorkspaceSize";
    std::string declared, passed;
    for (const Parameter& parameter : parameters(arrays)) {
      const bool is_there = parameter.version <= version;
      if (is_there) declared += fmt::format("{} {}, ", parameter.type, parameter.name);
      passed += is_there ? fmt::format("      vinci::op::argument({}),\n", parameter.name)
                         : "      vinci::op::absent(),\n";
    }
    declared += "uint64_t* workspaceSize, aclOpExecutor** executor";
    header += fmt::format("VINCI_ACLNN aclnnStatus {}({});\n", name, declared);
    source += fmt::format(
        "aclnnStatus {0}({1}) {{\n"
        "  const vinci::op::AclnnArgument arguments[] = {{\n{2}      vinci::op::absent()}};\n"
        "  return vinci_aclnn_prepare(&kOperator, \"{0}\", arguments,\n"
        "                             sizeof(arguments) / sizeof(arguments[0]) - 1, workspaceSize,\n"
        "                             executor);\n}}\n",
        name, declared, passed);
  }

  void add(std::string& header, std::string& source, int version, bool arrays) const {
    add_prepare(header, source, version, arrays, "");
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
    std::ranges::transform(guard, guard.begin(), upper);
    return fmt::format(
        "/* The operator {0}. */\n#ifndef {1}\n#define {1}\n\n#include \"aclnn/acl_meta.h\"\n\n"
        "#ifndef VINCI_ACLNN\n#define VINCI_ACLNN __attribute__((visibility(\"default\")))\n#endif\n\n"
        "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{2}\n#ifdef __cplusplus\n}}\n#endif\n\n#endif\n",
        type_, guard, functions);
  }

  std::string source_of(const std::string& name, const std::string& functions) const {
    std::string chips;
    for (const auto& [chip, config] : definition_["chips"].items()) {
      chips += (chips.empty() ? "" : " ") + chip;
    }
    return fmt::format(
        "// The operator {0}.\n#include \"{1}.h\"\n\n#include \"vinci/op/aclnn.h\"\n\n"
        "static const vinci::op::AclnnOperator kOperator = {{\"{0}\", {2}, \"{3}\"}};\n"
        "__attribute__((constructor)) static void say_chips() {{ "
        "vinci_aclnn_chips(kOperator.chips); }}\n\nextern \"C\" {{\n\n{4}\n}}\n",
        type_, name, Json(options_.library).dump(), chips, functions);
  }

  const Json& definition_;
  const AclnnOptions& options_;
  const std::string type_;
  bool depends_ = false, takes_values_ = false;
  std::set<int> versions_;
};

}  // namespace

AclnnText aclnn_text(const Json& definition, const AclnnOptions& options) {
  return Maker(definition, options).make();
}

std::string snake_name(const std::string& type) {
  std::string name;
  for (size_t i = 0; i < type.size(); ++i) {
    const char c = type[i];
    if (i > 0 && is_upper(c) && name.back() != '_') {
      const bool ends_word = !is_upper(type[i - 1]);
      const bool begins_word = i + 1 < type.size() && is_lower(type[i + 1]);
      if (ends_word || begins_word) name += '_';
    }
    name += lower(c);
  }
  return name;
}

std::string camel_name(const std::string& name) {
  std::string camel;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '_' && i + 1 < name.size()) {
      camel += upper(name[++i]);
    } else {
      camel += i == 0 ? lower(name[i]) : name[i];
    }
  }
  return camel;
}

}  // namespace vinci::op
