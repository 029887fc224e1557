// Row-major matrices to zN: what DataCopy to L1 and to UB share.
//
//   source element (i, n, d)    i * srcNdMatrixStride + n * srcDValue + d
//   destination                 i * dstNzMatrixStride elements + d / C0 * dstNzC0Stride * 32 B
//                               + n * dstNzNStride * 32 B + d % C0 elements
//
// What the last C0 group of a row leaves free is written with 0. Sources and decisions:
// docs/spec/data_copy_nd2nz.md.
#include "isa/move/nd2nz.h"

#include <algorithm>
#include <cstring>

#include "core/instruction.h"
#include "kernel/fractal.h"

namespace vinci::isa::nd2nz {
namespace {

using fractal::kRowBytes;

bool is_nop(const Nd2NzRecord& record) {
  return record.matrices == 0 || record.rows == 0 || record.columns == 0;
}
// Pairs of int4 are moved as bytes, and counted so.
uint64_t width_of(const Nd2NzRecord& record) { return bytes_of(record.dst.dtype, 1); }

// Part of a row to its groups of C0 columns; the last of them is filled up.
void copy_groups(const uint8_t* from, uint64_t bytes, uint8_t* to, uint64_t group_pitch) {
  for (; bytes >= kRowBytes; bytes -= kRowBytes, from += kRowBytes, to += group_pitch) {
    fractal::copy_row(to, from);
  }
  if (bytes == 0) return;
  std::memcpy(to, from, bytes);
  std::memset(to + bytes, 0, kRowBytes - bytes);
}

// Distances in bytes: from row to row, and from group to group.
struct Pitches {
  uint64_t src, dst, group;
};

// Groups of a row that are copied before the next row: 128 bytes, two lines of the host's cache.
// Whole rows would be written to many places 4 KB apart, which thrash it.
constexpr unsigned kGroups = 4;

// Two rows at a time, which in the usual case stand together in a group.
void copy_strip(const uint8_t* from, uint8_t* to, uint64_t rows, const Pitches pitch) {
  for (; rows >= 2; rows -= 2, from += 2 * pitch.src, to += 2 * pitch.dst) {
#pragma GCC unroll 4
    for (unsigned group = 0; group < kGroups; ++group) {
      fractal::copy_rows(to + group * pitch.group, pitch.dst, from + group * kRowBytes, pitch.src);
    }
  }
  if (rows != 0) copy_groups(from, kGroups * kRowBytes, to, pitch.group);
}

// One matrix. Where groups overlap, the last row must win.
void copy(const Nd2NzRecord& record, const uint8_t* src, uint8_t* dst) {
  const uint64_t width = width_of(record), rows = record.rows;
  const Pitches pitch{record.src_row_stride * width, record.dst_row_stride * kRowBytes,
                      record.dst_c0_stride * kRowBytes};
  uint64_t row_bytes = record.columns * width;
  if (pitch.group > (rows - 1) * pitch.dst) {
    for (; row_bytes >= kGroups * kRowBytes; row_bytes -= kGroups * kRowBytes) {
      copy_strip(src, dst, rows, pitch);
      src += kGroups * kRowBytes;
      dst += kGroups * pitch.group;
    }
  }
  for (uint64_t row = 0; row < rows; ++row, src += pitch.src, dst += pitch.dst) {
    copy_groups(src, row_bytes, dst, pitch.group);
  }
}

}  // namespace

Pipe pipe(const Nd2NzRecord& record, const Soc& soc) {
  return soc.route(soc.space_of(record.src.position), soc.space_of(record.dst.position));
}

void check(const Nd2NzRecord& record, Check& check) {
  check.in_space("src", record.src, Space::kGm);
  const Space to = check.soc().space_of(record.dst.position);
  check.in_space("dst", record.dst, to == Space::kUb ? Space::kUb : Space::kL1);
  if (!check.ok()) return;
  check.aligned("dst", record.dst);
  check.range("ndNum", record.matrices, 0, 4095);
  check.range("nValue", record.rows, 0, 16384);
  if (is_nop(record)) return;
  check.range("srcDValue", record.src_row_stride, 1, 65535);
  check.range("dstNzC0Stride", record.dst_c0_stride, 1, 16384);
  check.range("dstNzNStride", record.dst_row_stride, 1, 16384);
  if (record.matrices > 1) {
    const auto c0 = int64_t(kRowBytes / width_of(record));
    check.multiple("dstNzMatrixStride", record.dst_matrix_stride, c0);
  }
}

void footprint(const Nd2NzRecord& record, Footprint& footprint) {
  if (is_nop(record)) return;
  const uint64_t width = width_of(record);
  footprint.add({record.src, "src", Access::kRead, true, record.src.address, record.columns * width,
                 record.rows, int64_t(record.src_row_stride * width), record.matrices,
                 int64_t(record.src_matrix_stride * width)});
  const uint64_t groups = ceil_div(record.columns * width, kRowBytes);
  for (uint64_t matrix = 0; matrix < record.matrices; ++matrix) {
    footprint.add({record.dst, "dst", Access::kWrite, true,
                   record.dst.address + matrix * record.dst_matrix_stride * width, kRowBytes,
                   record.rows, int64_t(record.dst_row_stride * kRowBytes), groups,
                   int64_t(record.dst_c0_stride * kRowBytes)});
  }
}

void run(const Nd2NzRecord& record, const State&, Memory& memory) {
  if (is_nop(record)) return;
  const uint64_t width = width_of(record);
  for (uint64_t matrix = 0; matrix < record.matrices; ++matrix) {
    copy(record, memory.data(record.src) + matrix * record.src_matrix_stride * width,
         memory.data(record.dst) + matrix * record.dst_matrix_stride * width);
  }
}

}  // namespace vinci::isa::nd2nz
