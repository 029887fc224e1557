// The definition of an operator: its inputs, outputs and attributes, its functions, its chips.
#pragma once

#include <list>
#include <vector>

#include "register/op_impl_registry.h"
#include "register/op_param_def.h"

namespace ge {
class Operator;
}

namespace ops {

// The parameters of one side, found by name.
class OpParamList {
 public:
  OpParamDef& named(const char* name) {
    for (OpParamDef& one : list_) {
      if (vinci::op::Text(name) == one.name()) return one;
    }
    list_.emplace_back(name);
    return list_.back();
  }
  void write(vinci::op::JsonText& json) const {
    json.open('[');
    for (const OpParamDef& one : list_) one.write(json);
    json.close(']');
  }

 private:
  std::list<OpParamDef> list_;  // references stay
};

// What is different on one chip. Its parameters replace those of the same name.
class OpAICoreConfig {
 public:
  OpAICoreConfig() = default;
  explicit OpAICoreConfig(const char*) {}

  OpParamDef& Input(const char* name) { return inputs_.named(name); }
  OpParamDef& Output(const char* name) { return outputs_.named(name); }
  OpAICoreConfig& ExtendCfgInfo(const char* key, const char* value) {
    for (Entry& entry : options_) {
      if (entry.key == key) {
        entry.value = value;
        return *this;
      }
    }
    options_.push_back({key, value});
    return *this;
  }
  OpAICoreConfig& DynamicShapeSupportFlag(bool on) { return flag("dynamicShapeSupport.flag", on); }
  OpAICoreConfig& DynamicCompileStaticFlag(bool on) {
    return flag("dynamicCompileStatic.flag", on);
  }
  OpAICoreConfig& DynamicRankSupportFlag(bool on) { return flag("dynamicRankSupport.flag", on); }
  OpAICoreConfig& DynamicFormatFlag(bool on) { return flag("dynamicFormat.flag", on); }
  OpAICoreConfig& NeedCheckSupportFlag(bool on) { return flag("needCheckSupport.flag", on); }
  OpAICoreConfig& PrecisionReduceFlag(bool on) { return flag("precision_reduce.flag", on); }

  void write(vinci::op::JsonText& json) const {
    json.open('{').key("inputs");
    inputs_.write(json);
    json.key("outputs");
    outputs_.write(json);
    json.key("options").open('{');
    for (const Entry& entry : options_) json.member(entry.key.c_str(), entry.value.c_str());
    json.close('}').close('}');
  }

 private:
  struct Entry {
    vinci::op::Text key, value;
  };

  OpAICoreConfig& flag(const char* key, bool on) {
    return ExtendCfgInfo(key, on ? "true" : "false");
  }

  OpParamList inputs_, outputs_;
  std::vector<Entry> options_;
};

class OpAICoreDef {
 public:
  OpAICoreDef& SetTiling(gert::OpImplRegisterV2::TilingKernelFunc function) {
    tiling_ = function;
    return *this;
  }
  gert::OpImplRegisterV2::TilingKernelFunc& GetTiling() { return tiling_; }
  OpAICoreDef& AddConfig(const char* soc) {
    OpAICoreConfig config(soc);
    return AddConfig(soc, config);
  }
  OpAICoreDef& AddConfig(const char* soc, const OpAICoreConfig& config) {
    for (Chip& chip : chips_) {
      if (chip.name == soc) {
        chip.config = config;
        return *this;
      }
    }
    chips_.push_back({soc, config});
    return *this;
  }
  OpAICoreDef& LaunchWithZeroEleOutputTensors(bool on) {
    launches_empty_ = on;
    return *this;
  }

  // What is asked while graphs are compiled: taken, and never called. Compile information comes from
  // IMPL_OP_OPTILING(...).TilingParse alone, which says its type.
  template <typename Function>
  OpAICoreDef& SetTilingParse(Function) {
    return *this;
  }
  template <typename Function>
  OpAICoreDef& SetCheckSupport(Function) {
    return *this;
  }
  template <typename Function>
  OpAICoreDef& SetOpSelectFormat(Function) {
    return *this;
  }
  template <typename Function>
  OpAICoreDef& SetOpSupportInfo(Function) {
    return *this;
  }
  template <typename Function>
  OpAICoreDef& SetOpSpecInfo(Function) {
    return *this;
  }
  template <typename Function>
  OpAICoreDef& SetParamGeneralize(Function) {
    return *this;
  }

  void write(vinci::op::JsonText& json) const {
    json.member("launches_empty", launches_empty_).key("chips").open('{');
    for (const Chip& chip : chips_) {
      json.key(chip.name.c_str());
      chip.config.write(json);
    }
    json.close('}');
  }

 private:
  struct Chip {
    vinci::op::Text name;
    OpAICoreConfig config;
  };

  gert::OpImplRegisterV2::TilingKernelFunc tiling_ = nullptr;
  std::vector<Chip> chips_;
  bool launches_empty_ = false;
};

enum class HcclServerType { AICPU = 0, AICORE = 1, CCU = 2, MAX };
// A call need not give the attributes that name groups: there is one device.
class OpMC2Def {
 public:
  OpMC2Def& HcclGroup(const char* value) { return HcclGroup(std::vector<const char*>{value}); }
  OpMC2Def& HcclGroup(std::vector<const char*> value) {
    groups_.assign(value.begin(), value.end());
    return *this;
  }
  OpMC2Def& HcclServerType(enum HcclServerType, const char* = nullptr) { return *this; }

  void write(vinci::op::JsonText& json) const {
    json.key("groups").open('[');
    for (const vinci::op::Text& group : groups_) json.value(group.c_str());
    json.close(']');
  }

 private:
  std::vector<vinci::op::Text> groups_;
};
// Those of CPUs are told apart and refused when they are called.
template <typename Self>
class OpCpuDefinition {
 public:
  Self& OpKernelLib(const char*) { return self(); }
  Self& Engine(const char*) { return self(); }
  Self& ComputeCost(const char*) { return self(); }
  Self& FlagPartial(bool) { return self(); }
  Self& FlagAsync(bool) { return self(); }
  Self& KernelSo(const char*) { return self(); }
  Self& FunctionName(const char*) { return self(); }
  Self& UserDefined(bool) { return self(); }
  Self& ExtendCfgInfo(const char*, const char*) { return self(); }

 private:
  Self& self() { return static_cast<Self&>(*this); }
};
class OpAICPUDef : public OpCpuDefinition<OpAICPUDef> {};
class OpHostCPUDef : public OpCpuDefinition<OpHostCPUDef> {};

class OpDef {
 public:
  explicit OpDef(const char* type) : type_(type) {}

  OpParamDef& Input(const char* name) { return inputs_.named(name); }
  OpParamDef& Output(const char* name) { return outputs_.named(name); }
  OpAttrDef& Attr(const char* name) {
    for (OpAttrDef& one : attributes_) {
      if (one.GetName() == name) return one;
    }
    attributes_.emplace_back(name);
    return attributes_.back();
  }
  OpDef& SetInferShape(gert::OpImplRegisterV2::InferShapeKernelFunc function) {
    infer_shape_ = function;
    return *this;
  }
  OpDef& SetInferDataType(gert::OpImplRegisterV2::InferDataTypeKernelFunc function) {
    infer_dtype_ = function;
    return *this;
  }
  OpDef& SetInferShapeRange(gert::OpImplRegisterV2::InferShapeRangeKernelFunc) { return *this; }
  gert::OpImplRegisterV2::InferShapeKernelFunc& GetInferShape() { return infer_shape_; }
  gert::OpImplRegisterV2::InferDataTypeKernelFunc& GetInferDataType() { return infer_dtype_; }
  OpAICoreDef& AICore() { return core_; }
  OpAICPUDef& AICPU() { return use(cpu_, cpu_used_); }
  OpHostCPUDef& HostCPU() { return use(host_cpu_, cpu_used_); }
  OpMC2Def& MC2() { return communication_; }
  OpDef& FormatMatchMode(FormatCheckOption option) {
    strict_formats_ = option == FormatCheckOption::STRICT;
    return *this;
  }
  OpDef& EnableFallBack() { return *this; }
  OpDef& Comment(CommentSection, const char*) { return *this; }
  const char* GetOpType() const { return type_.c_str(); }

  // What OP_ADD does. `file` is the source that says it.
  void add(const char* type, const char* file) {
    vinci::op::JsonText json;
    json.open('{').member("type", type).member("file", file).key("inputs");
    inputs_.write(json);
    json.key("outputs");
    outputs_.write(json);
    json.key("attributes").open('[');
    for (const OpAttrDef& attribute : attributes_) attribute.write(json);
    json.close(']').member("strict_formats", strict_formats_);
    json.member("on_cpu", cpu_used_);
    communication_.write(json);
    core_.write(json);
    json.close('}');
    vinci::op::add_definition(type, json.text());
    vinci::op::Functions functions;
    functions.tiling = core_.GetTiling();
    functions.infer_shape = infer_shape_;
    functions.infer_dtype = infer_dtype_;
    vinci::op::add_functions(type, functions);
  }

 private:
  template <typename T>
  static T& use(T& part, bool& used) {
    used = true;
    return part;
  }

  vinci::op::Text type_;
  OpParamList inputs_, outputs_;
  std::list<OpAttrDef> attributes_;
  gert::OpImplRegisterV2::InferShapeKernelFunc infer_shape_ = nullptr;
  gert::OpImplRegisterV2::InferDataTypeKernelFunc infer_dtype_ = nullptr;
  OpAICoreDef core_;
  OpAICPUDef cpu_;
  OpHostCPUDef host_cpu_;
  OpMC2Def communication_;
  bool cpu_used_ = false, strict_formats_ = false;
};

}  // namespace ops
