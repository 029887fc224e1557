#include "op/call.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "graph/types.h"
#include "op/error.h"
#include "op/names.h"

namespace vinci::op {
namespace {

using nlohmann::json;

// What the framework passes on as ND.
bool plain(int format) {
  switch (ge::GetPrimaryFormat(format)) {
    case ge::FORMAT_NCHW:
    case ge::FORMAT_NHWC:
    case ge::FORMAT_DHWCN:
    case ge::FORMAT_NCDHW:
    case ge::FORMAT_NDHWC:
    case ge::FORMAT_NCL:
    case ge::FORMAT_HWCN:
    case ge::FORMAT_ND: return true;
    default: return false;
  }
}

bool same_format(int wanted, int given, bool strict) {
  if (given < 0 || ge::GetPrimaryFormat(wanted) == ge::GetPrimaryFormat(given)) return true;
  return !strict && plain(wanted) && plain(given);
}

bool matches(const Parameter& one, const std::vector<Tensor>& tensors, int row, bool strict) {
  for (const Tensor& tensor : tensors) {
    if (!one.value_depend && tensor.dtype >= 0 && tensor.dtype != one.dtypes[row]) return false;
    if (!same_format(one.formats[row], tensor.format, strict)) return false;
  }
  return true;
}

bool side_matches(const std::vector<Parameter>& side, const TensorLists& given, int row,
                  bool strict) {
  for (size_t i = 0; i < side.size() && i < given.size(); ++i) {
    if (given[i] && !matches(side[i], *given[i], row, strict)) return false;
  }
  return true;
}

void check_present(const char* what, const std::vector<Parameter>& side, const TensorLists& given) {
  if (given.size() > side.size()) {
    throw Error(Error::Kind::kCall,
                fmt::format("there are {} {}s, not {}", side.size(), what, given.size()));
  }
  for (size_t i = 0; i < side.size(); ++i) {
    const bool present = i < given.size() && given[i];
    const Parameter& one = side[i];
    if (!present && (one.kind == Kind::kRequired || one.dynamic())) {
      throw Error(Error::Kind::kCall, fmt::format("the {} '{}' is missing", what, one.name));
    }
    if (present && !one.dynamic() && given[i]->size() != 1) {
      throw Error(Error::Kind::kCall, fmt::format("the {} '{}' is one tensor, not a list of {}",
                                                  what, one.name, given[i]->size()));
    }
  }
}

std::string word_of(int dtype, int format) {
  if (format < 0 || ge::GetPrimaryFormat(format) == ge::FORMAT_ND) return type_name(dtype);
  return type_name(dtype) + ":" + format_name(format);
}

std::string row_text(const Chip& chip, int row) {
  std::vector<std::string> words;
  for (const auto* side : {&chip.inputs, &chip.outputs}) {
    for (const Parameter& one : *side) {
      words.push_back(one.name + " " + word_of(one.dtypes[row], one.formats[row]));
    }
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string given_text(const Chip& chip, const Call& call) {
  std::vector<std::string> words;
  const auto add = [&](const std::vector<Parameter>& side, const TensorLists& given) {
    for (size_t i = 0; i < side.size() && i < given.size(); ++i) {
      if (!given[i] || given[i]->empty() || given[i]->front().dtype < 0) continue;
      const Tensor& first = given[i]->front();
      words.push_back(side[i].name + " " + word_of(first.dtype, first.format));
    }
  };
  add(chip.inputs, call.inputs);
  add(chip.outputs, call.outputs);
  return fmt::format("{}", fmt::join(words, ", "));
}

[[noreturn]] void refuse(const Definition& definition, const Chip& chip, const Call& call) {
  constexpr int kMostRows = 20;
  std::string rows;
  for (int row = 0; row < std::min(chip.rows, kMostRows); ++row) {
    rows += "\n  " + row_text(chip, row);
  }
  if (chip.rows > kMostRows) rows += fmt::format("\n  ... {} more", chip.rows - kMostRows);
  throw Error(Error::Kind::kCall, fmt::format("{} does not take {}; it takes{}", definition.type,
                                              given_text(chip, call), rows));
}

bool is_list_of(const json& value, bool (json::*is)() const noexcept) {
  return value.is_array() &&
         std::ranges::all_of(value, [&](const json& one) { return (one.*is)(); });
}

bool is_number(const json& value) {
  const bool special = value.is_string() && (value == "inf" || value == "-inf" || value == "nan");
  return value.is_number() || special;
}

bool fits(const std::string& type, const json& value) {
  const auto all = [&](auto is) { return value.is_array() && std::ranges::all_of(value, is); };
  if (type == "bool") return value.is_boolean();
  if (type == "int") return value.is_number_integer();
  if (type == "float") return is_number(value);
  if (type == "string") return value.is_string();
  if (type == "list_bool") return is_list_of(value, &json::is_boolean);
  if (type == "list_int") return is_list_of(value, &json::is_number_integer);
  if (type == "list_float") return all(is_number);
  if (type == "list_list_int") {
    return all([](const json& one) { return is_list_of(one, &json::is_number_integer); });
  }
  return false;
}

}  // namespace

int64_t Tensor::elements() const {
  int64_t count = 1;
  for (const int64_t dim : in_memory()) count *= dim;
  return count;
}

int usual_origin(int format, size_t axes) {
  if (plain(format)) return format;
  switch (ge::GetPrimaryFormat(format)) {
    case ge::FORMAT_FRACTAL_NZ:
    case ge::FORMAT_FRACTAL_NZ_C0_16:
    case ge::FORMAT_FRACTAL_NZ_C0_32:
    case ge::FORMAT_FRACTAL_NZ_C0_2:
    case ge::FORMAT_FRACTAL_NZ_C0_4:
    case ge::FORMAT_FRACTAL_NZ_C0_8: return ge::FORMAT_ND;
    default: return axes == 5 ? ge::FORMAT_NCDHW : axes == 4 ? ge::FORMAT_NCHW : ge::FORMAT_ND;
  }
}

Row row_of(const Definition& definition, const Call& call) {
  const Chip& chip = definition.on(call.soc);
  check_present("input", chip.inputs, call.inputs);
  if (!call.outputs.empty()) check_present("output", chip.outputs, call.outputs);
  for (int row = 0; row < chip.rows; ++row) {
    if (!side_matches(chip.inputs, call.inputs, row, definition.strict_formats) ||
        !side_matches(chip.outputs, call.outputs, row, definition.strict_formats)) {
      continue;
    }
    Row found;
    found.index = row;
    for (const Parameter& one : chip.inputs) {
      found.input_dtypes.push_back(one.dtypes[row]);
      found.input_formats.push_back(one.formats[row]);
    }
    for (const Parameter& one : chip.outputs) {
      found.output_dtypes.push_back(one.dtypes[row]);
      found.output_formats.push_back(one.formats[row]);
    }
    return found;
  }
  refuse(definition, chip, call);
}

std::vector<json> attribute_values(const Definition& definition, const Call& call) {
  std::vector<json> values;
  size_t own = 0;  // of those that callers give
  for (const Attribute& one : definition.attributes) {
    const bool given = !one.is_private && own < call.attributes.size() && call.attributes[own];
    json value = given ? *call.attributes[own] : one.value;
    if (!one.is_private) ++own;
    if (!given && one.is_group && value.is_null()) value = "group";
    if (!given && one.required && !one.is_group) {
      throw Error(Error::Kind::kCall, fmt::format("the attribute '{}' is required", one.name));
    }
    if (!fits(one.type, value)) {
      throw Error(Error::Kind::kCall, fmt::format("the attribute '{}' is of type {}, not {}",
                                                  one.name, one.type, value.dump()));
    }
    values.push_back(value);
  }
  if (call.attributes.size() > own) {
    throw Error(Error::Kind::kCall,
                fmt::format("there are {} attributes, not {}", own, call.attributes.size()));
  }
  return values;
}

}  // namespace vinci::op
