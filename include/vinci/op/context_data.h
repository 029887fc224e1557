// What the contexts of host functions show: plain data that src/op fills, and reads when the
// function has returned.
#pragma once

#include "exe_graph/runtime/continuous_vector.h"
#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/runtime_tensor.h"
#include "exe_graph/runtime/stride.h"
#include "exe_graph/runtime/tensor_desc.h"
#include "exe_graph/runtime/tiling_data.h"

namespace fe {
class PlatFormInfos;
}
namespace gert {
class ComputeNodeInfo;
}

namespace vinci::op {

// A tensor of a call; without shape and desc the optional parameter is absent.
struct TensorSlot {
  bool present = false;
  gert::Tensor tensor;
  gert::CompileTimeTensorDesc desc;
  bool view = false;  // it has strides of its own
  gert::Stride strides;
  int64_t offset = 0;
  bool wanted = false;  // host code has asked for it
};

// The tensors of one side of a call. An index counts tensors, `declared` the definition's
// parameters, of which a dynamic one has several tensors.
struct Tensors {
  TensorSlot* slots = nullptr;
  size_t count = 0;
  gert::AnchorInstanceInfo* instances = nullptr;
  size_t declared_count = 0;

  TensorSlot* at(const char* call, size_t index) const {
    if (index >= count) {
      gave_null(call, "there are not so many tensors");
      return nullptr;
    }
    return present(call, slots[index]);
  }
  TensorSlot* at(const char* call, size_t declared, size_t index) const {
    if (declared >= declared_count) {
      gave_null(call, "the definition has fewer parameters");
      return nullptr;
    }
    if (index >= instances[declared].GetInstanceNum()) {
      gave_null(call, "the parameter is absent, or has fewer tensors");
      return nullptr;
    }
    return present(call, slots[instances[declared].GetInstanceStart() + index]);
  }
  const gert::CompileTimeTensorDesc* desc(const char* call, size_t index) const {
    const TensorSlot* slot = at(call, index);
    return slot == nullptr ? nullptr : &slot->desc;
  }
  const gert::AnchorInstanceInfo* instances_of(size_t declared) const {
    if (declared < declared_count) return &instances[declared];
    gave_null("instances", "the definition has fewer parameters");
    return nullptr;
  }

 private:
  static TensorSlot* present(const char* call, TensorSlot& slot) {
    slot.wanted = true;
    if (slot.present) return &slot;
    gave_null(call, "the optional parameter is absent");
    return nullptr;
  }
};

struct Dimensions {
  Dimensions() = default;
  Dimensions(uint32_t in_x, uint32_t in_y, uint32_t in_z) : x(in_x), y(in_y), z(in_z) {}
  uint32_t x = 0, y = 1, z = 1;
};

// What a tiling function says.
// A function's text with "T = optiling::Data" in it: without RTTI, which not all host code has.
template <typename T>
const char* type_text() {
  return __PRETTY_FUNCTION__;
}

struct TilingResult {
  uint64_t key = 0;
  uint32_t blocks = 0;
  bool blocks_said = false;
  uint32_t cores = 0;  // of the chip, of the kind of which there are more; 0: nobody counts
  bool needs_atomic = false;
  gert::TilingData* data = nullptr;
  const char* data_type = nullptr;  // what GetTilingData gave last, as type_text() has it
  gert::TypedContinuousVector<size_t>* workspaces = nullptr;
  int32_t condition = 0;
  uint32_t schedule_mode = 0;
  uint32_t local_memory_bytes = 0;
  uint32_t aicpu_blocks = 0;
  Dimensions simt_block, simt_grid;
};

// What a KernelContext was given one by one.
struct Pointers {
  void** list = nullptr;
  size_t count = 0;

  // Where pointer `index` stands; nullptr: there are not so many.
  void** at(const char* call, size_t index) const {
    if (index < count) return list + index;
    gave_null(call, "there are not so many");
    return nullptr;
  }
};

struct ContextData {
  const char* type = nullptr;
  const char* name = nullptr;
  fe::PlatFormInfos* platform = nullptr;
  Tensors inputs, outputs;
  gert::RuntimeAttrs* attributes = nullptr;
  gert::ComputeNodeInfo* node = nullptr;
  void* compile_info = nullptr;
  int32_t deterministic = 0;
  TilingResult* tiling = nullptr;  // of tiling functions
  Pointers input_pointers, output_pointers;
};

}  // namespace vinci::op
