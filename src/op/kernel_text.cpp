#include "op/kernel_text.h"

#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/kernel_type.h"
#include "op/kernel_types.h"
#include "op/same_tiling.h"
#include "vinci/op/names.h"

namespace vinci::op {
namespace {

using nlohmann::json;

struct TypeRow {
  int number;
  const char* name;  // of ge::, without DT_
};
constexpr TypeRow kTypes[] = {
#define VINCI_TYPE(name, number, bytes) {number, #name},
    VINCI_GE_TYPES(VINCI_TYPE)
#undef VINCI_TYPE
};
constexpr TypeRow kFormats[] = {
#define VINCI_FORMAT(name, number) {number, #name},
    VINCI_GE_FORMATS(VINCI_FORMAT)
#undef VINCI_FORMAT
};

// The types of kernels that are not their name in small letters with _t behind it.
constexpr struct {
  int number;
  const char* name;
} kKernelTypes[] = {
    {0, "float"},         {1, "half"},        {27, "bfloat16_t"},   {11, "double"},
    {12, "bool"},         {29, "int4b_t"},    {30, "uint1b_t"},     {31, "int2b_t"},
    {33, "complex32"},    {16, "complex64"},  {34, "hifloat8_t"},   {35, "fp8_e5m2_t"},
    {36, "fp8_e4m3fn_t"}, {37, "fp8_e8m0_t"}, {40, "fp4x2_e2m1_t"}, {41, "fp4x2_e1m2_t"},
    {2, "int8_t"},        {3, "int32_t"},     {4, "uint8_t"},       {6, "int16_t"},
    {7, "uint16_t"},      {8, "uint32_t"},    {9, "int64_t"},       {10, "uint64_t"}};

std::string name_in(std::span<const TypeRow> rows, int number, const char* start) {
  for (const TypeRow& row : rows) {
    if (row.number == number) return fmt::format("{}{}", start, row.name);
  }
  return fmt::format("{}", number);
}

// As macros name a parameter: X, or X_REF for an output that is an input, too.
std::string macro_name(const KernelParameter& parameter) {
  std::string name = parameter.name;
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return parameter.is_reference ? name + "_REF" : name;
}

void add_macros(const KernelRequest& request, std::string& text) {
  for (const TypeRow& row : kTypes) text += fmt::format("#define DT_{} {}\n", row.name, row.number);
  for (const TypeRow& row : kFormats) {
    text += fmt::format("#define FORMAT_{} {}\n", row.name, row.number);
  }
  for (const KernelParameter& parameter : request.parameters) {
    const std::string name = macro_name(parameter);
    text +=
        fmt::format("#define DTYPE_{0} {1}\n#define ORIG_DTYPE_{0} {2}\n#define FORMAT_{0} {3}\n",
                    name, kernel_type_of(parameter.dtype), name_in(kTypes, parameter.dtype, "DT_"),
                    name_in(kFormats, parameter.format, "FORMAT_"));
  }
}

// The class that the host has registered for the tiling key, or for all of them; nullptr: none.
const json* own_class(const KernelRequest& request) {
  for (const std::string& key : {fmt::format("{}_{}", request.type, request.key), request.type}) {
    const auto found = request.tiling_classes.find(key);
    if (found != request.tiling_classes.end()) return &*found;
  }
  return nullptr;
}

// Of these the one that GET_TILING_DATA takes. A kernel that names the key's where it reads it
// means the default; one that does not means the key's.
const json* taken_class(const KernelRequest& request, const KernelSource& source) {
  const json* own = own_class(request);
  const auto of_all = request.tiling_classes.find(request.type);
  if (own == nullptr || of_all == request.tiling_classes.end()) return own;
  return source.names_struct(own->at("class")) ? &*of_all : own;
}

const json* class_named(const KernelRequest& request, const std::string& name) {
  for (const json& each : request.tiling_classes) {
    if (each.at("class") == name) return &each;
  }
  return nullptr;
}

// A struct of the same layout, those that it holds before it.
void add_struct(const KernelRequest& request, const json& of, std::set<std::string>& done,
                std::string& text) {
  const std::string name = of.at("class");
  if (!done.insert(name).second) return;
  std::string members;
  for (const json& field : of.at("fields")) {
    const std::string type = field.at("type");
    if (field.value("is_class", false) && class_named(request, type) != nullptr) {
      const json inner = {
          {"class", type}, {"bytes", field.at("bytes")}, {"fields", field.at("fields")}};
      add_struct(request, inner, done, text);
    }
    const uint64_t count = field.value("count", uint64_t{1});
    const bool is_array = field.value("is_array", count != 1);
    members += is_array
                   ? fmt::format("  {} {}[{}];\n", type, field.at("name").get<std::string>(), count)
                   : fmt::format("  {} {};\n", type, field.at("name").get<std::string>());
  }
  text += fmt::format("struct {0} {{\n{1}}};\nstatic_assert(sizeof({0}) == {2});\n", name, members,
                      of.at("bytes").get<uint64_t>());
}

// Whether a class holds one that the package has not registered: a tiling of the library, as
// LayerNormTiling and TCubeTiling.
bool has_library_tiling(const KernelRequest& request) {
  for (const json& each : request.tiling_classes) {
    for (const json& field : each.at("fields")) {
      if (field.value("is_class", false) && class_named(request, field.at("type")) == nullptr) {
        return true;
      }
    }
  }
  return false;
}

void add_tiling(const KernelRequest& request, const KernelSource& source, std::string& text) {
  std::set<std::string> structs;
  // The library has no second one of these names: kernel_tiling/conv3d_tiling.h.
  for (const json& each : request.tiling_classes) {
    text += fmt::format("#undef VINCI_STRUCT_{0}\n#define VINCI_STRUCT_{0}\n",
                        each.at("class").get<std::string>());
  }
  if (has_library_tiling(request)) text += "#include \"kernel_tiling/kernel_tiling.h\"\n";
  // Its own first: another operator's class may have the same name.
  const json* own = own_class(request);
  if (own != nullptr) add_struct(request, *own, structs, text);
  for (const json& each : request.tiling_classes) add_struct(request, each, structs, text);
  std::string of_key = request.tiling_struct;
  if (of_key.empty() && !source.tiling_struct_of(request.key).empty()) {
    of_key = source.default_struct(request.key);
  }
  if (of_key.empty() && !source.registers_default() && own != nullptr) {
    of_key = "::" + taken_class(request, source)->at("class").get<std::string>();
  }
  if (!of_key.empty()) {
    text += fmt::format("#undef VINCI_TILING_STRUCT\n#define VINCI_TILING_STRUCT {}\n", of_key);
  }
  text += same_tiling(own, request, source, structs);
}

std::string kernel_type(const KernelRequest& request, const KernelSource& source) {
  const std::string type = request.kernel_type.empty()
                               ? source.kernel_type(request.function, request.key)
                               : request.kernel_type;
  return block_of_type(type) ? type : "";
}

// The names that the operator gives a kernel's parameters.
std::vector<std::string> wanted_parameters(const KernelRequest& request) {
  std::vector<std::string> names;
  for (const KernelParameter& parameter : request.parameters) {
    names.push_back(parameter.is_reference ? parameter.name + "_ref" : parameter.name);
  }
  if (request.has_shape_buffer) names.push_back("shapes");
  names.insert(names.end(), {"workspace", "tiling"});
  return names;
}

}  // namespace

std::string kernel_type_of(int dtype) {
  for (const auto& [number, name] : kKernelTypes) {
    if (number == dtype) return name;
  }
  return "unknown";
}

std::string entry_name(const KernelRequest& request) { return "vinci_" + request.function; }

std::string mismatch_of(const KernelRequest& request, const KernelSource& source) {
  const auto function = source.function(request.function);
  if (!function) {
    const auto others = source.functions();
    return fmt::format(
        "{} has no kernel {} for {}; it has: {}; legal: that name, or "
        "ExtendCfgInfo(\"opInterface.value\", \"{}\") in the definition",
        request.file, request.function, request.type,
        others.empty() ? "none" : fmt::format("{}", fmt::join(others, ", ")),
        others.empty() ? "NAME" : others.front());
  }
  const auto wanted = wanted_parameters(request);
  if (function->parameters.size() != wanted.size()) {
    return fmt::format(
        "{}: the kernel {}({}) does not match the definition of {}; legal: {} "
        "parameters, GM_ADDR {}",
        request.file, request.function, fmt::join(function->parameters, ", "), request.type,
        wanted.size(), fmt::join(wanted, ", GM_ADDR "));
  }
  constexpr uint64_t kOfNoArguments = ~uint64_t{0};  // GET_TPL_TILING_KEY's answer
  if (function->is_template && request.key == kOfNoArguments) {
    return fmt::format(
        "{}: the tiling function of {} gave GET_TPL_TILING_KEY or ASCENDC_TPL_SEL_PARAM a value "
        "that "
        "ASCENDC_TPL_ARGS_DECL does not list for its parameter",
        request.file, request.type);
  }
  if (function->is_template && request.template_arguments.empty()) {
    return fmt::format(
        "{}: the kernel {} is a template, but the tiling key {} was not made with "
        "ASCENDC_TPL_SEL_PARAM or GET_TPL_TILING_KEY",
        request.file, request.function, request.key);
  }
  return "";
}

bool lacks_tiling_struct(const KernelRequest& request, const KernelSource& source) {
  return own_class(request) == nullptr && request.tiling_struct.empty() &&
         source.default_struct(request.key).empty() && source.takes_default();
}

std::string kernel_text(const KernelRequest& request, const KernelSource& source) {
  const auto function = source.function(request.function);
  std::string text = fmt::format(
      "// {} of the operator {}, for the tiling key {}.\n"
      "#include \"kernel_operator.h\"\n#include \"vinci/package_kernel.h\"\n"
      "#define TILING_KEY_VAR {}UL\n#include <cstddef>\n#include <cstdint>\n#include "
      "<type_traits>\n",
      request.function, request.type, request.key, request.key);
  add_tiling(request, source, text);
  add_macros(request, text);
  // The package's function is no kernel of its own.
  text += fmt::format(
      "#pragma push_macro(\"__global__\")\n#undef __global__\n#define __global__\n"
      "#include \"{}\"\n#pragma pop_macro(\"__global__\")\n",
      request.file);
  const size_t count = request.parameters.size() + (request.has_shape_buffer ? 1 : 0);
  std::string declared, passed;
  for (size_t i = 0; i < count; ++i) {
    declared += fmt::format("GM_ADDR vinci_{}, ", i);
    passed += fmt::format("vinci_{}, ", i);
  }
  const std::string arguments =
      request.template_arguments.empty() ? "" : fmt::format("<{}>", request.template_arguments);
  const std::string type = kernel_type(request, source);
  // Reports leave out what stands in vinci's headers.
  text += "#line 1 \"/include/vinci/package_entry.h\"\n";
  text += fmt::format(
      "extern \"C\" __global__ __aicore__ void {}({}GM_ADDR vinci_system, GM_ADDR "
      "vinci_workspace, GM_ADDR vinci_tiling) {{\n{}"
      "  ::vinci::set_system_workspace(vinci_system);\n"
      "  {}{}{}({}vinci_workspace, vinci_tiling);\n"
      "  ::vinci::check_keys_asked(TILING_KEY_VAR, \"{}\");\n}}\n",
      entry_name(request), declared,
      type.empty() ? "" : fmt::format("  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_{});\n", type),
      function ? function->scope : "", request.function, arguments, passed, request.function);
  return text;
}

std::vector<std::string> dtype_names(const KernelRequest& request) {
  std::vector<std::string> names;
  for (const KernelParameter& parameter : request.parameters) {
    names.push_back("DTYPE_" + macro_name(parameter));
  }
  return names;
}

}  // namespace vinci::op
