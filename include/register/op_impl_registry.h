// Functions of an operator beside its definition: IMPL_OP_OPTILING, IMPL_OP_INFERSHAPE, IMPL_OP.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/infer_shape_range_context.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "vinci/op/host_names.h"
#include "vinci/op/json_text.h"
#include "vinci/op/registry.h"

using UINT32 = uint32_t;

namespace gert {

enum class TilingPlacement { TILING_ON_HOST = 0, TILING_ON_AICPU = 1 };
constexpr TilingPlacement TILING_ON_HOST = TilingPlacement::TILING_ON_HOST;
constexpr TilingPlacement TILING_ON_AICPU = TilingPlacement::TILING_ON_AICPU;

// Collects what is chained behind the macro. The macro copies it when all has been said: the copy
// registers.
class OpImplRegisterV2 {
 public:
  using InferShapeKernelFunc = UINT32 (*)(InferShapeContext*);
  using InferShapeRangeKernelFunc = UINT32 (*)(InferShapeRangeContext*);
  using InferDataTypeKernelFunc = UINT32 (*)(InferDataTypeContext*);
  using TilingKernelFunc = UINT32 (*)(TilingContext*);
  using TilingParseFunc = UINT32 (*)(TilingParseContext*);
  using KernelFunc = UINT32 (*)(KernelContext*);

  explicit OpImplRegisterV2(const char* type) : type_(type) {}
  OpImplRegisterV2(const OpImplRegisterV2& said)
      : type_(said.type_), functions_(said.functions_), private_(said.private_) {
    vinci::op::add_functions(type_, functions_);
    for (vinci::op::JsonText& attribute : private_) {
      vinci::op::add_private_attribute(type_, attribute.text());
    }
  }
  OpImplRegisterV2& operator=(const OpImplRegisterV2&) = delete;

  OpImplRegisterV2& InferShape(InferShapeKernelFunc function) {
    functions_.infer_shape = function;
    return *this;
  }
  OpImplRegisterV2& InferDataType(InferDataTypeKernelFunc function) {
    functions_.infer_dtype = function;
    return *this;
  }
  OpImplRegisterV2& InferOutDataTypeSameWithFirstInput() {
    functions_.dtypes_as_first_input = true;
    return *this;
  }
  OpImplRegisterV2& Tiling(TilingKernelFunc function, size_t most_bytes = 2048) {
    functions_.tiling = function;
    functions_.most_tiling_bytes = most_bytes;
    return *this;
  }
  template <typename T>
  OpImplRegisterV2& TilingParse(TilingParseFunc function) {
    functions_.tiling_parse = function;
    return compile_info<T>();
  }
  template <typename T>
  OpImplRegisterV2& TilingParse(KernelFunc function) {
    functions_.tiling_parse_kernel = function;
    return compile_info<T>();
  }
  OpImplRegisterV2& InputsDataDependency(std::initializer_list<int32_t> declared) {
    functions_.value_dependent |= bits(declared);
    return *this;
  }
  OpImplRegisterV2& TilingInputsDataDependency(std::initializer_list<int32_t> declared) {
    return InputsDataDependency(declared);
  }
  OpImplRegisterV2& TilingInputsDataDependency(std::initializer_list<int32_t> declared,
                                               std::initializer_list<TilingPlacement>) {
    return InputsDataDependency(declared);
  }
  OpImplRegisterV2& OutputShapeDependOnCompute(std::initializer_list<int32_t> declared) {
    functions_.shape_from_kernel |= bits(declared);
    return *this;
  }

  // An attribute that no caller gives: it has its default always.
  OpImplRegisterV2& PrivateAttr(const char* name) { return required_private(name); }
  OpImplRegisterV2& PrivateAttr(const char* name, int64_t value) {
    return private_attribute(name, "int", value);
  }
  OpImplRegisterV2& PrivateAttr(const char* name, int value) {
    return private_attribute(name, "int", value);
  }
  OpImplRegisterV2& PrivateAttr(const char* name, const std::vector<int64_t>& value) {
    return private_attribute(name, "list_int", value);
  }
  OpImplRegisterV2& PrivateAttr(const char* name, const char* value) {
    return private_attribute(name, "string", value);
  }
  OpImplRegisterV2& PrivateAttr(const char* name, float value) {
    return private_attribute(name, "float", value);
  }
  OpImplRegisterV2& PrivateAttr(const char* name, bool value) {
    return private_attribute(name, "bool", value);
  }
  OpImplRegisterV2& PrivateAttr(const char* name, const std::vector<float>& value) {
    return private_attribute(name, "list_float", value);
  }

  // What only graphs and AI CPUs ask for: taken, and never called.
  OpImplRegisterV2& InferShapeRange(InferShapeRangeKernelFunc) { return *this; }
  OpImplRegisterV2& HostInputs(std::initializer_list<int32_t>) { return *this; }
  OpImplRegisterV2& NullableOutputs(std::initializer_list<int32_t>) { return *this; }
  template <typename Function>
  OpImplRegisterV2& InferFormat(Function) {
    return *this;
  }
  template <typename Function>
  OpImplRegisterV2& GenSimplifiedKey(Function) {
    return *this;
  }
  template <typename Function>
  OpImplRegisterV2& CalcOpParam(Function) {
    return *this;
  }
  template <typename Function>
  OpImplRegisterV2& GenerateTask(Function) {
    return *this;
  }
  template <typename Function>
  OpImplRegisterV2& CheckSupport(Function) {
    return *this;
  }
  template <typename Function>
  OpImplRegisterV2& OpSelectFormat(Function) {
    return *this;
  }
  template <typename Function>
  OpImplRegisterV2& OpExecuteFunc(Function) {
    functions_.calls_operators = true;
    return *this;
  }
  template <typename Prepare, typename Launch>
  OpImplRegisterV2& Op2StageExecuteFuncs(Prepare, Launch) {
    functions_.calls_operators = true;
    return *this;
  }
  template <typename Function>
  OpImplRegisterV2& ExceptionDumpParseFunc(Function) {
    return *this;
  }

 private:
  template <typename T>
  OpImplRegisterV2& compile_info() {
    functions_.new_compile_info = []() -> void* { return new T(); };
    functions_.delete_compile_info = [](void* info) { delete static_cast<T*>(info); };
    return *this;
  }
  static uint64_t bits(std::initializer_list<int32_t> list) {
    uint64_t all = 0;
    for (const int32_t one : list) {
      if (one < 0 || one > 63) {
        vinci::op::mistake("the number of a parameter is not 0 to 63", "0 to 63");
      } else {
        all |= uint64_t{1} << one;
      }
    }
    return all;
  }
  template <typename T>
  OpImplRegisterV2& private_attribute(const char* name, const char* type, const T& value) {
    vinci::op::JsonText json;
    json.open('{').member("name", name).member("type", type).member("required", false);
    json.member("default", value).close('}');
    private_.push_back(json);
    return *this;
  }
  OpImplRegisterV2& required_private(const char* name) {
    return private_attribute(name, "int", int64_t{0});
  }

  const char* type_;
  vinci::op::Functions functions_;
  std::vector<vinci::op::JsonText> private_;
};

using OpImplRegister = OpImplRegisterV2;

}  // namespace gert

#define VINCI_OP_JOIN_(a, b) a##b
#define VINCI_OP_JOIN(a, b) VINCI_OP_JOIN_(a, b)
#define VINCI_IMPL_OP(name, type) \
  __attribute__((unused)) static gert::OpImplRegisterV2 name = gert::OpImplRegisterV2(#type)

#define IMPL_OP(type) VINCI_IMPL_OP(VINCI_OP_JOIN(op_impl_register_##type, __COUNTER__), type)
#define IMPL_OP_DEFAULT() \
  VINCI_IMPL_OP(VINCI_OP_JOIN(op_impl_register_default_, __COUNTER__), DefaultImpl)
#define IMPL_OP_OPTILING(type) VINCI_IMPL_OP(op_impl_register_optiling_##type, type)
#define IMPL_OP_INFERSHAPE(type) VINCI_IMPL_OP(op_impl_register_infershape_##type, type)
