// Copies from UB to TSCM, between which no chip has a way: through GM, by the workspace of a
// Matmul.
#pragma once

#include "core/core.h"
#include "core/instruction.h"
#include "vinci/record/move.h"

namespace vinci::isa {

// MTE3, which begins the copy; kNone on a core without UB, which leaves it out.
inline Pipe tscm_pipe(const CopyToTscmRecord&, const Soc& soc) {
  return soc.space_of(Position::VECIN) == Space::kUb ? Pipe::kMte3 : Pipe::kNone;
}

// The rules that both forms share: memories, alignment, the ranges of Nd2NzParams.
void check_to_tscm(const CopyToTscmRecord& record, Check& check);
// The operands hold what is read, `src_bytes`, and written. For numbers that are in their ranges.
void check_extents(const CopyToTscmRecord& record, uint64_t src_bytes, Check& check);

// Of a matrix with these strides: from its first byte in TSCM to its last.
uint64_t bytes_in_tscm(const CopyToTscmRecord& record);

// So many bytes of GM; dtype kNone, and the kernel has been told: there is no Matmul, or no event
// identifier is free for the copies.
Operand passage(const CopyToTscmRecord& record, uint64_t bytes, Core& core);

// What MTE3 was told to bring to GM before goes on to TSCM: rows that are `row_stride` elements
// apart. Later copies of MTE3 may use the buffer again.
void copy_on(const CopyToTscmRecord& record, const Operand& gm, uint32_t row_stride, Core& core);

}  // namespace vinci::isa
