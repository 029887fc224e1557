#include "op/call_json.h"

namespace vinci::op {

using nlohmann::json;

json tensors_json(const TensorLists& tensors) {
  json list = json::array();
  for (const auto& of_parameter : tensors) {
    if (!of_parameter) {
      list.push_back(nullptr);
      continue;
    }
    json& instances = list.emplace_back(json::array());
    for (const Tensor& tensor : *of_parameter) {
      instances.push_back({{"dtype", tensor.dtype},
                           {"format", tensor.format},
                           {"origin_format", tensor.origin_format},
                           {"shape", tensor.shape},
                           {"storage_shape", tensor.storage_shape},
                           {"data", reinterpret_cast<uint64_t>(tensor.data)}});
    }
  }
  return list;
}

TensorLists tensors_of(const json& list) {
  TensorLists tensors;
  for (const json& instances : list) {
    auto& of_parameter = tensors.emplace_back();
    if (instances.is_null()) continue;
    of_parameter.emplace();
    for (const json& each : instances) {
      Tensor& tensor = of_parameter->emplace_back();
      tensor.dtype = each.at("dtype");
      tensor.format = each.at("format");
      tensor.origin_format = each.at("origin_format");
      tensor.shape = each.at("shape").get<std::vector<int64_t>>();
      tensor.storage_shape = each.at("storage_shape").get<std::vector<int64_t>>();
      tensor.data = reinterpret_cast<void*>(each.at("data").get<uint64_t>());
    }
  }
  return tensors;
}

json call_json(const Call& call) {
  json attributes = json::array();
  for (const auto& value : call.attributes) attributes.push_back(value ? *value : json());
  return {{"soc", call.soc},
          {"inputs", tensors_json(call.inputs)},
          {"outputs", tensors_json(call.outputs)},
          {"attributes", attributes},
          {"deterministic", call.deterministic}};
}

Call call_of(const json& json) {
  Call call;
  call.soc = json.at("soc");
  call.inputs = tensors_of(json.at("inputs"));
  call.outputs = tensors_of(json.at("outputs"));
  for (const auto& value : json.at("attributes")) {
    auto& attribute = call.attributes.emplace_back();
    if (!value.is_null()) attribute = value;
  }
  call.deterministic = json.at("deterministic");
  return call;
}

}  // namespace vinci::op
