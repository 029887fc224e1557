// A tile is channels x blocks of columns. Its sums begin with 0; then, for as many lines of the
// gradient of the output as L1 holds, and each plane of the input that has blocks of the tile, each
// block of baseK rows is one Mmad.
#include "isa/operator/conv3d_filter_product.h"

#include <algorithm>

#include <fmt/format.h>

#include "isa/operator/conv3d_backprop_tiling.h"
#include "isa/operator/matmul_factor.h"
#include "kernel/fractal.h"
#include "numeric/whole.h"
#include "vinci/record/cube.h"
#include "vinci/record/move.h"

namespace vinci::isa {

extern const Instruction fixpipe;
extern const Instruction load_data_with_transpose;
extern const Instruction mmad;

namespace {

using conv3d::blocks_of;
using fractal::kBytes;
using fractal::kRowBytes;

constexpr uint32_t kBlock = product::kBlock;
constexpr uint32_t kSumBytes = 4;

}  // namespace

uint32_t Conv3dFilterProduct::Tile::loaded() const { return round_up(channels, kBlock); }

Conv3dFilterProduct::Conv3dFilterProduct(const Conv3dBpFilterRecord& record, Core& core)
    : r_(record),
      t_(record.tiling),
      shape_(conv3d::shape_of(record.tiling)),
      core_(core),
      map_(input_map(record.input, shape_)),
      windows_(map_, core),
      points_(conv3d::points_of(shape_)),
      line_(map_.row_line()),
      channels_(int64_t(record.single_m)),
      blocks_(blocks_of(int64_t(record.single_n) / points_) * points_) {
  const Soc& soc = core.soc();
  l0a_ = {0, soc.size_of(Space::kL0A), 0, Position::A2, r_.grad_output.dtype};
  l0b_ = {0, soc.size_of(Space::kL0B), 0, Position::B2, r_.input.dtype};
}

int64_t Conv3dFilterProduct::tiles() const {
  return int64_t(ceil_div(uint64_t(channels_), t_.baseM) *
                 ceil_div(uint64_t(blocks_), t_.baseN / kBlock));
}

Conv3dFilterProduct::Tile Conv3dFilterProduct::tile_at(int64_t number) const {
  const auto along_m = int64_t(ceil_div(uint64_t(channels_), t_.baseM));
  const int64_t at_once = t_.baseN / kBlock;
  Tile tile{};
  tile.number = number;
  tile.m = number % along_m * t_.baseM;
  tile.n = number / along_m * at_once;
  tile.channels = uint32_t(std::min<int64_t>(t_.baseM, channels_ - tile.m));
  tile.blocks = uint32_t(std::min(at_once, blocks_ - tile.n));
  return tile;
}

// Of a plane of the input, and of the gradient for a tile.
uint64_t Conv3dFilterProduct::l1_bytes(int64_t lines) const {
  return conv3d::filter_l1_bytes(shape_, t_.baseM, lines);
}

bool Conv3dFilterProduct::has_room() {
  if (!ProductFlags::are_free("Conv3DBackpropFilter", core_)) return false;
  const LocalBuffer l1 = core_.buffers().for_operator(Position::A1);
  const LocalBuffer l0c = core_.buffers().for_operator(Position::CO1);
  const uint64_t start = round_up(l0c.address, 1024);
  const uint64_t tile = uint64_t(t_.baseM) * t_.baseN * kSumBytes;
  l0c_ = {start, tile, 0, Position::CO1, DType::kFloat};
  if (l1_bytes(1) > l1.bytes || start + tile > l0c.address + l0c.bytes) {
    core_.report(
        Code::kOutOfSpace,
        fmt::format("Conv3DBackpropFilter: a tile takes {} bytes of L1, where {} are left, "
                    "and {} of L0C, where {} are",
                    l1_bytes(1), l1.bytes, tile, l0c.bytes),
        "fewer buffers in A1, B1 and CO1");
    return false;
  }
  const int64_t wanted = int64_t(t_.stepKa) * t_.baseK / line_;
  lines_ = conv3d::filter_lines(shape_, t_.baseM, l1.bytes, wanted);
  input_ = {l1.address, l1.bytes, 0, Position::A1, r_.input.dtype};
  gradient_ = input_;
  gradient_.bytes =
      uint64_t(t_.baseM) / kBlock * round_up(uint64_t(lines_ * line_), kBlock) * kRowBytes;
  input_ = part_of(input_, gradient_.bytes);
  flags_.emplace(core_);
  return true;
}

// Channels of the tile: columns of C0 of them, with the rows of these lines.
void Conv3dFilterProduct::load_gradient(const Tile& tile, const Conv3dWindows::Rows& rows) {
  const auto plane = uint64_t(t_.ho) * t_.wo;
  const uint64_t first = uint64_t(tile.m) / kBlock * plane + uint64_t(rows.m);
  flags_->order(Flag::kLoadUsed);
  if (rows.loaded() != rows.count) fill_l1_with_zeros(core_, gradient_);
  copy_columns_to_l1(core_, part_of(r_.grad_output, first * kRowBytes), gradient_,
                     tile.loaded() / kBlock, rows.count, plane, rows.loaded());
  flags_->order(Flag::kLoaded);
}

// `count` rows from k on.
void Conv3dFilterProduct::load_a(const Tile& tile, const Conv3dWindows::Rows& rows, uint32_t k,
                                 uint32_t count) {
  const auto squares = uint32_t(ceil_div(count, kBlock));
  LoadDataTransposeRecord load;
  load.instruction = &load_data_with_transpose;
  load.src_stride = 1;
  load.repeats = uint16_t(squares);
  for (uint32_t i = 0; i < tile.loaded() / kBlock; ++i) {
    const uint64_t from = uint64_t(i) * rows.loaded() + k;
    load.src = part_of(gradient_, from * kRowBytes);
    load.dst = part_of(l0a_, uint64_t(i) * squares * kBytes);
    core_.issue(load);
  }
}

void Conv3dFilterProduct::issue_mmad(const Tile& tile, uint32_t before, uint32_t blocks, uint32_t k,
                                     bool adds) {
  MmadRecord product;
  product.instruction = &mmad;
  product.a = l0a_;
  product.b = l0b_;
  product.c = part_of(l0c_, uint64_t(before) * tile.loaded() * kBlock * kSumBytes);
  product.m = uint16_t(tile.loaded());
  product.n = uint16_t(blocks * kBlock);
  product.k = uint16_t(k);
  product.c_init_zero = !adds;
  // Small products are not in order by themselves, and this one adds to an earlier one's sums.
  if (adds) core_.pipe_barrier(uint32_t(Pipe::kM));
  core_.issue(product);
}

void Conv3dFilterProduct::multiply_plane(const Tile& tile, const Conv3dWindows::Rows& rows,
                                         const PlaneBlocks& part, bool adds) {
  flags_->order(Flag::kLoadUsed);
  windows_.to_l1(rows, {0, part.plane, 1}, input_);
  flags_->order(Flag::kLoaded);
  for (uint32_t k = 0; k < rows.count; k += t_.baseK) {
    const uint32_t count = std::min(t_.baseK, rows.count - k);
    flags_->order(Flag::kL0Used);
    load_a(tile, rows, k, count);
    windows_.to_l0(rows, 1, {k, round_up(count, kBlock), part.first, part.blocks}, input_, l0b_);
    flags_->order(Flag::kInL0);
    issue_mmad(tile, part.before, part.blocks, count, adds || k > 0);
  }
}

void Conv3dFilterProduct::multiply_lines(const Tile& tile, int64_t line, int64_t lines, bool adds) {
  const Conv3dWindows::Rows rows = windows_.rows_at(line * line_, uint32_t(lines * line_));
  if (rows.lines == 0) {
    if (!adds) multiply_zeros(tile);
    return;
  }
  load_gradient(tile, rows);
  const int64_t end = tile.n + tile.blocks;
  for (int64_t n = tile.n; n < end;) {
    const int64_t blocks = std::min(points_ - n % points_, end - n);
    multiply_plane(tile, rows, {n / points_, n % points_, uint32_t(blocks), uint32_t(n - tile.n)},
                   adds);
    n += blocks;
  }
}

// Where windows see nothing but padding.
void Conv3dFilterProduct::multiply_zeros(const Tile& tile) {
  flags_->order(Flag::kL0Used);
  fill_l0_with_zeros(core_, l0a_, tile.loaded());
  fill_l0_with_zeros(core_, l0b_, tile.blocks * kBlock);
  flags_->order(Flag::kInL0);
  issue_mmad(tile, 0, tile.blocks, kBlock, false);
}

void Conv3dFilterProduct::multiply(const Tile& tile) {
  flags_->order(Flag::kWritten);
  const auto first = int64_t(r_.first_ho), end = first + int64_t(r_.single_k) / line_;
  for (int64_t line = first; line < end; line += lines_) {
    multiply_lines(tile, line, std::min(lines_, end - line), line > first);
  }
  core_.registers().matmul_sums.keep(r_.object, tile.number, l0c_);
}

bool Conv3dFilterProduct::is_kept(const Tile& tile) const {
  return core_.registers().matmul_sums.holds(r_.object, tile.number, l0c_);
}

void Conv3dFilterProduct::write(const Tile& tile) {
  const auto rows = uint64_t(blocks_of(shape_.co)) * kBlock;
  const uint64_t place = uint64_t(tile.n) * rows + uint64_t(tile.m);
  flags_->order(Flag::kSummed);
  FixpipeRecord out;
  out.instruction = &fixpipe;
  out.src = l0c_;
  out.dst = part_of(r_.output, place * kBlock * kSumBytes);
  out.m = uint16_t(tile.loaded());
  out.n = uint16_t(tile.blocks * kBlock);
  out.src_stride = uint16_t(tile.loaded());
  out.dst_stride = uint32_t(rows * kBlock * kSumBytes / kRowBytes);
  out.row_major = false;
  core_.issue(out);
}

}  // namespace vinci::isa
