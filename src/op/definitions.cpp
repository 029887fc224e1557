// From the JSON that host libraries register to definitions: chips merged, rows laid out.
#include "op/definitions.h"

#include <algorithm>

#include <fmt/format.h>

#include "op/error.h"
#include "op/names.h"
#include "op/registry.h"
#include "op/rows.h"
#include "report/nearest.h"
#include "soc/soc.h"

namespace vinci::op {
namespace {

using nlohmann::json;

Attribute attribute_of(const json& one, bool is_private) {
  Attribute made;
  made.name = one.at("name");
  made.type = one.at("type");
  made.required = one.value("required", true) && !is_private;
  made.value = one.value("default", json());
  made.version = one.value("version", 0u);
  made.is_private = is_private;
  if (made.type.empty()) {
    throw Error(Error::Kind::kDefinition,
                fmt::format("the attribute '{}' has no type (Int, Float, Bool, String, ListInt, "
                            "ListFloat, ListBool, ListListInt)",
                            made.name));
  }
  return made;
}

// The definition's parameters with the chip's own: those of the same name replaced, others behind.
std::vector<json> merged(const json& base, const json& own) {
  std::vector<json> list(base.begin(), base.end());
  for (const json& one : own) {
    const auto same = [&](const json& known) { return known.at("name") == one.at("name"); };
    const auto found = std::find_if(list.begin(), list.end(), same);
    if (found == list.end()) {
      list.push_back(one);
    } else {
      *found = one;
    }
  }
  return list;
}

Chip chip_of(const json& definition, const json& own) {
  Chip chip = lay_out(merged(definition.at("inputs"), own.value("inputs", json::array())),
                      merged(definition.at("outputs"), own.value("outputs", json::array())));
  const json options = own.value("options", json::object());
  for (const auto& [key, value] : options.items()) chip.options[key] = value;
  return chip;
}

json definition_json(const std::string& type, const Registered& all) {
  json definition = json::parse(all.definitions.at(type));
  if (const auto chips = all.chips.find(type); chips != all.chips.end()) {
    for (const auto& [soc, text] : chips->second) {
      if (!definition["chips"].contains(soc)) definition["chips"][soc] = json::parse(text);
    }
  }
  if (const auto own = all.private_attributes.find(type); own != all.private_attributes.end()) {
    for (const std::string& text : own->second) {
      definition["private_attributes"].push_back(json::parse(text));
    }
  }
  return definition;
}

Operator operator_of(const std::string& type, const Registered& all) {
  Operator made;
  const json definition = definition_json(type, all);
  try {
    made.definition = definition_of(definition);
  } catch (const Error& error) {
    made.definition.type = type;
    made.definition.file = definition.value("file", "");
    made.definition.json = definition;
    made.wrong = error.what();
  }
  const auto functions = all.functions.find(type);
  if (functions != all.functions.end()) made.functions = functions->second;
  for (auto& [name, chip] : made.definition.chips) {
    apply_functions(chip, made.functions);
  }
  return made;
}

std::string list_of(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

const Parameter* Chip::input(const std::string& name) const {
  const auto found = std::ranges::find(inputs, name, &Parameter::name);
  return found == inputs.end() ? nullptr : &*found;
}

const Parameter* Chip::output(const std::string& name) const {
  const auto found = std::ranges::find(outputs, name, &Parameter::name);
  return found == outputs.end() ? nullptr : &*found;
}

std::string Chip::option(const std::string& key) const {
  const auto found = options.find(key);
  return found == options.end() ? "" : found->second;
}

bool Definition::has(const std::string& soc) const {
  return chips.contains(family_of(soc)) || chips.contains(lowered(soc));
}

const Chip& Definition::on(const std::string& soc) const {
  for (const std::string& name : {lowered(soc), family_of(soc)}) {
    if (const auto found = chips.find(name); found != chips.end()) return found->second;
  }
  if (chips.empty() && on_cpu) {
    throw Error(Error::Kind::kLacks,
                fmt::format("{} runs on the AI CPU or the host, as its definition says; vinci has "
                            "kernels of the AI Core only",
                            type));
  }
  std::vector<std::string> names;
  for (const auto& [name, chip] : chips) names.push_back(name);
  throw Error(Error::Kind::kDefinition,
              fmt::format("{} is not defined for {}: AddConfig(\"{}\") is missing; there is {}",
                          type, soc, family_of(soc), list_of(names)));
}

Definition definition_of(const json& definition) {
  Definition made;
  made.json = definition;
  made.type = definition.at("type");
  made.file = definition.value("file", "");
  made.strict_formats = definition.value("strict_formats", false);
  made.launches_empty = definition.value("launches_empty", false);
  made.on_cpu = definition.value("on_cpu", false);
  try {
    for (const json& one : definition.at("attributes")) {
      made.attributes.push_back(attribute_of(one, false));
    }
    for (const json& one : definition.value("private_attributes", json::array())) {
      made.attributes.push_back(attribute_of(one, true));
    }
    for (const std::string group : definition.value("groups", json::array())) {
      const auto found = std::ranges::find(made.attributes, group, &Attribute::name);
      if (found == made.attributes.end() || found->type != "string") {
        throw Error(Error::Kind::kDefinition,
                    fmt::format("HcclGroup(\"{0}\") names no attribute: Attr(\"{0}\")."
                                "AttrType(REQUIRED).String() is missing",
                                group));
      }
      found->is_group = true;
    }
    for (const auto& [name, own] : definition.at("chips").items()) {
      made.chips[lowered(name)] = chip_of(definition, own);
    }
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("the definition of {}: {}", made.type, error.what()));
  }
  return made;
}

std::vector<Operator> operators() {
  const Registered all = registered();
  std::vector<Operator> list;
  for (const auto& [type, text] : all.definitions) list.push_back(operator_of(type, all));
  return list;
}

Operator find_operator(const std::string& type) {
  const Registered all = registered();
  if (!all.definitions.contains(type)) {
    std::vector<std::string> names;
    for (const auto& [name, text] : all.definitions) names.push_back(name);
    throw Error(Error::Kind::kCall,
                fmt::format("there is no operator {}; there is {}", type, list_of(names)));
  }
  Operator found = operator_of(type, all);
  if (!found.wrong.empty()) throw Error(Error::Kind::kDefinition, found.wrong);
  return found;
}

std::vector<TilingClass> tiling_classes() {
  std::vector<TilingClass> list;
  for (const auto& [key, text] : registered().tiling_classes) {
    list.push_back({key, json::parse(text)});
  }
  return list;
}

json registry_json() {
  const Registered all = registered();
  json made = {{"definitions", json::array()}, {"tiling_classes", json::object()}};
  for (const auto& [type, text] : all.definitions) {
    json definition = definition_json(type, all);
    const auto functions = all.functions.find(type);
    const Functions known = functions == all.functions.end() ? Functions{} : functions->second;
    definition["functions"] = {{"tiling", known.tiling != nullptr},
                               {"infer_shape", known.infer_shape != nullptr},
                               {"infer_dtype", known.infer_dtype != nullptr},
                               {"value_dependent", known.value_dependent},
                               {"shape_from_kernel", known.shape_from_kernel}};
    made["definitions"].push_back(definition);
  }
  for (const auto& [key, text] : all.tiling_classes) {
    made["tiling_classes"][key] = json::parse(text);
  }
  return made;
}

void add_registry(const json& json) {
  for (const auto& definition : json.at("definitions")) {
    const std::string type = definition.at("type");
    add_definition(type.c_str(), definition.dump().c_str());
    const auto& said = definition.at("functions");
    Functions functions;
    functions.value_dependent = said.at("value_dependent");
    functions.shape_from_kernel = said.at("shape_from_kernel");
    add_functions(type.c_str(), functions);
  }
  for (const auto& [key, one] : json.at("tiling_classes").items()) {
    add_tiling_class(key.c_str(), one.dump().c_str());
  }
}

void clear_registry() { set_registered({}); }

std::string family_of(const std::string& soc) {
  const std::string name = lowered(soc);
  const Soc* chip = find_soc(soc);
  std::string family;
  for (const Family& one : soc_families()) {
    const std::string candidate = lowered(std::string(one.name));
    const bool same =
        chip == nullptr || find_soc(one.representative)->arch->npu_arch == chip->arch->npu_arch;
    if (same && name.starts_with(candidate) && candidate.size() > family.size()) {
      family = candidate;
    }
  }
  return family.empty() ? name : family;
}

}  // namespace vinci::op
