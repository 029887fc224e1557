// How a factor lies in L1 and in L0:
//
//   straight  L1 zN, columns of C0 elements of K with all rows of A or columns of B; the same
//             fractals in L0
//   crossed   L1 zN, columns of C0 rows of A or columns of B, with all elements of K; in L0
//             transposed. 32-bit: rows of squares 16 x 16, because that is what a load transposes
//
// In L0 fractal (o, k) lies at o * strides.outer + k * strides.k.
#include "isa/operator/matmul_factor.h"

#include <algorithm>

#include "kernel/fractal.h"
#include "numeric/whole.h"
#include "vinci/record/cube.h"
#include "vinci/record/move.h"

namespace vinci::isa {

extern const Instruction data_copy;
extern const Instruction data_copy_nd2nz;
extern const Instruction load_data_2d;
extern const Instruction load_data_with_transpose;

using fractal::kBytes;
using fractal::kRowBytes;

namespace {

constexpr uint32_t kMostRepeats = 255;
constexpr uint64_t kMostStride = 65535;

// Fractals along one line: how many, where the first lies, and how far apart they are.
struct Line {
  uint32_t count, src, src_stride, dst, dst_stride;
};

void load_line(Core& core, Line line, bool transpose, const Operand& l1, const Operand& l0) {
  while (line.count > 0) {
    const uint32_t count = std::min(line.count, kMostRepeats);
    LoadData2DRecord load;
    load.instruction = &load_data_2d;
    load.src = part_of(l1, line.src * kBytes);
    load.dst = part_of(l0, line.dst * kBytes);
    load.src_stride = uint16_t(line.src_stride);
    load.dst_gap = uint16_t(line.dst_stride - 1);
    load.repeats = uint8_t(count);
    load.transpose = transpose;
    core.issue(load);
    line.count -= count;
    line.src += count * line.src_stride;
    line.dst += count * line.dst_stride;
  }
}

// Squares of several fractals, `apart` fractals from each other in L0.
void load_squares(Core& core, Line line, uint32_t apart, const Operand& l1, const Operand& l0) {
  LoadDataTransposeRecord load;
  load.instruction = &load_data_with_transpose;
  load.src = l1;
  load.dst = part_of(l0, line.dst * kBytes);
  load.start_index = uint16_t(line.src);
  load.src_stride = uint16_t(line.src_stride);
  load.dst_gap = uint16_t(line.dst_stride - 1);
  load.dst_frac_gap = uint16_t(apart - 1);
  load.repeats = uint8_t(line.count);
  core.issue(load);
}

}  // namespace

void copy_columns_to_l1(Core& core, const Operand& from, const Operand& to, uint32_t columns,
                        uint32_t rows, uint64_t src_pitch, uint32_t dst_pitch) {
  DataCopyRecord copy;
  copy.instruction = &data_copy;
  copy.src = from;
  copy.dst = to;
  copy.bursts = {uint16_t(columns), uint16_t(rows), uint16_t(src_pitch - rows),
                 uint16_t(dst_pitch - rows)};
  if (src_pitch - rows <= kMostStride) return core.issue(copy);
  copy.bursts = {1, uint16_t(rows), 0, 0};
  for (uint32_t i = 0; i < columns; ++i) {
    copy.src = part_of(from, i * src_pitch * kRowBytes);
    copy.dst = part_of(to, uint64_t(i) * dst_pitch * kRowBytes);
    core.issue(copy);
  }
}

void copy_rows_to_l1(Core& core, const Operand& from, uint64_t first, uint64_t pitch, uint32_t rows,
                     uint32_t columns, const Operand& l1, uint32_t height) {
  // Pairs of int4 are counted as bytes.
  const uint32_t shared = bits_of(from.dtype) == 4 ? 2 : 1;
  Nd2NzRecord copy;
  copy.instruction = &data_copy_nd2nz;
  copy.src = part_of(from, bytes_of(from.dtype, first));
  copy.dst = l1;
  copy.dst.dtype = from.dtype;
  copy.matrices = 1;
  copy.rows = uint16_t(rows);
  copy.columns = uint16_t(ceil_div(columns, shared));
  copy.src_row_stride = uint16_t(pitch / shared);
  copy.dst_c0_stride = uint16_t(height);
  copy.dst_row_stride = 1;
  if (pitch / shared <= kMostStride) return core.issue(copy);
  copy.rows = 1;
  copy.src_row_stride = 1;
  for (uint32_t row = 0; row < rows; ++row) {
    copy.src = part_of(from, bytes_of(from.dtype, first + row * pitch));
    copy.dst = part_of(l1, row * kRowBytes);
    copy.dst.dtype = from.dtype;
    core.issue(copy);
  }
}

uint32_t MatmulLoad::c0() const { return fractal::row_elements(type()); }

uint32_t MatmulLoad::outer_unit() const {
  return straight_ ? least_unit_ : std::max(least_unit_, c0());
}
uint32_t MatmulLoad::k_unit() const { return straight_ ? c0() : std::max(16u, c0()); }
uint32_t MatmulLoad::rounded_outer(uint32_t size) const { return round_up(size, outer_unit()); }
uint32_t MatmulLoad::rounded_k(uint32_t size) const { return round_up(size, k_unit()); }

uint64_t MatmulLoad::bytes(uint32_t outer, uint32_t k) const {
  return bytes_of(type(), uint64_t(rounded_outer(outer)) * rounded_k(k));
}

bool MatmulLoad::is_vector(uint32_t outer_size) const {
  return has_vectors_ && is_a_ && straight_ && !in_l1_ && outer_size == 1 &&
         factor_.format != MatrixFormat::kNz;
}

MatmulLoad::Strides MatmulLoad::strides(const FactorBlock& block) const {
  if (is_a_) return {rounded_k(block.k_size) / c0(), 1};
  return {1, rounded_outer(block.outer_size) / 16};
}

void MatmulLoad::to_l1(Core& core, const FactorBlock& block, const Operand& l1) const {
  if (in_l1_) return;
  if (factor_.format == MatrixFormat::kNz) {
    nz_to_l1(core, block, l1);
  } else if (in_ub_) {
    ub_to_l1(core, block, l1);
  } else {
    nd_to_l1(core, block, l1);
  }
}

void MatmulLoad::nd_to_l1(Core& core, const FactorBlock& block, const Operand& l1) const {
  const uint64_t pitch = factor_.pitch;
  if (is_vector(block.outer_size)) {
    return copy_rows_to_l1(core, factor_.memory, block.outer * pitch + block.k, block.k_size, 1,
                           block.k_size, l1, 1);
  }
  if (straight_) {
    return copy_rows_to_l1(core, factor_.memory, block.outer * pitch + block.k, pitch,
                           block.outer_size, block.k_size, l1, rounded_outer(block.outer_size));
  }
  const uint64_t first = block.k * pitch + block.outer;
  if (bits_of(type()) != 32) {
    return copy_rows_to_l1(core, factor_.memory, first, pitch, block.k_size, block.outer_size, l1,
                           rounded_k(block.k_size));
  }
  for (uint32_t k = 0; k < block.k_size; k += 16) {
    const uint64_t to = bytes_of(type(), uint64_t(k) * rounded_outer(block.outer_size));
    copy_rows_to_l1(core, factor_.memory, first + k * pitch, pitch, std::min(16u, block.k_size - k),
                    block.outer_size, part_of(l1, to), 16);
  }
}

// Row-major in UB, rows of whole datablocks: a column of these after the other.
void MatmulLoad::ub_to_l1(Core& core, const FactorBlock& block, const Operand& l1) const {
  const uint32_t rows = straight_ ? block.outer_size : block.k_size;
  const uint32_t columns = straight_ ? block.k_size : block.outer_size;
  const uint32_t first_row = straight_ ? block.outer : block.k;
  const uint32_t first_column = straight_ ? block.k : block.outer;
  const uint32_t height = straight_ ? rounded_outer(rows) : rounded_k(rows);
  for (uint32_t column = 0; column < columns; column += c0()) {
    const uint64_t first = uint64_t(first_row) * factor_.pitch + first_column + column;
    DataCopyRecord copy;
    copy.instruction = &data_copy;
    copy.src = part_of(factor_.memory, bytes_of(type(), first));
    copy.dst = part_of(l1, uint64_t(column / c0()) * height * kRowBytes);
    copy.dst.dtype = type();
    copy.bursts = {uint16_t(rows), 1, uint16_t(factor_.pitch / c0() - 1), 0};
    core.issue(copy);
  }
}

void MatmulLoad::nz_to_l1(Core& core, const FactorBlock& block, const Operand& l1) const {
  const uint64_t pitch = factor_.pitch;
  const auto from = [&](uint32_t column, uint32_t row) {
    return part_of(factor_.memory, (column / c0() * pitch + row) * kRowBytes);
  };
  if (straight_) {
    return copy_columns_to_l1(
        core, from(block.k, block.outer), l1, uint32_t(ceil_div(block.k_size, c0())),
        round_up(block.outer_size, 16), pitch, rounded_outer(block.outer_size));
  }
  const auto columns = uint32_t(ceil_div(block.outer_size, c0()));
  if (bits_of(type()) != 32) {
    return copy_columns_to_l1(core, from(block.outer, block.k), l1, columns,
                              round_up(block.k_size, 16), pitch, rounded_k(block.k_size));
  }
  for (uint32_t k = 0; k < block.k_size; k += 16) {
    const uint64_t to = bytes_of(type(), uint64_t(k) * rounded_outer(block.outer_size));
    copy_columns_to_l1(core, from(block.outer, block.k + k), part_of(l1, to), columns, 16, pitch,
                       16);
  }
}

void MatmulLoad::to_l0(Core& core, const FactorBlock& block, const Operand& l1,
                       const Operand& l0) const {
  if (is_vector(block.outer_size)) {
    const auto fractals = uint32_t(ceil_div(block.k_size, 16 * c0()));
    return load_line(core, {fractals, 0, 1, 0, 1}, false, l1, l0);
  }
  if (straight_) return straight_to_l0(core, block, l1, l0);
  if (bits_of(type()) == 16) return halves_to_l0(core, block, l1, l0);
  squares_to_l0(core, block, l1, l0);
}

void MatmulLoad::straight_to_l0(Core& core, const FactorBlock& block, const Operand& l1,
                                const Operand& l0) const {
  const Strides to = strides(block);
  const uint32_t outer = rounded_outer(block.outer_size) / 16;
  const auto k = uint32_t(ceil_div(block.k_size, c0()));
  const uint32_t pitch = in_l1_ ? factor_.pitch / 16 : outer;
  const uint32_t first = in_l1_ ? block.k / c0() * pitch + block.outer / 16 : 0;
  if (pitch == outer && to.k == outer && to.outer == 1) {  // the same order there and here
    load_line(core, {k * outer, first, 1, 0, 1}, false, l1, l0);
  } else if (k <= outer) {
    for (uint32_t i = 0; i < k; ++i) {
      load_line(core, {outer, first + i * pitch, 1, i * to.k, to.outer}, false, l1, l0);
    }
  } else {
    for (uint32_t i = 0; i < outer; ++i) {
      load_line(core, {k, first + i, pitch, i * to.outer, to.k}, false, l1, l0);
    }
  }
}

void MatmulLoad::halves_to_l0(Core& core, const FactorBlock& block, const Operand& l1,
                              const Operand& l0) const {
  const Strides to = strides(block);
  const uint32_t outer = rounded_outer(block.outer_size) / 16, k = rounded_k(block.k_size) / 16;
  const uint32_t pitch = in_l1_ ? factor_.pitch / 16 : k;
  const uint32_t first = in_l1_ ? block.outer / 16 * pitch + block.k / 16 : 0;
  if (outer <= k) {
    for (uint32_t i = 0; i < outer; ++i) {
      load_line(core, {k, first + i * pitch, 1, i * to.outer, to.k}, true, l1, l0);
    }
  } else {
    for (uint32_t i = 0; i < k; ++i) {
      load_line(core, {outer, first + i, pitch, i * to.k, to.outer}, true, l1, l0);
    }
  }
}

// Squares of `side` x `side` elements. Of 32 bits: the fractals of one follow each other along K;
// else along rows of A or columns of B.
void MatmulLoad::squares_to_l0(Core& core, const FactorBlock& block, const Operand& l1,
                               const Operand& l0) const {
  const Strides to = strides(block);
  const bool wide = bits_of(type()) == 32;
  const uint32_t side = std::max(16u, c0()), in_square = wide ? 2 : side / 16;
  const uint32_t outer = rounded_outer(block.outer_size) / side;
  const uint32_t k = rounded_k(block.k_size) / side;
  const uint32_t pitch = in_l1_ ? factor_.pitch / side : k;
  const uint32_t first = in_l1_ ? block.outer / side * pitch + block.k / side : 0;
  // From one square to the next, in L1 and in L0.
  const uint32_t src_outer = wide ? 1 : pitch, src_k = wide ? outer : 1;
  const uint32_t dst_outer = wide ? to.outer : in_square * to.outer;
  const uint32_t dst_k = wide ? in_square * to.k : to.k;
  const uint32_t apart = wide ? to.k : to.outer;
  if (outer <= k) {
    for (uint32_t i = 0; i < outer; ++i) {
      load_squares(core, {k, first + i * src_outer, src_k, i * dst_outer, dst_k}, apart, l1, l0);
    }
  } else {
    for (uint32_t i = 0; i < k; ++i) {
      load_squares(core, {outer, first + i * src_k, src_outer, i * dst_k, dst_outer}, apart, l1,
                   l0);
    }
  }
}

}  // namespace vinci::isa
