// Plugins that translate operators of other frameworks:
// REGISTER_CUSTOM_OP("Add").FrameworkType(...)... Models of theirs are not run here, so what is
// registered is taken and dropped. Older projects include it for all that definitions need.
#pragma once

#include "graph/operator.h"
#include "register/op_def_registry.h"

namespace domi {

using Status = uint32_t;
constexpr Status SUCCESS = 0, FAILED = 0xFFFFFFFF, PARAM_INVALID = 1;

enum FrameworkType { CAFFE = 0, MINDSPORE = 1, TENSORFLOW = 3, ANDROID_NN, ONNX };
enum class ImplyType : unsigned { BUILDIN = 0, TVM, CUSTOM, AI_CPU, CCE, GELOCAL, HCCL, INVALID };

class OpRegistrationData {
 public:
  explicit OpRegistrationData(const char*) {}

  OpRegistrationData& FrameworkType(domi::FrameworkType) { return *this; }
  OpRegistrationData& OriginOpType(const char*) { return *this; }
  OpRegistrationData& OriginOpType(const std::vector<ge::AscendString>&) { return *this; }
  OpRegistrationData& ImplyType(domi::ImplyType) { return *this; }
  template <typename Function>
  OpRegistrationData& ParseParamsFn(const Function&) {
    return *this;
  }
  template <typename Function>
  OpRegistrationData& ParseParamsByOperatorFn(const Function&) {
    return *this;
  }
  template <typename Function>
  OpRegistrationData& FusionParseParamsFn(const Function&) {
    return *this;
  }
  template <typename Function>
  OpRegistrationData& ParseSubgraphPostFn(const Function&) {
    return *this;
  }
  template <typename Function>
  OpRegistrationData& ParseOpToGraphFn(const Function&) {
    return *this;
  }
  OpRegistrationData& DelInputWithCond(int, const char*, bool) { return *this; }
  OpRegistrationData& DelInputWithOriginalType(int, const char*) { return *this; }
  OpRegistrationData& InputReorderVector(const std::vector<int>&) { return *this; }
};

template <typename Message>
Status AutoMappingFn(const Message*, ge::Operator&) {
  return SUCCESS;
}
inline Status AutoMappingByOpFn(const ge::Operator&, ge::Operator&) { return SUCCESS; }

}  // namespace domi

#define REGISTER_CUSTOM_OP(type)                                                 \
  __attribute__((unused)) static const ::domi::OpRegistrationData VINCI_OP_JOIN( \
      g_op_plugin, __COUNTER__) = ::domi::OpRegistrationData(type)
