// What bytes in GM and beside it say about a launch that has ended.
#pragma once

#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "core/memory.h"
#include "core/written_bytes.h"
#include "vinci/checks.h"
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

// What no block has written of the first `asked` bytes of a buffer that is followed. If a pointer
// has written some of it, nothing is told: what else it wrote there is not known.
inline std::optional<Fault> unwritten_of(const GmBuffer& buffer, uint64_t asked, CheckLevel level) {
  Interval missing;  // the first of them
  uint64_t count = 0;
  bool by_pointer = false;
  buffer.written->for_each_missing(asked, [&](uint64_t at) {
    by_pointer |= !buffer.written->is_unknown(buffer.address() + at, buffer.data[at]);
    if (count++ == 0) missing = {at, at};
    if (missing.end == at) ++missing.end;
  });
  if (count == 0 || by_pointer) return std::nullopt;
  Fault fault;
  fault.code = level == CheckLevel::kStrict ? Code::kUnwritten : Code::kOutputUnwritten;
  fault.message = fmt::format("bytes {}..{} of GM buffer {} ({} bytes) were written by no block",
                              missing.first, missing.end - 1, buffer.name, asked);
  if (count != missing.end - missing.first) {
    fault.message += fmt::format(", nor others: {} bytes in all", count);
  }
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
