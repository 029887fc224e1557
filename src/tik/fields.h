// The fields of records by name: how a statement's keys become an instruction's record.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/instruction.h"
#include "tik/value.h"
#include "vinci/record.h"
#include "vinci/record/vector.h"

namespace vinci::tik {

// What stands for a key when a statement runs.
struct Argument {
  Value number;
  Operand operand;
  Lanes lanes;
  std::span<const Operand> list;
};

constexpr size_t kMostOperands = 16;  // in a list

struct Field {
  enum class Kind : uint8_t { kNumber, kOperand, kMask, kList };
  std::string_view name;
  Kind kind = Kind::kNumber;
  // Legal numbers, by the width of the field; what an instruction allows is its own affair. Of a
  // list: how many operands.
  int64_t least = 0, most = 0;
  void (*set)(Record&, const Argument&) = nullptr;
};

// A record's type: its size, how to make one, and its fields.
struct RecordType {
  const void* type;  // &kRecordType<R>
  size_t bytes;
  void (*construct)(void* place, const Instruction& instruction);
  std::span<const Field> fields;

  const Field* find(std::string_view name) const;
};

// nullptr: no statement can hold records of this type.
const RecordType* record_type_of(const Instruction& instruction);

}  // namespace vinci::tik
