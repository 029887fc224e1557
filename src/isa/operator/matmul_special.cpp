#include "isa/operator/matmul_special.h"

#include <algorithm>

#include "kernel/fractal.h"
#include "vinci/record/cube.h"

namespace vinci::isa {

extern const Instruction data_copy;
extern const Instruction load_data_with_sparse;

namespace {

constexpr uint32_t kMostRepeats = 255;
constexpr uint32_t kValues = 32;       // of a row of a fractal
constexpr uint32_t kIndexBytes = 128;  // of a fractal
constexpr uint32_t kIndexRowBytes = 8;

uint32_t columns_of(const MatmulLoad& b, const FactorBlock& block) {
  return b.rounded_k(block.k_size) / kValues;
}

}  // namespace

bool kernel_loads(const MatmulRecord& r, bool is_a, const FactorBlock& block, const Operand& l1) {
  const MatmulCallbacks::CopyIn copy = is_a ? r.callbacks.copy_a : r.callbacks.copy_b;
  if (copy == nullptr) return false;
  const int outer = int(block.outer) / (is_a ? r.base_m : r.base_n), k = int(block.k) / r.base_k;
  const int outer_size = int(block.outer_size), k_size = int(block.k_size);
  if (is_a) {
    copy(l1, r.a.memory.address, outer, k, outer_size, k_size, r.user_tiling, r.user_data);
  } else {
    copy(l1, r.b.memory.address, k, outer, k_size, outer_size, r.user_tiling, r.user_data);
  }
  return true;
}

bool kernel_writes(const MatmulRecord& r, const FixpipeRecord& copy, const Operand& scales) {
  if (r.callbacks.copy_out == nullptr) return false;
  MatmulCopyOut out;
  out.cBurstNum = uint16_t(ceil_div(copy.n, 16));
  out.burstLen = uint16_t(copy.m * 2);
  out.srcStride = uint16_t((copy.src_stride - copy.m) * 2);
  out.dstStride = copy.dst_stride;
  out.oriNSize = copy.row_major ? copy.n : uint16_t(0);
  out.quantScalar = copy.scale;
  out.cbufWorkspaceAddr = scales.bytes != 0 ? scales.address : 0;
  r.callbacks.copy_out(copy.dst.address, copy.src, out, r.user_tiling, r.user_data);
  return true;
}

void load_indices(Core& core, const MatmulRecord& r, const MatmulLoad& b, const FactorBlock& block,
                  const Operand& l1) {
  const uint32_t rows = b.rounded_outer(block.outer_size);
  const uint64_t first = uint64_t(block.k / kValues) * r.index_pitch + block.outer;
  DataCopyRecord copy;
  copy.instruction = &data_copy;
  copy.src = part_of(r.index, first * kIndexRowBytes);
  copy.dst = l1;
  copy.src.dtype = copy.dst.dtype = DType::kUint8;
  copy.bursts = {uint16_t(columns_of(b, block)), uint16_t(rows * kIndexRowBytes / 32),
                 uint16_t((r.index_pitch - rows) * kIndexRowBytes / 32), 0};
  core.issue(copy);
}

void load_sparse(Core& core, const MatmulLoad& b, const FactorBlock& block, const Operand& b1,
                 const Operand& index, const Operand& b2) {
  const uint32_t fractals = b.rounded_outer(block.outer_size) / 16 * columns_of(b, block);
  for (uint32_t first = 0; first < fractals; first += kMostRepeats) {
    LoadDataSparseRecord load;
    load.instruction = &load_data_with_sparse;
    load.src = part_of(b1, first * fractal::kBytes);
    load.index = part_of(index, uint64_t(first) * kIndexBytes);
    load.index.dtype = DType::kUint8;
    load.dst = part_of(b2, first * fractal::kBytes);
    load.repeats = uint8_t(std::min(fractals - first, kMostRepeats));
    core.issue(load);
  }
}

}  // namespace vinci::isa
