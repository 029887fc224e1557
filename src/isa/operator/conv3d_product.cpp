// A tile is rows x channels of a plane of the output. Its sums begin with 0 or the bias; then, for
// slices of the kernel and planes of channels, as many at once as L1 holds, each block of kL0 is
// one Mmad. Planes lie in L1 one after the other, so that a 3D load takes them for channels of one
// map.
#include "isa/operator/conv3d_product.h"

#include <algorithm>

#include <fmt/format.h>

#include "isa/operator/matmul_factor.h"
#include "kernel/fractal.h"
#include "numeric/whole.h"
#include "vinci/record/cube.h"
#include "vinci/record/move.h"

namespace vinci::isa {

extern const Instruction fixpipe;
extern const Instruction load_data_2d;
extern const Instruction load_data_with_transpose;
extern const Instruction mmad;

namespace {

using conv3d::blocks_of;
using conv3d::divided_up;
using conv3d::kC0;
using fractal::kBytes;
using fractal::kRowBytes;

constexpr uint32_t kBlock = product::kBlock;
constexpr DType kSums = DType::kFloat;

}  // namespace

Conv3dProduct::Conv3dProduct(const Conv3dTask& task, Core& core)
    : t_(task), core_(core), windows_(task.map, core), points_(conv3d::points_of(task.shape)) {
  const Soc& soc = core.soc();
  l0a_ = {0, soc.size_of(Space::kL0A), 0, Position::A2, t_.map.memory.dtype};
  l0b_ = {0, soc.size_of(Space::kL0B), 0, Position::B2, t_.weight.dtype};
}

Operand Conv3dProduct::l1_part(uint64_t bytes) {
  Operand part = l1_;
  part.bytes = round_up(bytes, kBytes);
  l1_ = part_of(l1_, part.bytes);
  return part;
}

bool Conv3dProduct::has_room(uint32_t rows) {
  if (!ProductFlags::are_free(t_.api, core_)) return false;
  const LocalBuffer l1 = core_.buffers().for_operator(Position::A1);
  const LocalBuffer l0c = core_.buffers().for_operator(Position::CO1);
  l1_ = {l1.address, l1.bytes, 0, Position::A1, t_.map.memory.dtype};
  const uint64_t start = round_up(l0c.address, 1024), tile = uint64_t(rows) * t_.n_l0 * 4;
  l0c_ = {start, tile, 0, Position::CO1, kSums};
  const auto plane = uint64_t(conv3d::plane_bytes(t_.map.h, t_.map.w, rows));
  const uint64_t weights = uint64_t(t_.k_l0) * t_.n_l0 * 2, bias = has_bias() ? t_.n_l0 * 4 : 0;
  const uint64_t beside = round_up(weights, kBytes) + round_up(bias, kBytes);
  if (beside + plane > l1.bytes || start + tile > l0c.address + l0c.bytes) {
    core_.report(Code::kOutOfSpace,
                 fmt::format("{}: a tile takes {} bytes of L1, where {} are left, and {} of "
                             "L0C, where {} are",
                             t_.api, beside + plane, l1.bytes, tile, l0c.bytes),
                 "fewer buffers in A1, B1 and CO1");
    return false;
  }
  weights_ = l1_part(weights);
  bias_ = l1_part(bias);
  input_ = l1_;
  const int64_t wanted = std::max<int64_t>(1, t_.k_l1 / (points_ * kC0));
  held_ = std::min(wanted, conv3d::most_planes(t_.shape));
  if (plane > 0) held_ = std::min(held_, int64_t(input_.bytes / plane));
  flags_.emplace(core_);
  return true;
}

std::vector<Conv3dProduct::Slice> Conv3dProduct::slices_of(int64_t depth) const {
  const Conv3dAxis& d = t_.shape.d;
  std::vector<Slice> slices;
  if (!t_.is_gradient) {
    const int64_t di = t_.first_depth + depth * d.stride - d.before;
    const int64_t last = std::min(d.kernel, divided_up(d.size - di, d.dilation));
    for (int64_t kd = divided_up(-di, d.dilation); kd < last; ++kd) {
      slices.push_back({kd, di + kd * d.dilation});
    }
    return slices;
  }
  // Slice `at` of the spread output meets this one.
  const int64_t start = t_.first_depth + depth + d.before;
  const int64_t most = (d.positions() - 1) * d.stride;
  for (int64_t kd = divided_up(start - most, d.dilation); kd < d.kernel; ++kd) {
    const int64_t at = start - kd * d.dilation;
    if (at < 0) break;
    if (at % d.stride == 0) slices.push_back({kd, at / d.stride});
  }
  return slices;
}

Conv3dProduct::Tile Conv3dProduct::tile_at(int64_t depth, int64_t m, uint32_t rows, int64_t n,
                                           int64_t number) const {
  Tile tile{};
  tile.number = number;
  tile.depth = depth;
  tile.n = n;
  tile.channels = uint32_t(std::min<int64_t>(t_.n_l0, t_.channels - n));
  tile.columns = round_up(tile.channels, kBlock);
  tile.rows = windows_.rows_at(m, uint32_t(std::min<int64_t>(rows, t_.first_row + t_.rows - m)));
  return tile;
}

void Conv3dProduct::load_planes(const Tile& tile, Planes planes) {
  flags_->order(Flag::kLoadUsed);
  const uint64_t bytes = windows_.plane_bytes(tile.rows);
  for (int64_t plane = planes.first, end = planes.first + planes.count; plane < end;) {
    const int64_t c1 = plane % t_.planes, count = std::min(t_.planes - c1, end - plane);
    windows_.to_l1(tile.rows, {slices_[size_t(plane / t_.planes)].map, c1, count},
                   part_of(input_, uint64_t(plane - planes.first) * bytes));
    plane += count;
  }
  flags_->order(Flag::kLoaded);
}

// Blocks k.. of the planes' columns and the tile's channels lie behind each other in memory.
void Conv3dProduct::copy_weights(const Tile& tile, Planes planes, int64_t k, int64_t blocks) {
  const auto all = uint64_t(blocks_of(t_.shape.co));  // fractals of a block
  const int64_t plane = slices_[0].kernel * t_.planes + planes.first;
  const uint64_t first = uint64_t(plane * points_ + k) * all + uint64_t(tile.n) / kBlock;
  copy_columns_to_l1(core_, part_of(t_.weight, first * kBytes), weights_, uint32_t(blocks),
                     tile.columns, all * kBlock, tile.columns);
}

// Channels of the input are a kernel's points away from each other, and points come from the last
// to the first.
void Conv3dProduct::copy_turned_weights(const Tile& tile, Planes planes, int64_t k,
                                        int64_t blocks) {
  const int64_t n1 = blocks_of(t_.shape.co), c1 = blocks_of(t_.shape.ci);
  const uint32_t fractals = tile.columns / kBlock;
  for (int64_t i = 0; i < blocks; ++i) {
    const int64_t plane = planes.first + (k + i) / points_;
    const int64_t point = points_ - 1 - (k + i) % points_;
    const int64_t slice = slices_[size_t(plane / t_.planes)].kernel;
    const int64_t first =
        ((slice * c1 + tile.n / kBlock) * points_ + point) * n1 + plane % t_.planes;
    copy_columns_to_l1(core_, part_of(t_.weight, uint64_t(first) * kBytes),
                       part_of(weights_, uint64_t(i) * fractals * kBytes), fractals, kBlock,
                       uint64_t(points_ * n1) * kBlock, kBlock);
  }
}

// The fractals of these blocks and the tile's channels, as B.
void Conv3dProduct::load_weights(const Tile& tile, Planes planes, int64_t k, int64_t blocks) {
  flags_->order(Flag::kLoadUsed);
  if (t_.is_gradient) {
    copy_turned_weights(tile, planes, k, blocks);
  } else {
    copy_weights(tile, planes, k, blocks);
  }
  flags_->order(Flag::kLoaded);
  const auto fractals = uint64_t(blocks) * tile.columns / kBlock;
  if (t_.is_gradient) {
    LoadDataTransposeRecord load;
    load.instruction = &load_data_with_transpose;
    load.dst = l0b_;
    load.src = weights_;
    load.src_stride = 1;
    load.repeats = uint16_t(fractals);
    return core_.issue(load);
  }
  LoadData2DRecord load;
  load.instruction = &load_data_2d;
  load.dst = l0b_;
  load.src = weights_;
  load.src_stride = 1;
  load.repeats = uint16_t(fractals);
  core_.issue(load);
}

void Conv3dProduct::issue_mmad(const Tile& tile, uint32_t k, bool adds) {
  MmadRecord product;
  product.instruction = &mmad;
  product.a = l0a_;
  product.b = l0b_;
  product.c = l0c_;
  product.m = uint16_t(tile.rows.loaded());
  product.n = uint16_t(tile.columns);
  product.k = uint16_t(k);
  product.c_init_zero = !adds && !has_bias();
  if (!adds && has_bias()) product.bias = bias_table(core_, kSums);
  // Small products are not in order by themselves, and this one adds to an earlier one's sums.
  if (adds) core_.pipe_barrier(uint32_t(Pipe::kM));
  core_.issue(product);
}

void Conv3dProduct::multiply_block(const Tile& tile, Planes planes, int64_t k, int64_t blocks,
                                   bool adds) {
  const Conv3dWindows::Rows& rows = tile.rows;
  flags_->order(Flag::kL0Used);
  load_weights(tile, planes, k, blocks);
  windows_.to_l0(rows, planes.count,
                 {rows.m % t_.map.row_line() - rows.lead, rows.loaded(), k, blocks}, input_, l0a_);
  flags_->order(Flag::kInL0);
  issue_mmad(tile, uint32_t(blocks * kC0), adds);
}

void Conv3dProduct::multiply_planes(const Tile& tile, Planes planes, bool adds) {
  load_planes(tile, planes);
  // A tile that begins in the middle of a fractal has more rows than its size says.
  const auto fits = int64_t(l0a_.bytes / (tile.rows.loaded() * kRowBytes));
  const int64_t blocks = planes.count * points_, at_once = std::min<int64_t>(t_.k_l0 / kC0, fits);
  for (int64_t k = 0; k < blocks; k += at_once) {
    multiply_block(tile, planes, k, std::min(at_once, blocks - k), adds || k > 0);
  }
}

// Of a tile that has nothing but padding under its kernel: the bias, or 0.
void Conv3dProduct::multiply_zeros(const Tile& tile) {
  flags_->order(Flag::kL0Used);
  fill_l0_with_zeros(core_, l0a_, tile.rows.loaded());
  fill_l0_with_zeros(core_, l0b_, tile.columns);
  flags_->order(Flag::kInL0);
  issue_mmad(tile, kC0, false);
}

void Conv3dProduct::load_bias(const Tile& tile) {
  flags_->order(Flag::kLoadUsed);
  if (tile.channels != tile.columns) fill_l1_with_zeros(core_, bias_);
  copy_rows_to_l1(core_, t_.bias, uint64_t(tile.n), tile.channels, 1, tile.channels, bias_, 1);
  flags_->order(Flag::kLoaded);
  flags_->order(Flag::kL0Used);
  load_bias_table(core_, bias_, t_.bias.dtype, kSums, tile.columns);
}

bool Conv3dProduct::is_kept(const Tile& tile) const {
  return core_.registers().matmul_sums.holds(t_.object, tile.number, l0c_);
}

void Conv3dProduct::write(const Tile& tile) {
  const int64_t plane = t_.plane_rows(), blocks = blocks_of(t_.all_channels());
  const int64_t place =
      (tile.depth * blocks + tile.n / kBlock) * plane + tile.rows.m - t_.first_row;
  flags_->order(Flag::kSummed);
  FixpipeRecord out;
  out.instruction = &fixpipe;
  out.src = part_of(l0c_, uint64_t(tile.rows.lead) * kBlock * 4);
  out.dst = part_of(t_.output, uint64_t(place) * kRowBytes);
  out.m = uint16_t(tile.rows.count);
  out.n = uint16_t(tile.columns);
  out.src_stride = uint16_t(tile.rows.loaded());
  out.dst_stride = uint32_t(plane);
  out.row_major = false;
  using Quant = FixpipeRecord::Quant;
  out.quant = t_.output.dtype == DType::kHalf ? Quant::kF32ToF16 : Quant::kF32ToBf16;
  core_.issue(out);
}

void Conv3dProduct::multiply(const Tile& tile) {
  slices_ = slices_of(tile.depth);
  const int64_t planes = int64_t(slices_.size()) * t_.planes;
  flags_->order(Flag::kWritten);
  if (has_bias()) load_bias(tile);
  if (planes == 0 || tile.rows.lines == 0) {
    multiply_zeros(tile);
  } else {
    for (int64_t plane = 0; plane < planes; plane += held_) {
      multiply_planes(tile, {plane, std::min(held_, planes - plane)}, plane > 0);
    }
  }
  core_.registers().matmul_sums.keep(t_.object, tile.number, l0c_);
}

}  // namespace vinci::isa
