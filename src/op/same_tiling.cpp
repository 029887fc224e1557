#include "op/same_tiling.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "op/names.h"

namespace vinci::op {
namespace {

using nlohmann::json;

// Those that <cstdint> and the language have; of other types the text knows no size here.
bool is_plain(const std::string& type) {
  static const std::set<std::string> kPlain{"int8_t",  "uint8_t",  "int16_t", "uint16_t",
                                            "int32_t", "uint32_t", "int64_t", "uint64_t",
                                            "float",   "double",   "bool"};
  return kPlain.contains(type);
}

// "": not known, or, of a class inside another, without the bytes at its end that a struct of the
// kernel's need not have.
std::string bytes_of(const json& field) {
  const std::string type = field.at("type");
  if (!is_plain(type)) return "";
  return fmt::format("sizeof({}) * {}", type, field.value("count", uint64_t{1}));
}

void add_field(const json& field, const std::string& host, std::string& text) {
  const std::string name = field.at("name");
  text += fmt::format(
      "    if constexpr (requires {{ sizeof(std::declval<T&>().{0}); }}) {{\n"
      "      static_assert(offsetof(T, {0}) == {1}, \"the host's {2} has {0} at byte {1}, the "
      "kernel's struct elsewhere\");\n",
      name, field.at("offset").get<uint64_t>(), host);
  if (const std::string bytes = bytes_of(field); !bytes.empty()) {
    text += fmt::format(
        "      static_assert(sizeof(std::declval<T&>().{0}) == {1}, \"{0} has another size in the "
        "host's {2} than in the kernel's struct\");\n",
        name, bytes, host);
  }
  text += "    }\n";
}

// Which structs the kernel may mean, as it writes them: all, if it reads only one; else that of the
// host's name, as one for another tiling key has another layout.
std::vector<std::string> meant(const std::string& host, const KernelRequest& request,
                               const KernelSource& source) {
  std::vector<std::string> all = source.read_structs(), list;
  if (!request.tiling_struct.empty()) all.push_back(request.tiling_struct);
  for (const std::string& each : all) {
    if (all.size() == 1 || without_scope(each) == without_scope(host)) list.push_back(each);
  }
  if (std::ranges::find(list, source.default_struct(request.key)) != list.end()) {
    list.emplace_back("VINCI_TILING_STRUCT");
  }
  return list;
}

}  // namespace

std::string same_tiling(const json* own, const KernelRequest& request, const KernelSource& source,
                        const std::set<std::string>& structs) {
  const json* of = own != nullptr ? own : &request.host_struct;
  if (of->is_null()) return "";
  const std::string host = of->at("class");
  std::string text = "#include <string_view>\n#include <utility>\n", same, named = "true";
  for (const std::string& name : structs) same += fmt::format(" || std::is_same_v<T, ::{}>", name);
  if (own == nullptr) {
    named = "false";
    for (const std::string& each : meant(host, request, source)) {
      named += fmt::format(" || name == \"{}\"", each);
    }
  }
  text += fmt::format(
      "constexpr bool vinci_is_tiling([[maybe_unused]] std::string_view name) {{ return {}; }}\n"
      "template <class T, bool is_meant>\nconstexpr bool vinci_same_tiling() {{\n"
      "  if constexpr (is_meant && !(false{})) {{\n",
      named, same);
  for (const json& field : of->at("fields")) {
    if (!field.value("padding", false)) add_field(field, host, text);
  }
  return text +
         "  }\n  return true;\n}\n#undef VINCI_SAME_TILING\n#define VINCI_SAME_TILING(type) "
         "static_assert(vinci_same_tiling<type, vinci_is_tiling(#type)>())\n";
}

}  // namespace vinci::op
