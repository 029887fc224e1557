// One call of a package's operator: shapes, tiling, kernel, outputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "launch/error.h"
#include "launch/package/package.h"
#include "op/error.h"
#include "vinci/device.h"

namespace vinci::launch {

// The error of an operator as one of a launch.
Error as_error(const op::Error& error);

// The element type of vinci for one of ge::; kNone: it has none.
DType element_type(int dtype);
// Type and shape that an array has as this parameter, if that does not have its type: uint16 words
// may be bfloat16, bytes bool; bytes, and words of 32 bits, the int4 that they hold, of which the
// last axis is as many times longer.
void take_as(const op::Parameter& parameter, int& dtype, std::vector<int64_t>& shape);

// How an array lies in memory, and what it was before: numbers of ge::Format.
struct Layout {
  int format = -1;             // -1: what the definition says
  int origin_format = -1;      // -1: op::usual_origin, if there is a shape; else as format
  std::vector<int64_t> shape;  // before; empty: that of the array

  // Makes a tensor that has the array's shape lie so.
  void apply(op::Tensor& tensor) const;
};

struct GivenArray {
  int dtype = 0;
  std::vector<int64_t> shape;
  const void* data = nullptr;
  Layout layout;
};

struct OperatorCall {
  // By the definition's parameters and attributes: absent, or what it is.
  std::vector<std::optional<std::vector<GivenArray>>> inputs;
  op::TensorLists outputs;  // as far as they are known; empty: all are inferred
  std::vector<std::optional<nlohmann::json>> attributes;
  // The inputs whose values host code may see, if nobody trusts it; nothing: all of them.
  std::optional<std::vector<std::string>> shown;
};

struct OperatorOutput {
  std::string name;
  int dtype = 0;
  std::vector<int64_t> shape;  // in memory
  void* buffer = nullptr;      // GM
};

class OperatorRun {
 public:
  OperatorRun(Package& package, const op::Definition& definition, Device& device);
  OperatorRun(const OperatorRun&) = delete;
  OperatorRun& operator=(const OperatorRun&) = delete;
  ~OperatorRun();  // its GM goes

  // Asks the host code; after it outputs have their buffers. False: it went wrong, outcome() says
  // how. `how` has what a launch is told beside the kernel. Throws Error.
  bool prepare(const OperatorCall& call, const Launch& how, const Watch& watch);
  // Compiles the kernel and makes it ready; false: there is nothing to launch. Throws Error. The
  // call's arrays are still there.
  bool build();
  // Runs it, as often as wanted.
  Outcome run(const Watch& watch);
  // After the last run: the shapes that the kernel has computed.
  void finish();
  // The inputs of the call that hold something else now, and are no outputs.
  std::vector<std::string> overwritten(const OperatorCall& call) const;

  const Outcome& host_outcome() const { return host_; }
  const nlohmann::json& answer() const { return answer_; }
  const Package::Kernel& kernel() const { return *kernel_; }
  Launch& launch() { return launch_; }
  std::vector<OperatorOutput>& outputs() { return outputs_; }    // those of dynamic ones one by one
  uint64_t workspace_bytes() const { return workspace_bytes_; }  // the kernel's own

 private:
  void* allocate(uint64_t bytes, const std::string& name, bool zeros = false);
  void* allocate_tensor(const op::Tensor& tensor, const std::string& name);
  void take_inputs(const OperatorCall& call);
  void make_outputs(const op::TensorLists& known);
  void make_output(size_t index, op::Tensor& tensor);
  void* of_parameter(const std::vector<op::Tensor>& tensors, const op::Parameter& parameter);
  std::string signature(const OperatorCall& call, nlohmann::json question) const;
  bool initialise(size_t index, const op::Tensor& tensor);
  void take_shape(OperatorOutput& output, const std::vector<int64_t>& shape) const;
  bool asks_for_system() const;
  std::optional<Fault> short_workspace() const;

  Package& package_;
  const op::Definition& definition_;
  const op::Chip& chip_;
  Device& device_;
  // What host code has no business to see: it could compute the results, and leave them for the
  // kernel.
  struct Withheld {
    void* data;
    const void* content;
    uint64_t bytes;
  };

  std::vector<void*> buffers_;
  std::vector<Withheld> withheld_;
  op::Call call_;
  nlohmann::json answer_;
  Outcome host_;
  Launch launch_;
  const Package::Kernel* kernel_ = nullptr;
  std::vector<Value> values_;
  std::vector<OperatorOutput> outputs_;
  void* shapes_ = nullptr;
  const uint8_t* workspace_ = nullptr;
  uint64_t workspace_bytes_ = 0;
  uint64_t asked_bytes_ = 0;  // of workspace, by the tiling function
};

}  // namespace vinci::launch
