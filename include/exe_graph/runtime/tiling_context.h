// What a tiling function is given, and what it fills.
#pragma once

#include "exe_graph/runtime/extended_kernel_context.h"

namespace gert {

struct Dim3 {
  Dim3(uint32_t in_x, uint32_t in_y = 1, uint32_t in_z = 1) : x(in_x), y(in_y), z(in_z) {}
  uint32_t x, y, z;
};

class TilingContext : public TensorContext {
 public:
  using TensorContext::TensorContext;

  template <typename T>
  const T* GetCompileInfo() const {
    return static_cast<const T*>(GetCompileInfo());
  }
  const void* GetCompileInfo() const {
    if (data_->compile_info == nullptr) {
      vinci::op::gave_null("GetCompileInfo", "the operator has no TilingParse");
    }
    return data_->compile_info;
  }
  fe::PlatFormInfos* GetPlatformInfo() const { return data_->platform; }
  int32_t GetDeterministic() const { return data_->deterministic; }
  int32_t GetDeterministicLevel() const { return data_->deterministic; }

  // Tensors by their number; by the number of the declared parameter.
  const StorageShape* GetInputShape(size_t index) const {
    return storage_shape_of(data_->inputs.at("GetInputShape", index));
  }
  const StorageShape* GetOptionalInputShape(size_t declared) const {
    return storage_shape_of(data_->inputs.at("GetOptionalInputShape", declared, 0));
  }
  const StorageShape* GetRequiredInputShape(size_t declared) const {
    return storage_shape_of(data_->inputs.at("GetRequiredInputShape", declared, 0));
  }
  const StorageShape* GetDynamicInputShape(size_t declared, size_t index) const {
    return storage_shape_of(data_->inputs.at("GetDynamicInputShape", declared, index));
  }
  const StorageShape* GetOutputShape(size_t index) const {
    return storage_shape_of(data_->outputs.at("GetOutputShape", index));
  }
  const StorageShape* GetRequiredOutputShape(size_t declared) const {
    return storage_shape_of(data_->outputs.at("GetRequiredOutputShape", declared, 0));
  }
  const StorageShape* GetDynamicOutputShape(size_t declared, size_t index) const {
    return storage_shape_of(data_->outputs.at("GetDynamicOutputShape", declared, index));
  }

  // Of tensors that are no views: false, nullptr, -1.
  bool InputIsView(size_t index) const { return is_view(data_->inputs, index); }
  bool OptionalInputIsView(size_t declared) const { return is_view(data_->inputs, declared, 0); }
  bool RequiredInputIsView(size_t declared) const { return is_view(data_->inputs, declared, 0); }
  bool DynamicInputIsView(size_t declared, size_t index) const {
    return is_view(data_->inputs, declared, index);
  }
  bool OutputIsView(size_t index) const { return is_view(data_->outputs, index); }
  const Stride* GetInputStride(size_t index) const { return stride(data_->inputs, index); }
  const Stride* GetOptionalInputStride(size_t declared) const {
    return stride(data_->inputs, declared, 0);
  }
  const Stride* GetRequiredInputStride(size_t declared) const {
    return stride(data_->inputs, declared, 0);
  }
  const Stride* GetDynamicInputStride(size_t declared, size_t index) const {
    return stride(data_->inputs, declared, index);
  }
  const Stride* GetOutputStride(size_t index) const { return stride(data_->outputs, index); }
  int64_t GetInputOffset(size_t index) const { return offset(data_->inputs, index); }
  int64_t GetOptionalInputOffset(size_t declared) const {
    return offset(data_->inputs, declared, 0);
  }
  int64_t GetRequiredInputOffset(size_t declared) const {
    return offset(data_->inputs, declared, 0);
  }
  int64_t GetDynamicInputOffset(size_t declared, size_t index) const {
    return offset(data_->inputs, declared, index);
  }
  int64_t GetOutputOffset(size_t index) const { return offset(data_->outputs, index); }

  ge::graphStatus SetTilingKey(uint64_t key) {
    result().key = key;
    return ge::GRAPH_SUCCESS;
  }
  uint64_t GetTilingKey() const { return result().key; }

  // The number of blocks, under three names.
  ge::graphStatus SetSimdNumBlocks(uint32_t blocks) {
    if (blocks == 0 || blocks > 65535) {
      vinci::op::mistake("the number of blocks is 0, or more than 65535", "1 to 65535 blocks");
    }
    if (result().cores != 0 && blocks > result().cores) {
      vinci::op::doubt(
          "there are more blocks than cores: they run in turns, and must not wait for each other");
    }
    result().blocks = blocks;
    result().blocks_said = true;
    return ge::GRAPH_SUCCESS;
  }
  ge::graphStatus SetBlockDim(uint32_t blocks) { return SetSimdNumBlocks(blocks); }
  uint32_t GetSimdNumBlocks() const { return result().blocks; }
  uint32_t GetBlockDim() const { return result().blocks; }

  ge::graphStatus SetAicpuBlockDim(uint32_t blocks) {
    result().aicpu_blocks = blocks;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetAicpuBlockDim() const { return result().aicpu_blocks; }
  ge::graphStatus SetNeedAtomic(bool needed) {
    result().needs_atomic = needed;
    return ge::GRAPH_SUCCESS;
  }
  bool NeedAtomic() const { return result().needs_atomic; }
  bool GetNeedAtomic() const { return result().needs_atomic; }
  ge::graphStatus SetTilingCond(int32_t condition) {
    result().condition = condition;
    return ge::GRAPH_SUCCESS;
  }
  int32_t GetTilingCond() const { return result().condition; }
  ge::graphStatus SetScheduleMode(uint32_t mode) {
    result().schedule_mode = mode;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetScheduleMode() const { return result().schedule_mode; }
  ge::graphStatus SetLocalMemorySize(uint32_t bytes) {
    result().local_memory_bytes = bytes;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetLocalMemorySize() const { return result().local_memory_bytes; }
  ge::graphStatus SetDynUBufSize(uint32_t bytes) { return SetLocalMemorySize(bytes); }
  ge::graphStatus SetSimtBlockDim(const Dim3& dim) {
    result().simt_block = vinci::op::Dimensions(dim.x, dim.y, dim.z);
    return ge::GRAPH_SUCCESS;
  }
  ge::graphStatus SetSimtGridDim(const Dim3& dim) {
    result().simt_grid = vinci::op::Dimensions(dim.x, dim.y, dim.z);
    return ge::GRAPH_SUCCESS;
  }

  // The kernel's struct in the tiling data, whose size becomes T's; nullptr, if there is no room.
  template <typename T>
  T* GetTilingData() {
    TilingData* data = result().data;
    if (data == nullptr) {
      vinci::op::gave_null("GetTilingData", "the context was built without TilingData");
      return nullptr;
    }
    if (data->GetCapacity() < sizeof(T)) {
      vinci::op::mistake("the tiling struct is larger than the tiling data can be",
                         "no more bytes than GetRawTilingData()->GetCapacity()");
      return nullptr;
    }
    data->SetDataSize(sizeof(T));
    result().data_type = vinci::op::type_text<T>();
    return static_cast<T*>(data->GetData());
  }
  TilingData* GetRawTilingData() { return result().data; }
  const TilingData* GetRawTilingData() const { return result().data; }

  // Room for the sizes of so many workspaces; nullptr, if there are not so many.
  size_t* GetWorkspaceSizes(size_t count) {
    if (result().workspaces == nullptr) {
      vinci::op::gave_null("GetWorkspaceSizes", "the context was built without Workspace");
      return nullptr;
    }
    if (result().workspaces->SetSize(count) != ge::GRAPH_SUCCESS) {
      vinci::op::mistake("an operator has not so many workspaces", "20 at most");
      return nullptr;
    }
    return result().workspaces->MutableData();
  }
  size_t GetWorkspaceNum() const {
    return result().workspaces == nullptr ? 0 : result().workspaces->GetSize();
  }

 private:
  vinci::op::TilingResult& result() const { return *data_->tiling; }

  template <typename... Index>
  static bool is_view(const vinci::op::Tensors& tensors, Index... index) {
    const auto* slot = tensors.at("IsView", index...);
    return slot != nullptr && slot->view;
  }
  template <typename... Index>
  static const Stride* stride(const vinci::op::Tensors& tensors, Index... index) {
    const auto* slot = tensors.at("Stride", index...);
    return slot != nullptr && slot->view ? &slot->strides : nullptr;
  }
  template <typename... Index>
  static int64_t offset(const vinci::op::Tensors& tensors, Index... index) {
    const auto* slot = tensors.at("Offset", index...);
    return slot != nullptr && slot->view ? slot->offset : -1;
  }
};

}  // namespace gert
