// The elements that an instruction reads and writes, as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vinci/tool.h"

namespace vinci {

// The elements of one operand, in the instruction's order.
struct Column {
  const char* name;
  Operand operand;
  Space space;
  std::vector<uint64_t> addresses;  // in bits
  std::vector<double> values;
  double scalar = 0;  // without addresses: the same for all

  // As the kernel counts.
  uint64_t index_of(size_t i) const;
  // Of element i; without addresses the scalar.
  double value(size_t i) const { return addresses.empty() ? scalar : values[i]; }
};

// `bit`: 4 for the second of two int4 that share a byte.
double number_at(DType dtype, const uint8_t* at, unsigned bit);
bool is_float(DType dtype);

// Element i of the result is made of elements i of the sources, and of a scalar that the record of
// a vector instruction has.
bool by_elements(const Record& record);
// The same, or functions of the library, that do so.
bool has_lanes(const Record& record);
// What computes: it does not only move, order or choose. What is stored from L0C is not meant.
bool makes_numbers(const Record& record);
// What the step reads, or writes, of numbers.
void collect(CoreView& core, const Step& step, Access access, std::vector<Column>& columns);
// Appends the scalar of an instruction by elements, if it has one.
void add_scalar(const Record& record, std::vector<Column>& columns);
// Whether the elements of a source are those of the result, one by one, and the instruction does
// not write any that it has still to read.
bool matches(const Column& dst, const Column& source);
// Whether all are, and the result's elements ascend.
bool have_lanes(const Column& dst, const std::vector<Column>& sources);

}  // namespace vinci
