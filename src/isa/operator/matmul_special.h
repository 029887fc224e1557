// What few Matmuls have: functions of the kernel that take the place of copies, and a sparse B.
#pragma once

#include "isa/operator/matmul_factor.h"
#include "vinci/record/move.h"

namespace vinci::isa {

// Whether a function of the kernel has loaded the block into L1, or written what `copy` would.
bool kernel_loads(const MatmulRecord& r, bool is_a, const FactorBlock& block, const Operand& l1);
bool kernel_writes(const MatmulRecord& r, const FixpipeRecord& copy, const Operand& scales);

// Of a sparse B, whose `block` has two of each four elements of K: the indices to L1, one fractal
// behind the other; and fractals with their indices to L0B.
void load_indices(Core& core, const MatmulRecord& r, const MatmulLoad& b, const FactorBlock& block,
                  const Operand& l1);
void load_sparse(Core& core, const MatmulLoad& b, const FactorBlock& block, const Operand& b1,
                 const Operand& index, const Operand& b2);

}  // namespace vinci::isa
