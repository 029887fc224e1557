// Contexts for tiling functions that are called by hand, to test them: ContextBuilder makes one of
// shapes, types and attributes, OpTilingRegistry finds the function in a library.
// Sources and decisions: docs/spec/context_builder.md.
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "exe_graph/runtime/tiling_parse_context.h"
#include "tiling/context/context_parts.h"

struct KernelRunContext;

namespace context_ascendc {

// A context and what it points to.
struct KernelRunContextHolder {
  KernelRunContextHolder() = default;
  explicit KernelRunContextHolder(std::unique_ptr<in_api::Parts> made)
      : context(reinterpret_cast<KernelRunContext*>(&made->context)), parts_(std::move(made)) {}

  // T: gert::TilingContext, gert::TilingParseContext or gert::KernelContext, which all are a
  // pointer to the same data.
  template <typename T>
  T* GetContext() const {
    return reinterpret_cast<T*>(context);
  }
  gert::ComputeNodeInfo* MutableComputeNodeInfo() {
    return parts_ == nullptr ? nullptr : &parts_->node;
  }

  std::unique_ptr<uint8_t[]> valueHolder;
  std::unique_ptr<uint8_t[]> computeNodeExtendHolder;
  KernelRunContext* context{nullptr};

 private:
  std::unique_ptr<in_api::Parts> parts_;
};

class ContextBuilder {
 public:
  ContextBuilder() : parts_(new in_api::Parts) {}

  // Of BuildKernelRunContext. A TilingParse function finds the platform at input 1, and at output 0
  // where what it makes goes.
  ContextBuilder& Inputs(std::vector<void*> inputs) {
    inputs_ = std::move(inputs);
    return *this;
  }
  ContextBuilder& Outputs(std::vector<void*> outputs) {
    outputs_ = std::move(outputs);
    return *this;
  }

  // How many parameters the operator's definition has, and how many tensors each input: 1, 0 of an
  // optional one that is absent, any number of a dynamic one.
  ContextBuilder& NodeIoNum(size_t inputNum, size_t outputNum) {
    declared_inputs_ = inputNum;
    in_api::declare(std::vector<uint32_t>(outputNum, 1), parts_->outputs, parts_->output_instances);
    has_nodes_ = true;
    return *this;
  }
  ContextBuilder& IrInstanceNum(std::vector<uint32_t> instanceNum) {
    if (!has_nodes_ || instanceNum.size() != declared_inputs_) {
      mistake("IrInstanceNum: as many numbers as NodeIoNum has inputs, and after it");
    }
    in_api::declare(instanceNum, parts_->inputs, parts_->input_instances);
    return *this;
  }
  ContextBuilder& SetOpNameType(const std::string& opName, const std::string& opType) {
    parts_->name = opName;
    parts_->type = opType;
    return *this;
  }

  // An input, by the number of its tensor; its values, if the tiling reads them: of half and
  // bfloat16 given as floats, or as bytes in a file.
  ContextBuilder& AddInputTd(int32_t index, ge::DataType dtype, ge::Format originFormat,
                             ge::Format storageFormat, gert::StorageShape storageShape) {
    return add(parts_->inputs, "AddInputTd", index, dtype, originFormat, storageFormat,
               storageShape, nullptr);
  }
  ContextBuilder& AddInputTd(int32_t index, ge::DataType dtype, ge::Format originFormat,
                             ge::Format storageFormat, gert::StorageShape storageShape,
                             void* constValues) {
    const size_t count = count_of(storageShape);
    uint8_t* values = nullptr;
    if (constValues != nullptr && (dtype == ge::DT_FLOAT16 || dtype == ge::DT_BF16)) {
      values = in_api::converted(*parts_, dtype, static_cast<const float*>(constValues), count);
    } else if (constValues != nullptr) {
      values = parts_->keep(constValues, bytes_of(storageShape, dtype));
    }
    return add(parts_->inputs, "AddInputTd", index, dtype, originFormat, storageFormat,
               storageShape, values);
  }
  ContextBuilder& AddInputTd(int32_t index, ge::DataType dtype, ge::Format originFormat,
                             ge::Format storageFormat, gert::StorageShape storageShape,
                             const std::string& filePath) {
    return add(parts_->inputs, "AddInputTd", index, dtype, originFormat, storageFormat,
               storageShape, in_api::read_file(*parts_, filePath, bytes_of(storageShape, dtype)));
  }
  ContextBuilder& AddOutputTd(int32_t index, ge::DataType dtype, ge::Format originFormat,
                              ge::Format storageFormat, gert::StorageShape storageShape) {
    return add(parts_->outputs, "AddOutputTd", index, dtype, originFormat, storageFormat,
               storageShape, nullptr);
  }

  // Attributes, in the order of the definition. A list of strings cannot be read by a tiling
  // function here, and is refused.
  ContextBuilder& AddAttr(const std::string& attrName, int64_t attrValue) {
    return scalar(attrName, gert::RuntimeAttrs::Kind::kInt, attrValue);
  }
  ContextBuilder& AddAttr(const std::string& attrName, int attrValue) {
    return AddAttr(attrName, int64_t{attrValue});
  }
  ContextBuilder& AddAttr(const std::string& attrName, bool attrValue) {
    return scalar(attrName, gert::RuntimeAttrs::Kind::kBool, attrValue);
  }
  ContextBuilder& AddAttr(const std::string& attrName, float attrValue) {
    return scalar(attrName, gert::RuntimeAttrs::Kind::kFloat, attrValue);
  }
  ContextBuilder& AddAttr(const std::string& attrName, const std::string& attrValue) {
    if (is_new(attrName)) {
      parts_->values.push_back({gert::RuntimeAttrs::Kind::kString,
                                parts_->keep(attrValue.c_str(), attrValue.size() + 1)});
    }
    return *this;
  }
  ContextBuilder& AddAttr(const std::string& attrName, const char* attrValue) {
    return AddAttr(attrName, std::string(attrValue));
  }
  ContextBuilder& AddAttr(const std::string& attrName, const std::vector<float>& attrValue) {
    return list(attrName, attrValue);
  }
  ContextBuilder& AddAttr(const std::string& attrName, const std::vector<bool>& attrValue) {
    return list(attrName, attrValue);
  }
  ContextBuilder& AddAttr(const std::string& attrName, const std::vector<int64_t>& attrValue) {
    return list(attrName, attrValue);
  }
  ContextBuilder& AddAttr(const std::string& attrName,
                          const std::vector<std::vector<int64_t>>& attrValue) {
    if (is_new(attrName)) in_api::add_vectors(*parts_, attrValue);
    return *this;
  }
  ContextBuilder& AddAttr(const std::string& attrName, const std::vector<std::string>&) {
    mistake(("AddAttr: " + attrName + " is a list of strings, which is not there").c_str());
    return *this;
  }

  // What TilingParse has made; the chip, as a pointer to fe::PlatFormInfos or by its name (nullptr:
  // the program's own); where the tiling goes (CreateCap), and the sizes of workspaces.
  ContextBuilder& CompileInfo(void* compileInfo) {
    parts_->data.compile_info = compileInfo;
    return *this;
  }
  ContextBuilder& PlatformInfo(void* platformInfo) {
    parts_->data.platform = static_cast<fe::PlatFormInfos*>(platformInfo);
    return *this;
  }
  ContextBuilder& AddPlatformInfo(const char* customSocVersion) {
    const vinci::Platform* chip = vinci::platform(customSocVersion);
    if (chip == nullptr) mistake("AddPlatformInfo: there is no such chip (see vinci list)");
    parts_->platform = fe::PlatFormInfos(chip);
    return PlatformInfo(&parts_->platform);
  }
  ContextBuilder& TilingData(void* tilingData) {
    parts_->result.data = static_cast<gert::TilingData*>(tilingData);
    return *this;
  }
  ContextBuilder& Workspace(gert::ContinuousVector* workspace) {
    parts_->result.workspaces = static_cast<gert::TypedContinuousVector<size_t>*>(workspace);
    return *this;
  }

  // The context; the builder is empty then.
  std::shared_ptr<KernelRunContextHolder> BuildTilingContext() { return build(); }
  std::shared_ptr<KernelRunContextHolder> BuildKernelRunContext() {
    if (inputs_.size() > 1) PlatformInfo(inputs_[1]);
    if (!outputs_.empty()) CompileInfo(outputs_[0]);
    parts_->input_pointers = std::move(inputs_);
    parts_->output_pointers = std::move(outputs_);
    return build();
  }

 private:
  static void mistake(const char* text) {
    vinci::op::mistake(text, "vinci explain context_builder");
  }
  static size_t count_of(const gert::StorageShape& shape) {
    return static_cast<size_t>(std::max<int64_t>(0, shape.GetStorageShape().GetShapeSize()));
  }
  static size_t bytes_of(const gert::StorageShape& shape, ge::DataType type) {
    const int64_t bytes = ge::GetSizeInBytes(static_cast<int64_t>(count_of(shape)), type);
    return static_cast<size_t>(std::max<int64_t>(0, bytes));
  }
  std::shared_ptr<KernelRunContextHolder> build() {
    parts_->settle();
    auto made = std::make_shared<KernelRunContextHolder>(std::move(parts_));
    *this = ContextBuilder();
    return made;
  }
  ContextBuilder& add(std::vector<vinci::op::TensorSlot>& side, const char* call, int32_t index,
                      ge::DataType dtype, ge::Format origin, ge::Format storage,
                      const gert::StorageShape& shape, void* values) {
    if (index < 0 || static_cast<size_t>(index) >= side.size()) {
      mistake((std::string(call) + ": there is no tensor " + std::to_string(index) +
               ", by NodeIoNum and IrInstanceNum before it")
                  .c_str());
      return *this;
    }
    vinci::op::TensorSlot& slot = side[static_cast<size_t>(index)];
    const gert::StorageFormat format(origin, storage, gert::ExpandDimsType());
    slot.present = true;
    slot.tensor = gert::Tensor(
        shape, format, values == nullptr ? gert::kOnDeviceHbm : gert::kOnHost, dtype, values);
    slot.desc = gert::CompileTimeTensorDesc(dtype, format);
    return *this;
  }
  bool is_new(const std::string& name) {
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
      mistake(("AddAttr: " + name + " is there already").c_str());
      return false;
    }
    names_.push_back(name);
    return true;
  }
  template <typename T>
  ContextBuilder& scalar(const std::string& name, gert::RuntimeAttrs::Kind kind, T value) {
    if (is_new(name)) in_api::add_value(*parts_, kind, value);
    return *this;
  }
  template <typename T>
  ContextBuilder& list(const std::string& name, const std::vector<T>& values) {
    if (is_new(name)) in_api::add_vector(*parts_, values);
    return *this;
  }

  std::unique_ptr<in_api::Parts> parts_;
  std::vector<void*> inputs_, outputs_;
  size_t declared_inputs_ = 0;
  bool has_nodes_ = false;
  std::vector<std::string> names_;  // of attributes
};

using TilingFunc = uint32_t (*)(gert::TilingContext*);

// Tiling functions of libraries that it loads. A library stays loaded.
class OpTilingRegistry {
 public:
  // Whether it could be loaded; if not, why is told in the log.
  bool LoadTilingLibrary(const char* tilingSoPath) const {
    if (tilingSoPath != nullptr && dlopen(tilingSoPath, RTLD_NOW | RTLD_GLOBAL) != nullptr) {
      return true;
    }
    const char* why = tilingSoPath == nullptr ? "no path" : dlerror();
    vinci::op::log(3, __FILE__, __LINE__, why == nullptr ? "it cannot be loaded" : why);
    return false;
  }
  // nullptr: no library has one for this operator.
  TilingFunc GetTilingFunc(const char* opType) const {
    return opType == nullptr ? nullptr : vinci::op::tiling_function(opType);
  }
};

}  // namespace context_ascendc
