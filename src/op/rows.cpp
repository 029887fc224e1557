#include "op/rows.h"

#include <algorithm>

#include <fmt/format.h>

#include "graph/types.h"
#include "op/error.h"

namespace vinci::op {
namespace {

using nlohmann::json;

// A list of a parameter, and where it goes.
struct List {
  std::string parameter;
  const char* what;  // "DataType"
  std::vector<int> values;
  bool free;
};

struct Lists {
  List dtypes, formats;
};

Kind kind_of(const std::string& word) {
  if (word == "optional") return Kind::kOptional;
  if (word == "required") return Kind::kRequired;
  if (word == "dynamic") return Kind::kDynamic;
  return word == "virtual" ? Kind::kVirtual : Kind::kIgnore;
}

Parameter parameter_of(const json& one) {
  Parameter made;
  made.name = one.at("name");
  made.kind = kind_of(one.value("kind", "required"));
  made.value_depend = one.value("value_depend", false);
  made.auto_contiguous = one.value("auto_contiguous", false);
  made.ignore_contiguous = one.value("ignore_contiguous", false);
  made.scalar = one.value("scalar", "");
  const int to_dtype = one.value("to_dtype", int(ge::DT_UNDEFINED));
  made.to_dtype = to_dtype == ge::DT_UNDEFINED ? -1 : to_dtype;
  made.to_parameter = one.value("to_parameter", "");
  made.version = one.value("version", 0u);
  made.follow = one.value("follow", "");
  made.follows = static_cast<Follows>(one.value("follow_type", 0));
  made.shape_from_kernel = one.value("shape_from_kernel", false);
  made.zeroed = one.value("zeroed", false);
  made.init_values = one.value("init_values", json::array());
  return made;
}

Lists lists_of(const json& one) {
  const std::string name = one.at("name");
  Lists made{{name, "DataType", one.at("dtypes"), one.value("dtype_list", false)},
             {name, "Format", one.at("formats"), one.value("format_list", false)}};
  if (made.formats.values.empty()) made.formats = {name, "Format", {ge::FORMAT_ND}, true};
  return made;
}

void check_unique(const List& list) {
  std::vector<int> sorted = list.values;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) == sorted.end()) return;
  throw Error(Error::Kind::kDefinition,
              fmt::format("{}List of '{}' names one twice", list.what, list.parameter));
}

// The length of all lists that are not free; 1, if all are.
size_t common_length(const std::vector<const List*>& lists) {
  const List* first = nullptr;
  for (const List* list : lists) {
    if (list->values.empty()) {
      throw Error(Error::Kind::kDefinition,
                  fmt::format("'{}' has no {}", list->parameter, list->what));
    }
    if (list->free) {
      check_unique(*list);
      continue;
    }
    if (first == nullptr) first = list;
    if (list->values.size() != first->values.size()) {
      throw Error(Error::Kind::kDefinition,
                  fmt::format("lists are not aligned: {} of '{}' has {}, {} of '{}' has {}; a list "
                              "for all rows is {}List",
                              first->what, first->parameter, first->values.size(), list->what,
                              list->parameter, list->values.size(), list->what));
    }
  }
  return first == nullptr ? 1 : first->values.size();
}

// One value for each row.
std::vector<std::vector<int>> cross(const std::vector<const List*>& lists) {
  size_t repeats = 1;  // how many rows one row of the lists before becomes
  for (const List* list : lists) repeats *= list->free ? list->values.size() : 1;
  const size_t rows = common_length(lists) * repeats;
  if (rows > 100000) {
    throw Error(Error::Kind::kDefinition, fmt::format("the lists make {} rows", rows));
  }
  std::vector<std::vector<int>> made;
  size_t faster = repeats;
  for (const List* list : lists) {
    if (list->free) faster /= list->values.size();
    std::vector<int>& column = made.emplace_back();
    for (size_t row = 0; row < rows; ++row) {
      column.push_back(list->free ? list->values[row / faster % list->values.size()]
                                  : list->values[row / repeats]);
    }
  }
  return made;
}

bool follows_dtype(const Parameter& one) {
  return !one.follow.empty() && (one.follows == Follows::kAll || one.follows == Follows::kDtype);
}
bool follows_format(const Parameter& one) {
  return !one.follow.empty() && (one.follows == Follows::kAll || one.follows == Follows::kFormat);
}

// The input at the end of a chain.
template <typename Member>
const Parameter& source_of(const Parameter& one, const Chip& chip, Member follows) {
  const Parameter* at = &one;
  for (size_t steps = 0; follows(*at); ++steps) {
    const Parameter* next = chip.input(at->follow);
    if (next == nullptr) {
      throw Error(Error::Kind::kDefinition,
                  fmt::format("'{}' follows '{}', which is no input", at->name, at->follow));
    }
    if (steps > chip.inputs.size()) {
      throw Error(Error::Kind::kDefinition, fmt::format("'{}' follows itself", one.name));
    }
    at = next;
  }
  return *at;
}

void follow(Chip& chip) {
  for (auto* side : {&chip.inputs, &chip.outputs}) {
    for (Parameter& one : *side) {
      if (follows_dtype(one)) one.dtypes = source_of(one, chip, follows_dtype).dtypes;
      if (follows_format(one)) one.formats = source_of(one, chip, follows_format).formats;
    }
  }
}

void check(const Parameter& one, const Chip& chip) {
  if (one.version != 0 && one.kind != Kind::kOptional) {
    throw Error(Error::Kind::kDefinition,
                fmt::format("'{}' has a Version and is not optional", one.name));
  }
  if (one.auto_contiguous && one.ignore_contiguous) {
    throw Error(Error::Kind::kDefinition,
                fmt::format("'{}' has AutoContiguous and IgnoreContiguous", one.name));
  }
  const size_t values = one.init_values.size();
  if (values > 1 && values != one.dtypes.size()) {
    throw Error(Error::Kind::kDefinition, fmt::format("InitValue of '{}' has {} values for {} rows",
                                                      one.name, values, one.dtypes.size()));
  }
  if (one.to_parameter.empty() || chip.input(one.to_parameter) != nullptr) return;
  throw Error(Error::Kind::kDefinition,
              fmt::format("'{}' is to be of the type of '{}', which is no input", one.name,
                          one.to_parameter));
}

}  // namespace

Chip lay_out(const std::vector<json>& inputs, const std::vector<json>& outputs) {
  Chip chip;
  std::vector<Lists> kept;
  std::vector<std::pair<Parameter*, bool>> places;  // of each list: of the types, or of the formats
  for (const json& one : inputs) chip.inputs.push_back(parameter_of(one));
  for (const json& one : outputs) chip.outputs.push_back(parameter_of(one));
  for (const auto* side : {&inputs, &outputs}) {
    for (const json& one : *side) kept.push_back(lists_of(one));
  }
  std::vector<const List*> lists;
  for (size_t i = 0; i < kept.size(); ++i) {
    const size_t own = chip.inputs.size();
    Parameter& one = i < own ? chip.inputs[i] : chip.outputs[i - own];
    const auto add = [&](const List& list, bool dtypes) {
      lists.push_back(&list);
      places.emplace_back(&one, dtypes);
    };
    if (!follows_dtype(one)) add(kept[i].dtypes, true);
    if (!follows_format(one)) add(kept[i].formats, false);
  }
  const auto columns = cross(lists);
  for (size_t i = 0; i < columns.size(); ++i) {
    const auto& [parameter, dtypes] = places[i];
    (dtypes ? parameter->dtypes : parameter->formats) = columns[i];
  }
  chip.rows = columns.empty() ? 0 : static_cast<int>(columns[0].size());
  follow(chip);
  for (const auto* side : {&chip.inputs, &chip.outputs}) {
    for (const Parameter& one : *side) check(one, chip);
  }
  return chip;
}

void apply_functions(Chip& chip, const Functions& functions) {
  const auto bit = [](uint64_t bits, size_t i) { return i < 64 && ((bits >> i) & 1) != 0; };
  for (size_t i = 0; i < chip.inputs.size(); ++i) {
    if (bit(functions.value_dependent, i)) chip.inputs[i].value_depend = true;
  }
  for (size_t i = 0; i < chip.outputs.size(); ++i) {
    if (bit(functions.shape_from_kernel, i)) chip.outputs[i].shape_from_kernel = true;
  }
}

}  // namespace vinci::op
