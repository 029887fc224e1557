// What a context that ContextBuilder makes points to, and how it is filled.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "exe_graph/runtime/compute_node_info.h"
#include "exe_graph/runtime/tiling_context.h"
#include "graph/types.h"
#include "platform/platform_infos_def.h"
#include "vinci/float_bits.h"

namespace context_ascendc::in_api {

// Owns what the context shows; addresses stay.
class Parts {
 public:
  Parts() : attributes({nullptr, 0}), node(data), context(data) { data.tiling = &result; }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  // Memory that stays as long as this.
  uint8_t* keep(std::unique_ptr<uint8_t[]> memory) {
    memory_.push_back(std::move(memory));
    return memory_.back().get();
  }
  uint8_t* keep(const void* bytes, size_t count) {
    uint8_t* place = keep(std::unique_ptr<uint8_t[]>(new uint8_t[count + 1]));
    if (count != 0) std::memcpy(place, bytes, count);
    return place;
  }

  // Tells the context where all lies, once nothing is added any more.
  void settle() {
    data.type = type.c_str();
    data.name = name.c_str();
    data.inputs = {inputs.data(), inputs.size(), input_instances.data(), input_instances.size()};
    data.outputs = {outputs.data(), outputs.size(), output_instances.data(),
                    output_instances.size()};
    attributes = gert::RuntimeAttrs(values.data(), values.size());
    data.input_pointers = {input_pointers.data(), input_pointers.size()};
    data.output_pointers = {output_pointers.data(), output_pointers.size()};
    data.attributes = &attributes;
    data.node = &node;
  }

  vinci::op::ContextData data;
  vinci::op::TilingResult result;
  std::string name, type;
  std::vector<vinci::op::TensorSlot> inputs, outputs;
  std::vector<gert::AnchorInstanceInfo> input_instances, output_instances;
  std::vector<gert::RuntimeAttrs::Value> values;
  gert::RuntimeAttrs attributes;
  gert::ComputeNodeInfo node;
  gert::TilingContext context;
  fe::PlatFormInfos platform;
  std::vector<void*> input_pointers, output_pointers;  // of KernelContext

 private:
  std::vector<std::unique_ptr<uint8_t[]>> memory_;
};

// One parameter after the other, with so many tensors each, all of them absent so far.
inline void declare(const std::vector<uint32_t>& counts, std::vector<vinci::op::TensorSlot>& slots,
                    std::vector<gert::AnchorInstanceInfo>& instances) {
  uint32_t start = 0;
  instances.clear();
  for (const uint32_t count : counts) {
    instances.emplace_back(start, count);
    start += count;
  }
  slots.assign(start, {});
}

// Values of host floats in the element type: rounded to half and bfloat16.
inline uint8_t* converted(Parts& parts, ge::DataType type, const float* values, size_t count) {
  std::vector<uint16_t> bits(count);
  for (size_t i = 0; i < count; ++i) {
    bits[i] = type == ge::DT_FLOAT16 ? vinci::half_of_float(values[i])
                                     : vinci::bfloat16_of_float(values[i]);
  }
  return parts.keep(bits.data(), count * sizeof(uint16_t));
}

// The file's bytes; nullptr: it cannot be read, or is shorter.
inline uint8_t* read_file(Parts& parts, const std::string& path, size_t bytes) {
  std::vector<char> content(bytes);
  std::ifstream file(path, std::ios::binary);
  if (!file.read(content.data(), static_cast<std::streamsize>(bytes))) {
    vinci::op::mistake(
        ("AddInputTd: " + path + " cannot be read, or has fewer bytes than the tensor").c_str(),
        "a file with the bytes of all elements");
    return nullptr;
  }
  return parts.keep(content.data(), bytes);
}

template <typename T>
void add_vector(Parts& parts, const std::vector<T>& list) {
  auto* made = reinterpret_cast<gert::TypedContinuousVector<T>*>(
      parts.keep(gert::ContinuousVector::Create<T>(list.size())));
  made->SetSize(list.size());
  for (size_t i = 0; i < list.size(); ++i) made->MutableData()[i] = list[i];
  parts.values.push_back({gert::RuntimeAttrs::Kind::kVector, made});
}

inline void add_vectors(Parts& parts, const std::vector<std::vector<int64_t>>& lists) {
  uint8_t* place = parts.keep(
      std::unique_ptr<uint8_t[]>(new uint8_t[gert::ContinuousVectorVector::Bytes(lists)]));
  parts.values.push_back(
      {gert::RuntimeAttrs::Kind::kVectorVector, gert::ContinuousVectorVector::Fill(place, lists)});
}

template <typename T>
void add_value(Parts& parts, gert::RuntimeAttrs::Kind kind, const T& value) {
  parts.values.push_back({kind, parts.keep(&value, sizeof(value))});
}

}  // namespace context_ascendc::in_api
