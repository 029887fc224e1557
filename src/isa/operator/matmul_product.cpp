// A tile is rows x columns of C. Its sums begin with 0, the bias or what is in L0C; then, block by
// block of base_k elements of K, each is one Mmad. Blocks of factors stay in L1 as long as there is
// room. One block is worked on at a time: time is not simulated.
#include "isa/operator/matmul_product.h"

#include <algorithm>

#include <fmt/format.h>

#include "isa/operator/atomic_output.h"
#include "isa/operator/matmul_special.h"
#include "kernel/fractal.h"
#include "numeric/whole.h"
#include "vinci/record/cube.h"
#include "vinci/record/move.h"

namespace vinci::isa {

extern const Instruction fixpipe;
extern const Instruction mmad;
extern const Instruction mmad_with_sparse;
extern const Instruction set_hf32_mode;
extern const Instruction set_hf32_trans_mode;

namespace {

constexpr uint64_t kBiasColumns = 256;  // of the bias table

DType sums_of(const MatmulRecord& r) {
  const bool floats = bits_of(r.a.memory.dtype) >= 16;
  return floats ? DType::kFloat : DType::kInt32;
}
// Fixpipe makes rows of 32 bytes of C in NZ, whose 8-bit elements are 32 columns.
uint32_t columns_of_block(const MatmulRecord& r) {
  const bool wide = r.out.format == MatrixFormat::kNz && bits_of(r.out.memory.dtype) == 8;
  return wide ? 32 : 16;
}
// Columns that L0C has of a tile: all those that leave it.
uint32_t least_columns(const MatmulRecord& r, const Core& core) {
  const bool whole_bytes = !core.soc().has(Feature::kBiasTable) && bits_of(r.a.memory.dtype) == 8;
  return r.out.format == MatrixFormat::kNz || whole_bytes ? 32 : 16;
}
uint32_t size_at(uint32_t first, int32_t base, int32_t size) {
  return std::min(uint32_t(base), uint32_t(size) - first);
}

}  // namespace

MatmulProduct::MatmulProduct(const MatmulRecord& record, Core& core)
    : r_(record),
      core_(core),
      tiles_(record),
      a_(record.a, true, core.soc()),
      b_(record.b, false, core.soc(), least_columns(record, core)),
      through_ub_(!core.soc().has(Feature::kBiasTable)),
      ub_(record, core) {}

// As Mmad writes it.
uint64_t MatmulProduct::l0c_bytes() const {
  return round_up(uint64_t(std::min(r_.base_m, r_.m)), 16) *
         b_.rounded_outer(uint32_t(std::min(r_.base_n, r_.n))) * 4;
}

uint32_t MatmulProduct::k_blocks() const { return uint32_t(MatmulTiles::count(r_.k, r_.base_k)); }

MatmulProduct::Tile MatmulProduct::tile_at(int64_t index) const {
  const auto [row, column] = tiles_.at(index);
  const uint32_t m = uint32_t(row) * uint32_t(r_.base_m),
                 n = uint32_t(column) * uint32_t(r_.base_n);
  return {index, m, n, size_at(m, r_.base_m, r_.m), size_at(n, r_.base_n, r_.n)};
}

// Tiles below, or above, the diagonal: of tiles, which need not be squares.
bool MatmulProduct::is_skipped(const Tile& tile) const {
  const int64_t row = tile.row / r_.base_m, column = tile.column / r_.base_n;
  switch (r_.triangle) {
    case MatmulRecord::Triangle::kUpper: return row > column;
    case MatmulRecord::Triangle::kLower: return column > row;
    default: return false;
  }
}

// What is issued from here on comes after what `flag` names. Cores whose results leave through UB
// have no pipe FIX, and more ways between memories: there everything that was issued has ended.
void MatmulProduct::order(Flag flag) {
  if (through_ub_) return core_.drain_pipes();
  flags_->order(flag);
}

Operand MatmulProduct::l1_part(uint64_t bytes) {
  Operand part = l1_;
  part.bytes = round_up(bytes, 512);
  l1_ = part_of(l1_, part.bytes);
  return part;
}

// As many blocks of each factor as there are along K, or as there is room for: first of the factor
// that the next tile needs again.
bool MatmulProduct::make_slots() {
  const auto m = uint32_t(std::min(r_.base_m, r_.m)), n = uint32_t(std::min(r_.base_n, r_.n));
  const auto k = uint32_t(std::min(r_.base_k, r_.k));
  const uint64_t a_bytes = a_.in_l1() ? 0 : round_up(a_.bytes(m, k), 512);
  const uint64_t b_bytes = b_.in_l1() ? 0 : round_up(b_.bytes(n, k), 512);
  if (a_bytes + b_bytes > l1_.bytes) {
    core_.report(Code::kOutOfSpace,
                 fmt::format("Matmul: a block of A and one of B take {} bytes of L1, where {} are "
                             "left",
                             a_bytes + b_bytes, l1_.bytes),
                 "a smaller baseM, baseN or baseK, or fewer buffers in A1, B1 and TSCM");
    return false;
  }
  const auto fitting = [&](uint64_t bytes, uint64_t reserved) {
    if (bytes == 0) return uint64_t(1);
    return std::clamp<uint64_t>((l1_.bytes - reserved) / bytes, 1, k_blocks());
  };
  const uint64_t first = fitting(r_.n_first ? a_bytes : b_bytes, r_.n_first ? b_bytes : a_bytes);
  const auto add = [&](std::vector<HeldTile>& slots, uint64_t bytes, uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) slots.push_back({l1_part(bytes)});
  };
  if (r_.n_first) {
    add(a_slots_, a_bytes, first);
    add(b_slots_, b_bytes, fitting(b_bytes, 0));
  } else {
    add(b_slots_, b_bytes, first);
    add(a_slots_, a_bytes, fitting(a_bytes, 0));
  }
  return true;
}

bool MatmulProduct::has_room() {
  if (!through_ub_ && !ProductFlags::are_free("Matmul", core_)) return false;
  const LocalBuffer l1 = core_.buffers().for_operator(Position::A1);
  l1_ = {l1.address, l1.bytes, 0, Position::A1, r_.a.memory.dtype};
  if (r_.bias.dtype != DType::kNone) bias_ = l1_part(kBiasColumns * 4);
  const bool has_scales = r_.out.quant == MatmulOutput::Quant::kVector;
  if (has_scales && !scales_in_l1()) scales_ = l1_part(uint64_t(r_.base_n) * 8);
  if (is_sparse()) {
    const uint64_t columns = round_up(uint64_t(std::min(r_.base_k, r_.k)), 64) / 64;
    index_ = l1_part(columns * b_.rounded_outer(uint32_t(std::min(r_.base_n, r_.n))) * 8);
  }
  l0c_ = r_.l0c;
  if (l0c_.dtype == DType::kNone) {
    const LocalBuffer room = core_.buffers().for_operator(Position::CO1);
    const uint64_t bytes = round_up(l0c_bytes(), 1024), start = round_up(room.address, 1024);
    const uint64_t end = room.address + room.bytes;
    // Objects that share the core have a tile each, as far as there is room.
    const uint64_t place = core_.registers().matmul_sums.place_for(r_.object, bytes, start, end);
    l0c_ = {place, bytes, 0, Position::CO1, sums_of(r_)};
    if (start + bytes > end) {
      core_.report(
          Code::kOutOfSpace,
          fmt::format("Matmul: a tile takes {} bytes of L0C, where {} are left", bytes, room.bytes),
          "a smaller baseM or baseN, or fewer buffers in CO1");
      return false;
    }
  }
  if (through_ub_ && !ub_.has_room()) return false;
  return !r_.multiplies || make_slots();
}

// C in NZ has whole blocks of columns, and what leaves UB whole datablocks: 0 where there are none.
bool MatmulProduct::fills_up(uint32_t columns) const {
  return (through_ub_ || r_.out.format == MatrixFormat::kNz) && columns % 32 != 0;
}

void MatmulProduct::fill_with_zeros(const Operand& l1) const {
  if (through_ub_) return ub_.clear(l1);
  fill_l1_with_zeros(core_, l1);
}

Operand MatmulProduct::in_l1(std::vector<HeldTile>& slots, const MatmulLoad& load,
                             const FactorBlock& block) {
  if (load.in_l1()) return &load == &a_ ? r_.a.memory : r_.b.memory;
  HeldTile& slot = slots[block.k / uint32_t(r_.base_k) % slots.size()];
  if (slot.holds(block.outer, block.k)) return slot.memory;
  slot.hold(block.outer, block.k);
  order(Flag::kLoadUsed);
  if (&load == &b_ && fills_up(block.outer_size)) fill_with_zeros(slot.memory);
  if (!kernel_loads(r_, &load == &a_, block, slot.memory)) load.to_l1(core_, block, slot.memory);
  order(Flag::kLoaded);
  return slot.memory;
}

void MatmulProduct::multiply_block(const Tile& tile, uint32_t k, bool adds) {
  const uint32_t size = size_at(k, r_.base_k, r_.k);
  const uint32_t share = is_sparse() ? 2 : 1;  // elements of K to one of B
  const FactorBlock a{tile.row, tile.rows, k, size};
  const FactorBlock b{tile.column, tile.columns, k / share, size / share};
  const Operand a1 = in_l1(a_slots_, a_, a), b1 = in_l1(b_slots_, b_, b);
  const Soc& soc = core_.soc();
  const Operand a2{0, soc.size_of(Space::kL0A), 0, Position::A2, a_.type()};
  const Operand b2{0, soc.size_of(Space::kL0B), 0, Position::B2, b_.type()};
  order(Flag::kL0Used);
  a_.to_l0(core_, a, a1, a2);
  if (is_sparse()) {
    order(Flag::kLoadUsed);
    load_indices(core_, r_, b_, b, index_);
    order(Flag::kLoaded);
    load_sparse(core_, b_, b, b1, index_, b2);
  } else {
    b_.to_l0(core_, b, b1, b2);
  }
  order(Flag::kInL0);
  MmadRecord product;
  product.instruction = is_sparse() ? &mmad_with_sparse : &mmad;
  product.a = a2;
  product.b = b2;
  product.c = l0c_;
  product.c.dtype = sums_of(r_);
  product.m = uint16_t(a_.is_vector(tile.rows) ? 1 : std::max(tile.rows, 2u));
  product.n = uint16_t(is_sparse() ? tile.columns : b_.rounded_outer(tile.columns));
  product.k = uint16_t(size);
  product.k_direction_align = !a_.is_straight() && a_.type() == DType::kFloat;
  product.c_init_zero = !adds;
  if (!adds && r_.bias.dtype != DType::kNone) {
    product.c_init_zero = false;
    if (!through_ub_) product.bias = bias_table(core_, sums_of(r_));
  }
  // Small products are not in order by themselves, and this one adds to an earlier one's sums.
  if (adds) core_.pipe_barrier(uint32_t(Pipe::kM));
  core_.issue(product);
}

// To the bias table; its columns beyond the tile's are not used.
void MatmulProduct::load_bias(const Tile& tile) {
  order(Flag::kLoadUsed);
  if (fills_up(tile.columns)) fill_with_zeros(bias_);
  copy_rows_to_l1(core_, r_.bias, tile.column, tile.columns, 1, tile.columns, bias_, 1);
  order(Flag::kLoaded);
  order(Flag::kL0Used);
  if (through_ub_) return ub_.spread_bias({tile.rows, tile.columns}, bias_, l0c_);
  load_bias_table(core_, bias_, r_.bias.dtype, sums_of(r_), tile.columns);
}

// A product of zeros, which begins with the bias as MmadWithSparse cannot.
void MatmulProduct::start_from_bias(const Tile& tile) {
  const Soc& soc = core_.soc();
  MmadRecord product;
  product.instruction = &mmad;
  product.a = {0, soc.size_of(Space::kL0A), 0, Position::A2, a_.type()};
  product.b = {0, soc.size_of(Space::kL0B), 0, Position::B2, b_.type()};
  product.c = l0c_;
  product.c.dtype = sums_of(r_);
  product.bias = bias_table(core_, sums_of(r_));
  product.c_init_zero = false;
  product.m = uint16_t(std::max(tile.rows, 2u));
  product.n = uint16_t(tile.columns);
  product.k = 32;
  fill_l0_with_zeros(core_, product.a, product.m);
  fill_l0_with_zeros(core_, product.b, product.n);
  order(Flag::kInL0);
  core_.issue(product);
}

bool MatmulProduct::scales_in_l1() const {
  return core_.soc().space_of(r_.out.scales.position) == Space::kL1;
}

void MatmulProduct::load_scales(const Tile& tile) {
  if (scales_in_l1()) {
    scales_ = part_of(r_.out.scales, uint64_t(tile.column) * 8);
    return;
  }
  order(Flag::kLoadUsed);
  if (fills_up(tile.columns)) fill_with_zeros(scales_);
  // As pairs of 32 bits. Fixpipe waits for Mmad, which comes after the flag that follows.
  Operand words = r_.out.scales;
  words.dtype = DType::kInt32;
  copy_rows_to_l1(core_, words, uint64_t(tile.column) * 2, uint64_t(tile.columns) * 2, 1,
                  tile.columns * 2, scales_, 1);
  order(Flag::kLoaded);
}

void MatmulProduct::multiply(const Tile& tile, uint32_t first_block, uint32_t blocks, bool adds) {
  order(Flag::kWritten);
  const bool has_bias = !adds && r_.bias.dtype != DType::kNone;
  if (has_bias) load_bias(tile);
  if (has_bias && is_sparse()) {
    start_from_bias(tile);
    adds = true;
  }
  for (uint32_t i = 0; i < blocks; ++i) {
    const uint32_t block = (first_block + i) % k_blocks();
    multiply_block(tile, block * uint32_t(r_.base_k), adds || i > 0);
  }
}

uint32_t MatmulProduct::row_length(const Tile& tile) const {
  const uint32_t length = r_.out.sequential ? tile.columns : r_.out.pitch;
  if (r_.out.format != MatrixFormat::kNdAlign) return length;
  return uint32_t(round_up(length, 32 * 8 / bits_of(r_.out.memory.dtype)));
}

// The tile's first element.
Operand MatmulProduct::place_of(const Tile& tile) const {
  const DType type = r_.out.memory.dtype;
  const bool nz = r_.out.format == MatrixFormat::kNz;
  if (r_.out.sequential) {
    const uint64_t slot = uint64_t(r_.base_m) * uint64_t(r_.base_n);
    return part_of(r_.out.memory, bytes_of(type, uint64_t(tile.number - r_.first_tile) * slot));
  }
  if (!nz) {
    return part_of(r_.out.memory,
                   bytes_of(type, uint64_t(tile.row) * row_length(tile) + tile.column));
  }
  const uint32_t wide = r_.out.channel_split ? 8 : columns_of_block(r_);
  return part_of(r_.out.memory,
                 bytes_of(type, (uint64_t(tile.column / wide) * r_.out.pitch + tile.row) * wide));
}

namespace {

FixpipeRecord::Quant quant_of(const MatmulOutput& out, DType sums) {
  using Quant = FixpipeRecord::Quant;
  const DType type = out.memory.dtype;
  const bool vector = out.quant == MatmulOutput::Quant::kVector;
  if (type == sums) return Quant::kNone;
  if (type == DType::kBfloat16) return Quant::kF32ToBf16;
  if (type == DType::kHalf) {
    if (sums == DType::kFloat) return Quant::kF32ToF16;
    return vector ? Quant::kVectorDeqF16 : Quant::kDeqF16;
  }
  if (sums == DType::kFloat) return vector ? Quant::kVectorF32ToB8 : Quant::kF32ToB8;
  return vector ? Quant::kVectorReq8 : Quant::kReq8;
}

AtomicRegister::Op atomic_of(const MatmulOutput& out) {
  using Op = AtomicRegister::Op;
  const Op ops[] = {Op::kNone, Op::kAdd, Op::kMax, Op::kMin};
  return ops[size_t(out.atomic)];
}

}  // namespace

void MatmulProduct::write(const Tile& tile) {
  if (r_.out.quant == MatmulOutput::Quant::kVector) load_scales(tile);
  if (through_ub_) return write_through_ub(tile);
  order(Flag::kSummed);
  if (scales_.bytes != 0) {  // Fixpipe comes after the scales, too
    order(Flag::kInL0);
    order(Flag::kSummed);
  }
  FixpipeRecord out;
  out.instruction = &fixpipe;
  out.src = l0c_;
  out.src.dtype = sums_of(r_);
  out.dst = place_of(tile);
  out.m = uint16_t(tile.rows);
  out.n = uint16_t(tile.columns);
  out.src_stride = uint16_t(round_up(tile.rows, 16));
  out.dst_stride = row_length(tile);
  out.quant = quant_of(r_.out, out.src.dtype);
  out.scale = r_.out.scale;
  out.channel_split = r_.out.channel_split;
  if (r_.out.quant == MatmulOutput::Quant::kVector) out.scales = scales_;
  if (r_.out.format == MatrixFormat::kNz) {
    out.row_major = false;
    out.n = uint16_t(round_up(tile.columns, r_.out.channel_split ? 8 : columns_of_block(r_)));
    const uint64_t rows = r_.out.sequential ? round_up(tile.rows, 16) : r_.out.pitch;
    const uint32_t width = bits_of(out.dst.dtype) / 8;
    out.dst_stride = uint32_t(rows * (width == 4 && !out.channel_split ? 2 : 1));
  }
  AtomicOutput atomic(atomic_of(r_.out), r_.out.memory.dtype, core_);
  if (!kernel_writes(r_, out, scales_)) core_.issue(out);
  atomic.end();
}

void MatmulProduct::write_through_ub(const Tile& tile) {
  const MatmulUb::Size size{tile.rows, tile.columns};
  order(Flag::kSummed);
  if (scales_.bytes != 0) ub_.take_scales(size, scales_);
  const bool nz = r_.out.format == MatrixFormat::kNz;
  const uint32_t pitch = !nz                 ? row_length(tile)
                         : r_.out.sequential ? uint32_t(round_up(tile.rows, 16))
                                             : r_.out.pitch;
  AtomicOutput atomic(atomic_of(r_.out), r_.out.memory.dtype, core_);
  ub_.write(size, l0c_, place_of(tile), pitch);
  atomic.end();
}

void MatmulProduct::set_hf32(bool on, bool ties_away) {
  SetHf32Record mode;
  mode.instruction = &set_hf32_mode;
  mode.value = on;
  core_.issue(mode);
  mode.instruction = &set_hf32_trans_mode;
  mode.value = ties_away;
  core_.issue(mode);
}

bool MatmulProduct::is_kept(int64_t tile) const {
  return core_.registers().matmul_sums.holds(r_.object, tile, l0c_);
}

void MatmulProduct::run() {
  if (!through_ub_) flags_.emplace(core_);
  const Hf32Registers before = core_.registers().hf32;
  const bool sets_hf32 = r_.hf32 != MatmulRecord::Hf32::kLeave && a_.type() == DType::kFloat;
  if (sets_hf32) {
    set_hf32(r_.hf32 != MatmulRecord::Hf32::kOff, r_.hf32 == MatmulRecord::Hf32::kNearestAway);
  }
  const uint32_t parts = r_.parts ? k_blocks() : 1;
  for (int32_t i = 0; i < r_.tiles; ++i) {
    const int64_t number = r_.first_tile + i;
    Tile tile = tile_at(number / parts);
    tile.number = number;
    if (is_skipped(tile)) continue;
    if (r_.parts && r_.multiplies) {
      multiply(tile, uint32_t(number % parts), 1, false);
    } else if (r_.multiplies) {
      multiply(tile, uint32_t(r_.first_k_block), k_blocks(), r_.adds);
    }
    if (r_.out.memory.dtype != DType::kNone) write(tile);
    core_.registers().matmul_sums.keep(r_.object, number, l0c_);
  }
  if (sets_hf32) set_hf32(before.on, before.ties_away);
  if (flags_) flags_->release();
}

}  // namespace vinci::isa
