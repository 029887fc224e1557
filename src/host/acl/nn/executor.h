// What the first phase of a call finds out, for the second.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/acl/nn/objects.h"
#include "host/kernels.h"

namespace vinci::acl {

// A tensor of a call, as the program meant it in the first phase.
struct Place {
  aclTensor tensor;
  aclTensor* own = nullptr;      // the program's, which may be gone when the kernel runs
  bool is_copied = false;        // its elements are put side by side before the kernel runs...
  bool is_written_back = false;  // ... and where they belong afterwards
  uint64_t copy_at = 0;          // of the copy, in the workspace
};

// One parameter of the operator.
struct Slot {
  bool is_present = false, is_list = false;
  std::vector<Place> places;
  int same_as = -1;  // an output: the input that it is
  // Values of the host, to which the places point: the kernel finds copies of them in GM.
  std::vector<std::vector<uint8_t>> values;
};

// An output whose shape the kernel finds out has so many words of 8 bytes for it.
inline constexpr uint64_t kShapeWords = 9;

}  // namespace vinci::acl

struct aclOpExecutor {
  std::string api;        // of the first phase
  bool is_empty = false;  // all outputs have no elements: nothing is to be done
  bool is_repeatable = false;
  std::vector<vinci::acl::Slot> inputs, outputs;
  std::vector<size_t> shapes_from_kernel;  // outputs
  // Bytes that outputs get before the kernel, by output; empty: none.
  std::vector<std::vector<uint8_t>> first_bytes;

  std::shared_ptr<const vinci::host::Kernels> kernels;
  const vinci::host::KnownKernel* kernel = nullptr;
  uint32_t blocks = 0;
  std::vector<uint8_t> tiling;

  uint64_t workspace_size = 0;
  bool has_workspace = false;   // tiling has asked for it
  uint64_t user_workspace = 0;  // where the kernel's own begins
  uint64_t shapes_at = 0;       // where the shapes of outputs go
};
