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
  // Outputs as the call has them; without, one tensor each, of unknown shape, and for a dynamic one
  // as many as the first dynamic input has. If there is none, and it is the last output, as many as
  // InferShape asks for: keep_wanted_outputs() says when it has.
  const std::vector<TensorSlot>& outputs() const { return outputs_.slots; }
  void keep_wanted_outputs();
  const std::vector<gert::AnchorInstanceInfo>& output_instances() const {
    return outputs_.instances;
  }

 private:
  struct Side {
    std::vector<TensorSlot> slots;
    std::vector<gert::AnchorInstanceInfo> instances;
  };

  size_t tensors_of(const Parameter& output, bool is_last) const;
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
  size_t dynamic_tensors_ = 0;  // of the first dynamic input
  bool counts_wanted_ = false;  // of the last output
  std::vector<gert::RuntimeAttrs::Value> values_;
  std::deque<std::vector<uint64_t>> memory_;  // of attributes; addresses stay
  fe::PlatFormInfos platform_;
  std::unique_ptr<gert::RuntimeAttrs> attributes_;
  std::unique_ptr<gert::ComputeNodeInfo> node_;
};

}  // namespace vinci::op
