// What a record is an instruction of.
#pragma once

#include "core/instruction.h"

namespace vinci {

template <class R>
bool is(const Record& record) {
  return record.instruction->record_type == &kRecordType<R>;
}

}  // namespace vinci
