// One call of an operator: its tensors and attributes, and which row of the definition they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "op/definitions.h"

namespace vinci::op {

struct Tensor {
  int dtype = -1;
  int format = -1;         // in memory; -1: what the definition's row says
  int origin_format = -1;  // -1: as format
  std::vector<int64_t> shape;
  std::vector<int64_t> storage_shape;  // empty: as shape
  std::vector<int64_t> strides;        // empty: contiguous
  int64_t offset = 0;                  // in elements, of views
  void* data = nullptr;                // may be null where no function reads values

  // The shape of what lies in memory, and its elements.
  const std::vector<int64_t>& in_memory() const {
    return storage_shape.empty() ? shape : storage_shape;
  }
  int64_t elements() const;
};

// By a definition's parameters: absent, one tensor, or those of a dynamic one.
using TensorLists = std::vector<std::optional<std::vector<Tensor>>>;

struct Call {
  std::string soc;
  TensorLists inputs, outputs;
  // By the definition's attributes, private ones left out; absent: the default.
  std::vector<std::optional<nlohmann::json>> attributes;
  uint64_t tiling_capacity = 0;  // bytes; 0: as many as anybody needs (64 KiB)
  bool deterministic = false;
};

// The format that what lies in `format` usually was in before, with so many axes: NCHW before
// NC1HWC0, ND before FRACTAL_NZ.
int usual_origin(int format, size_t axes);

struct Row {
  std::vector<int> input_dtypes, input_formats, output_dtypes, output_formats;
  int index = 0;
};

// The first row that the present tensors match: types exactly, but for value-dependent inputs;
// formats too, where NCHW and its like are ND unless the definition is strict. Outputs count where
// the call has them. Throws Error, which lists the rows.
Row row_of(const Definition& definition, const Call& call);

// The values of the call's attributes, defaults filled in, private ones behind the others. Throws
// Error: a required one is missing, or a value is not of its type.
std::vector<nlohmann::json> attribute_values(const Definition& definition, const Call& call);

}  // namespace vinci::op
