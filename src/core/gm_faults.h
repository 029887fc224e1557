// What bytes in GM and beside it say about a launch that has ended.
#pragma once

#include <fmt/format.h>

#include "core/memory.h"
#include "vinci/fault.h"

namespace vinci {

// Scalar code that wrote beside a buffer. Which block did it is not known.
inline Fault overrun_of(const GmBuffer& buffer) {
  Fault fault;
  fault.code = Code::kGmOverrun;
  fault.message = fmt::format("bytes beside GM buffer {} ({} bytes) were overwritten", buffer.name,
                              buffer.bytes);
  fault.legal = fmt::format("writes to bytes 0..{}", int64_t(buffer.bytes) - 1);
  return fault;
}

inline Fault by_pointer(const GmBuffer& buffer) {
  uint64_t first = 0, count = 0;
  for (uint64_t i = buffer.bytes; i-- > 0;) {
    if (buffer.data[i] == buffer.copy.get()[i]) continue;
    first = i;
    ++count;
  }
  Fault fault;
  fault.code = Code::kByPointer;
  fault.message =
      fmt::format("{} of {} bytes of GM buffer {}, the first at {}, were written by no instruction",
                  count, buffer.bytes, buffer.name, first);
  fault.legal = "what instructions and SetValue write";
  return fault;
}

}  // namespace vinci
