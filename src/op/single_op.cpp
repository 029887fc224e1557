#include "op/single_op.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "op/error.h"
#include "op/names.h"

namespace vinci::op {
namespace {

using nlohmann::json;

constexpr const char* kMagic = "a model of one operator, made by vinci";

[[noreturn]] void refuse(const std::string& text) { throw Error(Error::Kind::kCall, text); }

const json& field(const json& object, const char* name, const std::string& place) {
  const auto found = object.is_object() ? object.find(name) : object.end();
  if (!object.is_object() || found == object.end())
    refuse(fmt::format("{} has no {}", place, name));
  return *found;
}

SingleOp::Tensor tensor_of(const json& one, const std::string& place) {
  SingleOp::Tensor tensor;
  const std::string type = field(one, "type", place), format = field(one, "format", place);
  if (type == "UNDEFINED") return tensor;  // an optional one that is absent
  tensor.dtype = type_named(type);
  if (tensor.dtype < 0) refuse(fmt::format("{}: type {} is none", place, type));
  tensor.format = format_named(format);
  if (tensor.format < 0) {
    refuse(fmt::format("{}: format {} is none", place, format));
  }
  for (const json& dimension : field(one, "shape", place)) {
    if (!dimension.is_number_integer()) refuse(fmt::format("{}: shape of no integers", place));
    tensor.shape.push_back(dimension);
  }
  return tensor;
}

std::vector<SingleOp::Tensor> tensors_of(const json& object, const char* name,
                                         const std::string& place) {
  std::vector<SingleOp::Tensor> tensors;
  for (const json& one : field(object, name, place)) {
    tensors.push_back(tensor_of(one, fmt::format("{}, {} {}", place, name, tensors.size())));
  }
  return tensors;
}

json attributes_of(const json& object, const std::string& place) {
  json attributes = json::object();
  for (const json& one : object.value("attr", json::array())) {
    json value = field(one, "value", place);
    if (field(one, "type", place) == "float") value = double(value.get<float>());
    if (field(one, "type", place) == "list_float") {
      for (json& each : value) each = double(each.get<float>());
    }
    attributes[field(one, "name", place).get<std::string>()] = value;
  }
  return attributes;
}

json tensors_json(const std::vector<SingleOp::Tensor>& tensors) {
  json list = json::array();
  for (const SingleOp::Tensor& one : tensors) {
    list.push_back({{"dtype", one.dtype}, {"format", one.format}, {"shape", one.shape}});
  }
  return list;
}

std::vector<SingleOp::Tensor> tensors_from(const json& list) {
  std::vector<SingleOp::Tensor> tensors;
  for (const json& one : list) tensors.push_back({one["dtype"], one["format"], one["shape"]});
  return tensors;
}

}  // namespace

bool SingleOp::Tensor::matches(const Tensor& other) const {
  if (dtype != other.dtype) return false;
  if (dtype < 0) return true;
  if (format != other.format) return false;
  if (shape == std::vector<int64_t>{-2}) return true;
  if (shape.size() != other.shape.size()) return false;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != -1 && shape[i] != other.shape[i]) return false;
  }
  return true;
}

std::string SingleOp::Tensor::text() const {
  if (dtype < 0) return "absent";
  return fmt::format("{} {} [{}]", type_name(dtype), format_name(format), fmt::join(shape, ", "));
}

std::vector<SingleOp> described_operators(const json& description, const std::string& soc) {
  std::vector<SingleOp> all;
  const json list = description.is_array() ? description : json::array({description});
  try {
    for (const json& object : list) {
      SingleOp& one = all.emplace_back();
      std::string place = fmt::format("operator {}", all.size() - 1);
      one.type = field(object, "op", place);
      place += " (" + one.type + ")";
      one.soc = soc;
      one.inputs = tensors_of(object, "input_desc", place);
      one.outputs = tensors_of(object, "output_desc", place);
      one.attributes = attributes_of(object, place);
    }
  } catch (const json::exception& error) {
    refuse(fmt::format("operator {}: {}", all.size() - 1, error.what()));
  }
  return all;
}

json model_of(const SingleOp& one) {
  return {{"what", kMagic},
          {"type", one.type},
          {"soc", one.soc},
          {"inputs", tensors_json(one.inputs)},
          {"outputs", tensors_json(one.outputs)},
          {"attributes", one.attributes}};
}

SingleOp model_from(const std::string& text) {
  const json model = json::parse(text, nullptr, false);
  if (!model.is_object() || model.value("what", "") != kMagic) {
    refuse("it is no model of vinci's; legal: what atc --singleop of vinci's tree makes");
  }
  return {model["type"], model["soc"], tensors_from(model["inputs"]),
          tensors_from(model["outputs"]), model["attributes"]};
}

}  // namespace vinci::op
