// data_copy_nz2nd: fractals of 16 x 16 in UB (zN) to row-major matrices in GM.
//
//   source element (i, n, d)    i * srcNdMatrixStride * 256 + d / 16 * srcNStride * 16
//                               + n * 16 + d % 16
//   destination                 i * dstNdMatrixStride + n * dstDStride + d
//
// A row of a fractal has 16 elements, whatever their type. Sources and decisions:
// docs/spec/data_copy_nz2nd.md.
#include "core/instruction.h"
#include "isa/move/atomic.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

constexpr uint64_t kColumns = 16;    // of a fractal
constexpr uint64_t kElements = 256;  // of a fractal

constexpr Signature k2002Types[] = {DType::kHalf,  DType::kInt16,  DType::kUint16,
                                    DType::kInt32, DType::kUint32, DType::kFloat};
constexpr Signature k2201Types[] = {DType::kHalf,  DType::kBfloat16, DType::kInt16, DType::kUint16,
                                    DType::kInt32, DType::kUint32,   DType::kFloat};
constexpr Support kSupport[] = {{kArch2002, k2002Types}, {kArch2201, k2201Types}};

Signature signature(const Nz2NdRecord& record) { return record.dst.dtype; }

Pipe pipe(const Nz2NdRecord& record, const Soc& soc) {
  return soc.route(soc.space_of(record.src.position), soc.space_of(record.dst.position));
}

// Distances in bytes.
struct Pitches {
  uint64_t width;  // of an element
  uint64_t src_column, src_matrix, dst_row, dst_matrix;
};
Pitches pitches_of(const Nz2NdRecord& record) {
  const uint64_t width = bytes_of(record.dst.dtype, 1);
  return {width, record.src_column_stride * kColumns * width,
          record.src_matrix_stride * kElements * width, record.dst_row_stride * width,
          record.dst_matrix_stride * width};
}

void check(const Nz2NdRecord& record, Check& check) {
  check.in_space("src", record.src, Space::kUb);
  check.in_space("dst", record.dst, Space::kGm);
  if (!check.ok()) return;
  check.aligned("src", record.src);
  check.aligned("dst", record.dst);
  check.range("ndNum", record.matrices, 0, 4095);
  if (record.matrices == 0) return;
  check.range("nValue", record.rows, 1, 8192);
  check.range("dValue", record.columns, 1, 8192);
  check.multiple("dValue", record.columns, kColumns);
  check.range("srcNStride", record.src_column_stride, 0, 4096);
  check.range("dstDStride", record.dst_row_stride, 1, 65535);
  if (record.matrices > 1) {
    check.range("srcNdMatrixStride", record.src_matrix_stride, 1, 512);
    check.range("dstNdMatrixStride", record.dst_matrix_stride, 1, 65535);
  }
  if (check.ok()) atomic::check(record.dst, check);
}

void footprint(const Nz2NdRecord& record, Footprint& footprint) {
  if (record.matrices == 0) return;
  const Pitches pitch = pitches_of(record);
  footprint.add({record.src, "src", Access::kRead, true, record.src.address,
                 record.rows * kColumns * pitch.width, record.columns / kColumns,
                 int64_t(pitch.src_column), record.matrices, int64_t(pitch.src_matrix)});
  footprint.add({record.dst, "dst", Access::kWrite, true, record.dst.address,
                 record.columns * pitch.width, record.rows, int64_t(pitch.dst_row), record.matrices,
                 int64_t(pitch.dst_matrix)});
  atomic::add_reads(record.dst, footprint);
}

void run(const Nz2NdRecord& record, const State& state, Memory& memory) {
  const Pitches pitch = pitches_of(record);
  const uint64_t row_bytes = kColumns * pitch.width;
  const uint8_t* src = memory.data(record.src);
  uint8_t* dst = memory.data(record.dst);
  const atomic::Store store(record.dst, state);
  for (uint64_t matrix = 0; matrix < record.matrices; ++matrix) {
    for (uint64_t row = 0; row < record.rows; ++row) {
      const uint8_t* from = src + matrix * pitch.src_matrix + row * row_bytes;
      uint8_t* to = dst + matrix * pitch.dst_matrix + row * pitch.dst_row;
      for (uint64_t column = 0; column < record.columns; column += kColumns) {
        store(to, from, row_bytes);
        from += pitch.src_column;
        to += row_bytes;
      }
    }
  }
}

constexpr Functions<Nz2NdRecord> kFunctions{.signature = signature,
                                            .pipe = pipe,
                                            .check = check,
                                            .footprint = footprint,
                                            .run = run,
                                            .ordered = atomic::ordered<Nz2NdRecord>,
                                            .moves = true};

}  // namespace

extern constinit const Instruction data_copy_nz2nd =
    make_instruction<kFunctions>("data_copy_nz2nd", "DataCopy (NZ to ND)", "DataCopy", kSupport);

}  // namespace vinci::isa
