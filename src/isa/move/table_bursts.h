// Copies from L1 to the tables BT and FB, whose bursts are whole units of the table. A count of
// elements is one burst.
#pragma once

#include <cstdint>

#include <fmt/format.h>

#include "core/check.h"
#include "vinci/dtype.h"
#include "vinci/record/move.h"

namespace vinci::table {

inline uint64_t counted_bytes(const DataCopyRecord& record) {
  return bytes_of(record.src.dtype, record.count);
}

// Of a record that check() has passed.
inline Bursts bursts_of(const DataCopyRecord& record, uint64_t unit) {
  if (!record.by_count) return record.bursts;
  return {1, uint16_t(counted_bytes(record) / unit), 0, 0};
}

inline void check(const DataCopyRecord& record, uint64_t unit, Check& check) {
  if (!record.by_count) return check.range("blockCount", record.bursts.blocks, 0, 4095);
  const uint64_t bytes = counted_bytes(record);
  if (bytes % unit != 0 || bytes / unit > UINT16_MAX) {
    check.unimplemented(
        fmt::format("what count {} copies, which is {} bytes, is not known", record.count, bytes),
        fmt::format("a multiple of {} bytes", unit));
  }
}

}  // namespace vinci::table
