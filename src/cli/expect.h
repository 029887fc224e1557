// --expect: an output against a golden file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vinci/dtype.h"

namespace vinci::cli {

struct Expectation {
  std::string output;  // the path of an out: or inout: argument
  std::string golden;
  double rtol = 0;
  double atol = 0;
};

// OUT.npy=GOLDEN.npy[:rtol=R][:atol=A]; throws Error (usage).
Expectation parse_expectation(const std::string& text);

struct Comparison {
  bool comparable = false;  // false: `problem` says why the golden file cannot be used
  std::string problem;
  uint64_t elements = 0;
  uint64_t different = 0;   // outside atol + rtol * |golden|; NaN equals NaN
  double largest = 0;       // largest |got - golden| of all elements
  uint64_t first = 0;       // flat index of the first different one
  std::string got, wanted;  // there
};

Comparison compare(const Expectation& expectation, DType dtype, const std::vector<uint64_t>& shape,
                   const void* data);

// The element in which two arrays differ first, if that byte is the first, and its values; with its
// bits where those look alike.
struct Difference {
  uint64_t element = 0;
  std::string got, wanted;
};
Difference difference_at(DType dtype, const void* wanted, const void* got, uint64_t byte);

// "[3, 17]" for a flat index.
std::string index_text(uint64_t flat, const std::vector<uint64_t>& shape);

}  // namespace vinci::cli
