// load_data_with_sparse: 4:2 compressed weights from L1 to L0B, and their indices to a memory of
// their own beside it, where MmadWithSparse finds them.
//
//   fractal i of 512 B from startIndex + i; its indices, 128 B, from (startIndex + i) * 128 of idx
//
// Sources and decisions: docs/spec/load_data_with_sparse.md.
#include <cstring>

#include "core/instruction.h"
#include "kernel/fractal.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr uint64_t kIndexBytes = fractal::kBytes / 4;  // of a fractal: 2 bits for each byte

constexpr Signature kTypes[] = {{DType::kInt8, DType::kInt8, DType::kUint8}};
constexpr Support kSupport[] = {{kArch2201, kTypes}};

Signature signature(const LoadDataSparseRecord& record) {
  return {record.dst.dtype, record.src.dtype, record.index.dtype};
}

void check(const LoadDataSparseRecord& record, Check& check) {
  check.in_space("dst", record.dst, Space::kL0B);
  check.in_space("src", record.src, Space::kL1);
  check.in_space("idx", record.index, Space::kL1);
  if (!check.ok()) return;
  check.aligned("dst", record.dst);
  check.aligned("src", record.src);
  check.aligned("idx", record.index);
  check.range("repeatTimes", record.repeats, 0, 255);
  if (record.transpose) {
    check.fail(Code::kCombination, "ifTranspose of compressed weights", "ifTranspose = false");
  }
}

void footprint(const LoadDataSparseRecord& record, Footprint& footprint) {
  footprint.add_bytes(record.src, "src", Access::kRead, record.start_index * fractal::kBytes,
                      record.repeats * fractal::kBytes);
  footprint.add_bytes(record.index, "idx", Access::kRead, record.start_index * kIndexBytes,
                      record.repeats * kIndexBytes);
  footprint.add_bytes(record.dst, "dst", Access::kWrite, 0, record.repeats * fractal::kBytes);
  footprint.add_hidden(Space::kSparse, "the indices", Access::kWrite, record.dst.address / 4,
                       record.repeats * kIndexBytes);
}

void run(const LoadDataSparseRecord& record, const State&, Memory& memory) {
  std::memcpy(memory.data(record.dst),
              memory.data(record.src) + record.start_index * fractal::kBytes,
              record.repeats * fractal::kBytes);
  std::memcpy(memory.start_of(Space::kSparse) + record.dst.address / 4,
              memory.data(record.index) + record.start_index * kIndexBytes,
              record.repeats * kIndexBytes);
}

constexpr Functions<LoadDataSparseRecord> kFunctions{.signature = signature,
                                                     .pipe = Pipe::kMte1,
                                                     .check = check,
                                                     .footprint = footprint,
                                                     .run = run};

}  // namespace

extern constinit const Instruction load_data_with_sparse = make_instruction<kFunctions>(
    "load_data_with_sparse", "LoadDataWithSparse", "LoadDataWithSparse", kSupport);

}  // namespace vinci::isa
