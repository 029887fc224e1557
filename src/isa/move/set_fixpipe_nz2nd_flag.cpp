// set_fixpipe_nz2nd_flag: the matrices of later row-major DataCopy out of L0C.
//
// Sources and decisions: docs/spec/set_fixpipe_nz2nd_flag.md.
#include "core/setter.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

constexpr Support kSupport[] = {{kArch2201 | kArch3002, setter::kNoElements}};

void check(const SetFixpipeNz2ndRecord& record, Check& check) {
  check.range("ndNum", record.matrices, 1, 65535);
  const int64_t least = record.matrices == 1 ? 0 : 1;  // nothing follows one matrix
  check.range("srcNdStride", record.src_matrix_stride, least, 512);
  check.range("dstNdStride", record.dst_matrix_stride, least, 65535);
}

void write(const SetFixpipeNz2ndRecord& record, Registers& registers) {
  registers.fixpipe.has_matrices = true;
  registers.fixpipe.matrices = record.matrices;
  registers.fixpipe.src_matrix_stride = record.src_matrix_stride;
  registers.fixpipe.dst_matrix_stride = record.dst_matrix_stride;
}

}  // namespace

extern constinit const Instruction set_fixpipe_nz2nd_flag =
    setter::setter_instruction<SetFixpipeNz2ndRecord, write, check>(
        "set_fixpipe_nz2nd_flag", "SetFixpipeNz2ndFlag", kSupport);

}  // namespace vinci::isa
