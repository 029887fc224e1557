// set_fixpipe_nz2nd_flag: the matrices of later row-major DataCopy out of L0C.
//
// Sources and decisions: docs/spec/set_fixpipe_nz2nd_flag.md.
#include "core/core.h"
#include "core/instruction.h"
#include "vinci/record/move.h"

namespace vinci::isa {
namespace {

constexpr Signature kTypes[] = {Signature()};
constexpr Support kSupport[] = {{kArch2201 | kArch3002, kTypes}};

Signature signature(const SetFixpipeNz2ndRecord&) { return {}; }
Pipe pipe(const SetFixpipeNz2ndRecord&, const Soc&) { return Pipe::kS; }

void check(const SetFixpipeNz2ndRecord& record, Check& check) {
  check.range("ndNum", record.matrices, 1, 65535);
  check.range("srcNdStride", record.src_matrix_stride, 1, 512);
  check.range("dstNdStride", record.dst_matrix_stride, 1, 65535);
}

void footprint(const SetFixpipeNz2ndRecord&, Core&, Footprint&) {}

void execute(const SetFixpipeNz2ndRecord& record, Core& core) {
  FixpipeRegisters& registers = core.registers().fixpipe;
  registers.has_matrices = true;
  registers.matrices = record.matrices;
  registers.src_matrix_stride = record.src_matrix_stride;
  registers.dst_matrix_stride = record.dst_matrix_stride;
}

}  // namespace

extern constinit const Instruction set_fixpipe_nz2nd_flag =
    make_instruction<SetFixpipeNz2ndRecord, signature, pipe, check, footprint, execute>(
        "set_fixpipe_nz2nd_flag", "SetFixpipeNz2ndFlag", "SetFixpipeNz2ndFlag", kSupport);

}  // namespace vinci::isa
