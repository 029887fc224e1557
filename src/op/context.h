// What the contexts of host functions show, made from a call.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "op/call.h"
#include "platform/platform_infos_def.h"
#include "vinci/op/context_data.h"

namespace vinci::op {

// Owns what the data points to.
class Context {
 public:
  Context(const Operator& op, const Call& call, const Row& row);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  ContextData& data() { return data_; }
  uint32_t cores() const;
  // Outputs as the call has them; without, one tensor each, of unknown shape.
  const std::vector<TensorSlot>& outputs() const { return outputs_.slots; }
  const std::vector<gert::AnchorInstanceInfo>& output_instances() const {
    return outputs_.instances;
  }

 private:
  struct Side {
    std::vector<TensorSlot> slots;
    std::vector<gert::AnchorInstanceInfo> instances;
  };

  Side side_of(const std::vector<Parameter>& parameters,
               const std::vector<std::optional<std::vector<Tensor>>>& given,
               const std::vector<int>& dtypes, const std::vector<int>& formats, bool outputs);
  void add_attribute(const std::string& type, const nlohmann::json& value);
  void add_vector_vector(const nlohmann::json& value);
  template <typename T>
  void add_vector(const nlohmann::json& value);
  void* room(size_t bytes);

  ContextData data_;
  Side inputs_, outputs_;
  std::vector<gert::RuntimeAttrs::Value> values_;
  std::deque<std::vector<uint64_t>> memory_;  // of attributes; addresses stay
  fe::PlatFormInfos platform_;
  std::unique_ptr<gert::RuntimeAttrs> attributes_;
  std::unique_ptr<gert::ComputeNodeInfo> node_;
};

}  // namespace vinci::op
