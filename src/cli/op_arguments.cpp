#include "cli/op_arguments.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/error.h"
#include "numeric/dtype.h"
#include "op/names.h"
#include "report/nearest.h"

namespace vinci::cli {
namespace {

using nlohmann::json;

constexpr const char* kLayout =
    "FORMAT[:FORMAT][:SHAPE]: in memory, and before, as FRACTAL_NZ:64x32";

// The number of a type of ge::.
int type_number(DType type) {
  for (int number = 0; number < 64; ++number) {
    if (launch::element_type(number) == type) return number;
  }
  return -1;
}

std::pair<std::string, std::string> halves(const std::string& option, const std::string& text,
                                           const char* form) {
  const size_t equals = text.find('=');
  const bool is_empty = equals + 1 == text.size();
  if (equals == std::string::npos || equals == 0 || (is_empty && option != "--attr")) {
    throw usage(fmt::format("{} {} is not understood; legal: {}", option, text, form));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

template <class List>
size_t place_of(const List& list, const std::string& name, const std::string& option,
                const std::string& type) {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i].name == name) return i;
    names.push_back(list[i].name);
  }
  throw usage(fmt::format("{} {}: {} has no such{}; there are: {}", option, name, type,
                          did_you_mean(name, names), fmt::join(names, ", ")));
}

Error bad_value(const op::Attribute& attribute, const std::string& text) {
  return usage(fmt::format("--attr {}={}: that is no {}", attribute.name, text, attribute.type));
}

// As context.cpp reads it: "inf", "-inf" and "nan" are no numbers of JSON.
json json_of(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

json number_of(const op::Attribute& attribute, const std::string& text, bool is_float) {
  char* end = nullptr;
  const json value = is_float ? json_of(std::strtod(text.c_str(), &end))
                              : json(std::strtoll(text.c_str(), &end, 0));
  if (text.empty() || *end != '\0') throw bad_value(attribute, text);
  return value;
}

json truth_of(const op::Attribute& attribute, const std::string& text) {
  if (text == "true" || text == "True" || text == "1") return true;
  if (text == "false" || text == "False" || text == "0") return false;
  throw bad_value(attribute, text);
}

json element_of(const op::Attribute& attribute, const std::string& word) {
  if (attribute.type == "list_bool") return truth_of(attribute, word);
  if (attribute.type == "list_float") return number_of(attribute, word, true);
  return word;
}

// A list is one of JSON, or its elements with commas between them.
json value_of(const op::Attribute& attribute, const std::string& text) {
  if (attribute.type == "string") return text;
  if (attribute.type == "bool") return truth_of(attribute, text);
  if (attribute.type == "int" || attribute.type == "float") {
    return number_of(attribute, text, attribute.type == "float");
  }
  json list = json::parse(text.starts_with("[") ? text : "[" + text + "]", nullptr, false);
  if (list.is_discarded()) {
    list = json::array();
    for (size_t at = 0; at <= text.size();) {
      const size_t comma = std::min(text.find(',', at), text.size());
      list.push_back(element_of(attribute, text.substr(at, comma - at)));
      at = comma + 1;
    }
  }
  return list;
}

// The layout at the end of what is said of a file, which goes from there.
launch::Layout take_layout(std::string& text, const std::string& said) {
  launch::Layout layout;
  std::vector<std::string> words = split(text);
  const auto is_format = [](const std::string& word) { return op::format_named(word) >= 0; };
  const auto first = std::find_if(words.begin() + 1, words.end(), is_format);
  if (first == words.end()) return layout;
  auto next = first;
  layout.format = op::format_named(*next++);
  if (next != words.end() && is_format(*next)) layout.origin_format = op::format_named(*next++);
  if (next != words.end()) {
    const auto shape = parse_shape(*next++, said);
    layout.shape.assign(shape.begin(), shape.end());
  }
  if (next != words.end()) {
    throw usage(fmt::format("{}: {} behind the layout; legal: {}", said, *next, kLayout));
  }
  text = fmt::format("{}", fmt::join(words.begin(), first, ":"));
  return layout;
}

}  // namespace

OpArgument parse_op_input(const std::string& text) {
  auto [name, rest] =
      halves("--in", text, "NAME=FILE.npy[:DTYPE[:SHAPE]][:FORMAT[:FORMAT][:SHAPE]]");
  OpArgument argument{name, {}, take_layout(rest, "--in " + text)};
  argument.file = parse_argument("in:" + rest, "--in " + text);
  return argument;
}

OpArgument parse_op_output(const std::string& text) {
  auto [name, rest] =
      halves("--out", text, "NAME=FILE.npy[:DTYPE:SHAPE[:FORMAT[:FORMAT][:SHAPE]]]");
  OpArgument argument{name, {}, take_layout(rest, "--out " + text)};
  if (rest.find(':') != std::string::npos) {
    argument.file = parse_argument("out:" + rest, "--out " + text);
  } else {
    argument.file.kind = Argument::Kind::kOut;
    argument.file.text = argument.file.output = rest;
  }
  return argument;
}

OpCall op_call(const op::Definition& definition, const op::Chip& chip,
               const std::vector<OpArgument>& inputs, const std::vector<OpArgument>& outputs,
               const std::vector<std::string>& attributes) {
  OpCall made;
  made.call.inputs.resize(chip.inputs.size());
  std::vector<op::Attribute> own = definition.attributes;
  std::erase_if(own, [](const op::Attribute& attribute) { return attribute.is_private; });
  made.call.attributes.resize(own.size());
  made.arrays.reserve(inputs.size());
  for (const auto& [name, file, layout] : inputs) {
    auto& given = made.call.inputs[place_of(chip.inputs, name, "--in", definition.type)];
    const Array& array = made.arrays.emplace_back(read_input(file));
    if (!given) given.emplace();
    given->push_back({type_number(array.dtype),
                      {array.shape.begin(), array.shape.end()},
                      array.data.data(),
                      layout});
  }
  bool all_known = true;
  op::TensorLists known(chip.outputs.size());
  for (const auto& [name, file, layout] : outputs) {
    auto& output = known[place_of(chip.outputs, name, "--out", definition.type)];
    if (file.dtype == DType::kNone) all_known = false;
    if (!output) output.emplace();
    op::Tensor& tensor = output->emplace_back();
    tensor.dtype = type_number(file.dtype);
    tensor.shape.assign(file.shape.begin(), file.shape.end());
    layout.apply(tensor);
  }
  if (all_known && !outputs.empty()) made.call.outputs = known;
  for (const std::string& text : attributes) {
    const auto [name, value] = halves("--attr", text, "NAME=VALUE");
    const size_t place = place_of(own, name, "--attr", definition.type);
    made.call.attributes[place] = value_of(own[place], value);
  }
  return made;
}

}  // namespace vinci::cli
