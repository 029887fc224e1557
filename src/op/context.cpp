#include "op/context.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>
#include <string>

#include <fmt/format.h>

#include "exe_graph/runtime/compute_node_info.h"
#include "op/error.h"
#include "op/names.h"
#include "soc/soc.h"

namespace vinci::op {
namespace {

// Of a dynamic output of which nobody says how many tensors it has.
constexpr size_t kMostTensors = 128;

using nlohmann::json;

gert::Shape shape_of(const std::vector<int64_t>& dims, const std::string& name) {
  if (dims.size() > gert::Shape::kMaxDimNum) {
    throw Error(Error::Kind::kCall,
                fmt::format("'{}' has {} dimensions; a shape has 25 at most", name, dims.size()));
  }
  gert::Shape shape;
  for (const int64_t dim : dims) shape.AppendDim(dim);
  return shape;
}

TensorSlot slot_of(const Parameter& one, const Tensor& given, int dtype, int format, bool output) {
  TensorSlot slot;
  slot.present = true;
  const auto own = static_cast<ge::Format>(given.format < 0 ? format : given.format);
  const auto origin_format =
      given.origin_format < 0 ? own : static_cast<ge::Format>(given.origin_format);
  const gert::StorageFormat formats(origin_format, own, gert::ExpandDimsType());
  const auto type = static_cast<ge::DataType>(given.dtype < 0 ? dtype : given.dtype);
  const gert::Shape origin = shape_of(given.shape, one.name);
  const gert::Shape storage =
      given.storage_shape.empty() ? origin : shape_of(given.storage_shape, one.name);
  slot.tensor =
      gert::Tensor({origin, storage}, formats,
                   given.data == nullptr ? gert::kOnDeviceHbm : gert::kOnHost, type, given.data);
  if (!output && !one.value_depend) {
    slot.tensor.SetPlacement(gert::kOnDeviceHbm);
    slot.tensor.MarkUndeclared();
  }
  slot.desc = gert::CompileTimeTensorDesc(type, formats);
  slot.view = !given.strides.empty();
  for (const int64_t stride : given.strides) slot.strides.AppendStride(stride);
  slot.offset = given.offset;
  return slot;
}

// Names as on vinci's command line, where Ascend910B is Ascend910B1.
const Platform* chip_named(const std::string& soc) {
  const Soc* found = find_soc(soc);
  if (found != nullptr) return platform(std::string(found->name).c_str());
  throw Error(Error::Kind::kCall, fmt::format("there is no chip {} (see vinci list)", soc));
}

float float_of(const json& value) {
  if (!value.is_string()) return static_cast<float>(value.get<double>());
  if (value == "nan") return std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  return value == "inf" ? infinity : -infinity;
}

template <typename T>
T value_of(const json& value) {
  if constexpr (std::is_same_v<T, float>) {
    return float_of(value);
  } else {
    return value.get<T>();
  }
}

}  // namespace

Context::Context(const Operator& op, const Call& call, const Row& row)
    : platform_(chip_named(call.soc)) {
  const Definition& definition = op.definition;
  const Chip& chip = definition.on(call.soc);
  inputs_ = side_of(chip.inputs, call.inputs, row.input_dtypes, row.input_formats, false);
  for (size_t i = 0; i < chip.inputs.size() && dynamic_tensors_ == 0; ++i) {
    if (chip.inputs[i].dynamic()) dynamic_tensors_ = inputs_.instances[i].GetInstanceNum();
  }
  counts_wanted_ = call.outputs.empty() && dynamic_tensors_ == 0 && !chip.outputs.empty() &&
                   chip.outputs.back().dynamic();
  outputs_ = side_of(chip.outputs, call.outputs, row.output_dtypes, row.output_formats, true);
  const std::vector<json> values = attribute_values(definition, call);
  for (size_t i = 0; i < values.size(); ++i) {
    add_attribute(definition.attributes[i].type, values[i]);
  }
  attributes_ = std::make_unique<gert::RuntimeAttrs>(values_.data(), values_.size());
  node_ = std::make_unique<gert::ComputeNodeInfo>(data_);
  data_.type = definition.type.c_str();
  data_.name = data_.type;
  data_.platform = &platform_;
  const auto show = [](Side& side) {
    return Tensors{side.slots.data(), side.slots.size(), side.instances.data(),
                   side.instances.size()};
  };
  data_.inputs = show(inputs_);
  data_.outputs = show(outputs_);
  data_.attributes = attributes_.get();
  data_.node = node_.get();
  data_.deterministic = call.deterministic ? 1 : 0;
}

uint32_t Context::cores() const {
  const Platform& chip = *platform_.chip();
  return std::max(chip.ai_cores + chip.vector_cores, chip.aivs);
}

// For outputs of which the call says nothing; 0: it cannot be known.
size_t Context::tensors_of(const Parameter& output, bool is_last) const {
  if (!output.dynamic()) return 1;
  if (dynamic_tensors_ > 0) return dynamic_tensors_;
  return is_last ? kMostTensors : 0;
}

void Context::keep_wanted_outputs() {
  if (!counts_wanted_) return;
  const gert::AnchorInstanceInfo last = outputs_.instances.back();
  size_t count = 0;
  for (size_t i = 0; i < last.GetInstanceNum(); ++i) {
    if (outputs_.slots[last.GetInstanceStart() + i].wanted) count = i + 1;
  }
  outputs_.instances.back() = {static_cast<uint32_t>(last.GetInstanceStart()),
                               static_cast<uint32_t>(count)};
  data_.outputs.count = last.GetInstanceStart() + count;
}

Context::Side Context::side_of(const std::vector<Parameter>& parameters,
                               const std::vector<std::optional<std::vector<Tensor>>>& given,
                               const std::vector<int>& dtypes, const std::vector<int>& formats,
                               bool outputs) {
  Side side;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const auto start = static_cast<uint32_t>(side.slots.size());
    const Parameter& one = parameters[i];
    if (i < given.size() && given[i]) {
      for (const Tensor& tensor : *given[i]) {
        side.slots.push_back(slot_of(one, tensor, dtypes[i], formats[i], outputs));
      }
    } else if (const size_t count =
                   outputs && given.empty() ? tensors_of(one, i + 1 == parameters.size()) : 0;
               count > 0) {
      side.slots.insert(side.slots.end(), count, slot_of(one, {}, dtypes[i], formats[i], outputs));
    } else {
      side.slots.emplace_back();  // an absent one keeps its place
      side.instances.emplace_back(start, 0);
      continue;
    }
    side.instances.emplace_back(start, static_cast<uint32_t>(side.slots.size()) - start);
  }
  return side;
}

void* Context::room(size_t bytes) {
  return memory_.emplace_back((bytes + sizeof(uint64_t)) / sizeof(uint64_t) + 1).data();
}

template <typename T>
void Context::add_vector(const json& value) {
  void* place = room(gert::ContinuousVector::Bytes(value.size(), sizeof(T)));
  auto* made = new (place) gert::TypedContinuousVector<T>;
  made->Init(value.size());
  made->SetSize(value.size());
  for (size_t i = 0; i < value.size(); ++i) made->MutableData()[i] = value_of<T>(value[i]);
  values_.push_back({gert::RuntimeAttrs::Kind::kVector, made});
}

void Context::add_vector_vector(const json& value) {
  void* place = room(gert::ContinuousVectorVector::Bytes(value));
  const auto* made = gert::ContinuousVectorVector::Fill(place, value);
  values_.push_back({gert::RuntimeAttrs::Kind::kVectorVector, made});
}

void Context::add_attribute(const std::string& type, const json& value) {
  using Kind = gert::RuntimeAttrs::Kind;
  if (type == "list_int") return add_vector<int64_t>(value);
  if (type == "list_float") return add_vector<float>(value);
  if (type == "list_bool") return add_vector<bool>(value);
  if (type == "list_list_int") return add_vector_vector(value);
  if (type == "string") {
    const std::string text = value;
    void* place = room(text.size() + 1);
    std::memcpy(place, text.c_str(), text.size() + 1);
    values_.push_back({Kind::kString, place});
    return;
  }
  void* place = room(sizeof(int64_t));
  if (type == "int") {
    *new (place) int64_t = value.get<int64_t>();
    values_.push_back({Kind::kInt, place});
  } else if (type == "float") {
    *new (place) float = float_of(value);
    values_.push_back({Kind::kFloat, place});
  } else {
    *new (place) bool = value.get<bool>();
    values_.push_back({Kind::kBool, place});
  }
}

}  // namespace vinci::op
