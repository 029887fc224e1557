// NumPy's .npy files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vinci/dtype.h"

namespace vinci::cli {

struct Array {
  DType dtype = DType::kNone;
  std::vector<uint64_t> shape;
  std::vector<uint8_t> data;

  uint64_t elements() const;
};

// "16x128"; "scalar" for no dimensions.
std::string shape_text(const std::vector<uint64_t>& shape);

// Little-endian, C-ordered numbers and booleans of 8 to 64 bits. Throws Error (usage) with the
// reason.
Array read_npy(const std::string& path);

// bfloat16 is written as uint16 and int4 as uint8, two to a byte along a last axis of half the
// size, or, if that is odd, in one dimension.
void write_npy(const std::string& path, DType dtype, const std::vector<uint64_t>& shape,
               const void* data);

}  // namespace vinci::cli
