#include "host/acl/nn/arguments.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "host/acl/error.h"
#include "host/acl/nn/views.h"
#include "op/definitions.h"

namespace vinci::acl {
namespace {

using nlohmann::json;
using op::AclnnArgument;

aclnnStatus missing(const char* api, const std::string& name) {
  return fail(ACLNN_ERR_PARAM_NULLPTR, api, fmt::format("{} is null", name));
}

// A tensor of values that the host has.
void add_values(Slot& slot, const void* data, size_t bytes, aclDataType type,
                std::vector<int64_t> shape) {
  const auto* start = static_cast<const uint8_t*>(data);
  std::vector<uint8_t>& kept = slot.values.emplace_back(start, start + bytes);
  if (kept.empty()) kept.resize(1);  // so that it has an address
  Place place;
  place.tensor.view = place.tensor.storage = std::move(shape);
  place.tensor.strides = contiguous_strides(place.tensor.view);
  place.tensor.type = type;
  place.tensor.data = kept.data();
  slot.places.push_back(std::move(place));
}

template <class Array>
void add_array(Slot& slot, const Array& array, aclDataType type) {
  add_values(slot, array.values.data(), array.values.size() * sizeof(array.values[0]), type,
             {int64_t(array.values.size())});
}

void add_tensor(Slot& slot, const aclTensor* tensor) {
  slot.places.push_back({*tensor, const_cast<aclTensor*>(tensor)});
}

void add_scalar(Slot& slot, const aclScalar& scalar) {
  add_values(slot, scalar.bytes.data(), aclDataTypeSize(scalar.type), scalar.type, {});
}

Kind object_of(AclnnArgument::Kind kind) {
  switch (kind) {
    case AclnnArgument::kTensors: return Kind::kTensors;
    case AclnnArgument::kScalar: return Kind::kScalar;
    case AclnnArgument::kScalars: return Kind::kScalars;
    case AclnnArgument::kInts: return Kind::kInts;
    case AclnnArgument::kFloats: return Kind::kFloats;
    case AclnnArgument::kBools: return Kind::kBools;
    default: return Kind::kTensor;
  }
}

aclnnStatus take_list(const char* api, const aclTensorList& list, Slot& slot) {
  slot.is_list = true;
  for (const aclTensor* tensor : list.values) {
    if (const aclnnStatus code = check_object(api, tensor, Kind::kTensor); code != 0) return code;
    add_tensor(slot, tensor);
  }
  return ACLNN_SUCCESS;
}

aclnnStatus take_parameter(const char* api, const op::Parameter& parameter,
                           const AclnnArgument& given, Slot& slot) {
  if (given.kind == AclnnArgument::kAbsent || given.object == nullptr) {
    if (parameter.absent_allowed() || parameter.kind == op::Kind::kIgnore) return ACLNN_SUCCESS;
    return missing(api, parameter.name);
  }
  const aclnnStatus code = check_object(api, given.object, object_of(given.kind));
  if (code != ACLNN_SUCCESS) return code;
  slot.is_present = true;
  switch (given.kind) {
    case AclnnArgument::kTensors:
      return take_list(api, *static_cast<const aclTensorList*>(given.object), slot);
    case AclnnArgument::kScalars:
      slot.is_list = true;
      for (const aclScalar* one : static_cast<const aclScalarList*>(given.object)->values) {
        add_scalar(slot, *one);
      }
      break;
    case AclnnArgument::kScalar:
      add_scalar(slot, *static_cast<const aclScalar*>(given.object));
      break;
    case AclnnArgument::kInts:
      add_array(slot, *static_cast<const aclIntArray*>(given.object), ACL_INT64);
      break;
    case AclnnArgument::kFloats:
      add_array(slot, *static_cast<const aclFloatArray*>(given.object), ACL_FLOAT);
      break;
    case AclnnArgument::kBools:
      add_array(slot, *static_cast<const aclBoolArray*>(given.object), ACL_BOOL);
      break;
    default: add_tensor(slot, static_cast<const aclTensor*>(given.object));
  }
  return ACLNN_SUCCESS;
}

json array_of(const AclnnArgument& given) {
  switch (given.kind) {
    case AclnnArgument::kInts: return static_cast<const aclIntArray*>(given.object)->values;
    case AclnnArgument::kFloats: return static_cast<const aclFloatArray*>(given.object)->values;
    default: break;
  }
  json list = json::array();
  for (const uint8_t one : static_cast<const aclBoolArray*>(given.object)->values) {
    list.push_back(one != 0);
  }
  return list;
}

aclnnStatus take_attribute(const char* api, const op::Attribute& attribute,
                           const AclnnArgument& given, std::optional<json>& value) {
  switch (given.kind) {
    case AclnnArgument::kAbsent: return ACLNN_SUCCESS;
    case AclnnArgument::kBoolean: value = given.integer != 0; return ACLNN_SUCCESS;
    case AclnnArgument::kInteger: value = given.integer; return ACLNN_SUCCESS;
    case AclnnArgument::kNumber: value = double(float(given.number)); return ACLNN_SUCCESS;
    default: break;
  }
  if (given.object == nullptr) {
    return attribute.required ? missing(api, attribute.name) : ACLNN_SUCCESS;
  }
  if (given.kind == AclnnArgument::kText) {
    value = static_cast<const char*>(given.object);
    return ACLNN_SUCCESS;
  }
  const aclnnStatus code = check_object(api, given.object, object_of(given.kind));
  if (code == ACLNN_SUCCESS) value = array_of(given);
  return code;
}

std::vector<op::Tensor> tensors_of(const Slot& slot) {
  std::vector<op::Tensor> tensors;
  for (const Place& place : slot.places) {
    const aclTensor& from = place.tensor;
    op::Tensor& tensor = tensors.emplace_back();
    tensor.dtype = from.type;
    tensor.format = from.format == ACL_FORMAT_UNDEFINED ? -1 : from.format;
    tensor.shape = from.view;
    // What has a layout of its own says so; of others the storage may be anything around them.
    constexpr aclFormat kLayouts[] = {
        ACL_FORMAT_NC1HWC0,          ACL_FORMAT_FRACTAL_Z,        ACL_FORMAT_NC1HWC0_C04,
        ACL_FORMAT_FRACTAL_NZ,       ACL_FORMAT_NDC1HWC0,         ACL_FRACTAL_Z_3D,
        ACL_FORMAT_FRACTAL_NZ_C0_16, ACL_FORMAT_FRACTAL_NZ_C0_32, ACL_FORMAT_FRACTAL_NZ_C0_2,
        ACL_FORMAT_FRACTAL_NZ_C0_4,  ACL_FORMAT_FRACTAL_NZ_C0_8};
    if (std::ranges::find(kLayouts, from.format) != std::end(kLayouts)) {
      tensor.storage_shape = from.storage;
    }
    if (!place.is_copied && !from.is_contiguous()) {
      tensor.strides = from.strides;
      tensor.offset = from.offset;
    }
    tensor.data = from.first();
  }
  return tensors;
}

aclnnStatus mark_slot(const char* api, const op::Parameter& parameter, bool copies,
                      bool is_written_back, Slot& slot) {
  for (Place& place : slot.places) {
    if (place.tensor.is_contiguous() || parameter.ignore_contiguous) continue;
    if (!copies) {
      op::doubt(fmt::format("{}: {} is not contiguous and its definition has no AutoContiguous: "
                            "the kernel finds the memory as it lies",
                            api, parameter.name)
                    .c_str());
      continue;
    }
    const std::string problem = problem_with_view(place.tensor);
    if (!problem.empty()) {
      return refuse(ACLNN_ERR_PARAM_INVALID, api, fmt::format("{}: {}", parameter.name, problem),
                    "views inside what aclrtMalloc gave, of types of whole bytes");
    }
    place.is_copied = true;
    place.is_written_back = is_written_back;
  }
  return ACLNN_SUCCESS;
}

}  // namespace

bool Arguments::writes_nothing() const {
  bool any = false;
  for (const Slot& output : outputs) {
    const Slot& slot = output.same_as < 0 ? output : inputs[size_t(output.same_as)];
    for (const Place& place : slot.places) {
      if (place.tensor.elements() > 0) return false;
      any = true;
    }
  }
  return any;
}

aclnnStatus take_arguments(const char* api, const op::Definition& definition, const op::Chip& chip,
                           std::span<const AclnnArgument> given, Arguments& result) {
  size_t next = 0;
  const auto take = [&] { return next < given.size() ? given[next++] : op::absent(); };
  for (const op::Parameter& input : chip.inputs) {
    const aclnnStatus code = take_parameter(api, input, take(), result.inputs.emplace_back());
    if (code != ACLNN_SUCCESS) return code;
  }
  for (const op::Attribute& attribute : definition.attributes) {
    if (attribute.is_private) continue;
    const aclnnStatus code =
        take_attribute(api, attribute, take(), result.attributes.emplace_back());
    if (code != ACLNN_SUCCESS) return code;
  }
  for (const op::Parameter& output : chip.outputs) {
    Slot& slot = result.outputs.emplace_back();
    if (const op::Parameter* same = chip.input(output.name); same != nullptr) {
      slot.same_as = int(same - chip.inputs.data());
      slot.is_present = result.inputs[size_t(slot.same_as)].is_present;
      continue;
    }
    const aclnnStatus code = take_parameter(api, output, take(), slot);
    if (code != ACLNN_SUCCESS) return code;
  }
  return ACLNN_SUCCESS;
}

aclnnStatus mark_copies(const char* api, const op::Chip& chip, Arguments& arguments) {
  const bool copies = std::ranges::any_of(chip.inputs, &op::Parameter::auto_contiguous);
  for (size_t i = 0; i < chip.inputs.size(); ++i) {
    const op::Parameter& input = chip.inputs[i];
    const aclnnStatus code =
        mark_slot(api, input, copies, chip.output(input.name) != nullptr, arguments.inputs[i]);
    if (code != ACLNN_SUCCESS) return code;
  }
  for (size_t i = 0; i < chip.outputs.size(); ++i) {
    mark_slot(api, chip.outputs[i], false, false, arguments.outputs[i]);
  }
  return ACLNN_SUCCESS;
}

op::Call call_of(const Arguments& arguments, const std::string& soc) {
  op::Call call;
  call.soc = soc;
  call.attributes = arguments.attributes;
  const auto add = [](const Slot& slot, auto& list) {
    auto& one = list.emplace_back();
    if (slot.is_present) one = tensors_of(slot);
  };
  for (const Slot& slot : arguments.inputs) add(slot, call.inputs);
  for (const Slot& slot : arguments.outputs) {
    add(slot.same_as < 0 ? slot : arguments.inputs[size_t(slot.same_as)], call.outputs);
  }
  return call;
}

}  // namespace vinci::acl
