// Calls of an operator's host functions. They are the package's own code and may crash: whoever
// calls is prepared for it, or in a process of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "op/call.h"
#include "op/definitions.h"
#include "vinci/fault.h"

namespace vinci::op {

struct Tiled {
  uint32_t status = 0;  // what the function returned; 0: it went well
  uint64_t key = 0;
  uint32_t blocks = 0;
  std::vector<uint8_t> data;         // as many bytes as the function says
  std::string data_type;             // the struct that it has filled; "": not known
  std::vector<uint64_t> workspaces;  // bytes of each
  uint32_t schedule_mode = 0;
  uint32_t local_memory_bytes = 0;
  uint32_t aicpu_blocks = 0;
  int32_t condition = 0;
  bool needs_atomic = false;  // outputs are zeroed, or get their InitValue, before the kernel

  uint64_t workspace_bytes() const;
};

struct Inferred {
  uint32_t status = 0;
  bool shapes_known = false;  // by InferShape, or because outputs follow inputs
  // By the definition's outputs: absent, one tensor, or those of a dynamic one (as many as the call
  // has). Types: of InferDataType, else of the row, else -1.
  std::vector<std::optional<std::vector<Tensor>>> outputs;
};

// Calls the tiling function, after TilingParse where the operator has one (once for each chip).
// Throws Error: there is none, it failed, or what it left is nothing that can be launched.
Tiled tile(const Operator& op, const Call& call);

// Shapes and types of the outputs. `call.outputs` may be empty, or say what is known. Throws Error:
// a function failed, or gave what is no shape.
Inferred infer(const Operator& op, const Call& call);

// Who is told of mistakes of host functions while they run; without, vinci::host::tell is.
using Teller = std::function<void(const Fault&)>;
void set_teller(Teller teller);
// What gave nullptr last on this thread, "GetInputShape: there are not so many tensors", or "".
// Plain characters: the handler of a crash may read them.
const char* last_null();

}  // namespace vinci::op
