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
extern const Instruction load_data_3d_v2;
extern const Instruction mmad;

namespace {

using conv3d::kC0;
using fractal::kBytes;
using fractal::kRowBytes;

constexpr uint32_t kBlock = product::kBlock;
constexpr DType kSums = DType::kFloat;

// For divisors above 0.
int64_t divided_up(int64_t value, int64_t by) { return value <= 0 ? 0 : (value + by - 1) / by; }

// Slices of the kernel that lie over slices of the input, not over padding: first..last - 1.
struct Slices {
  int64_t first, last;
};
// `di`: the slice under the kernel's first; before the input it is negative.
Slices slices_inside(const Conv3dAxis& d, int64_t di) {
  const int64_t first = divided_up(-di, d.dilation);
  const int64_t last = std::min(d.kernel, divided_up(d.size - di, d.dilation));
  return {first, std::max(first, last)};
}

}  // namespace

uint32_t Conv3dProduct::Tile::loaded_rows() const { return round_up(lead + rows, kBlock); }

Conv3dProduct::Conv3dProduct(const Conv3dRecord& record, Core& core)
    : r_(record),
      t_(record.tiling),
      shape_(conv3d::shape_of(record.tiling)),
      core_(core),
      planes_(conv3d::planes_of(shape_)),
      points_(conv3d::points_of(shape_)) {
  const Soc& soc = core.soc();
  l0a_ = {0, soc.size_of(Space::kL0A), 0, Position::A2, r_.input.dtype};
  l0b_ = {0, soc.size_of(Space::kL0B), 0, Position::B2, r_.weight.dtype};
}

Operand Conv3dProduct::l1_part(uint64_t bytes) {
  Operand part = l1_;
  part.bytes = round_up(bytes, kBytes);
  l1_ = part_of(l1_, part.bytes);
  return part;
}

bool Conv3dProduct::has_room() {
  if (!ProductFlags::are_free("Conv3D", core_)) return false;
  const LocalBuffer l1 = core_.buffers().for_operator(Position::A1);
  const LocalBuffer l0c = core_.buffers().for_operator(Position::CO1);
  l1_ = {l1.address, l1.bytes, 0, Position::A1, r_.input.dtype};
  const uint64_t start = round_up(l0c.address, 1024), tile = uint64_t(t_.mL0) * t_.nL0 * 4;
  l0c_ = {start, tile, 0, Position::CO1, kSums};
  const auto plane = uint64_t(conv3d::plane_bytes(shape_, t_.mL0));
  const uint64_t weights = uint64_t(t_.kL0) * t_.nL0 * 2, bias = r_.has_bias ? t_.nL0 * 4 : 0;
  const uint64_t beside = round_up(weights, kBytes) + round_up(bias, kBytes);
  if (beside + plane > l1.bytes || start + tile > l0c.address + l0c.bytes) {
    core_.report(Code::kOutOfSpace,
                 fmt::format("Conv3D: a tile takes {} bytes of L1, where {} are left, and {} of "
                             "L0C, where {} are",
                             beside + plane, l1.bytes, tile, l0c.bytes),
                 "fewer buffers in A1, B1 and CO1");
    return false;
  }
  weights_ = l1_part(weights);
  bias_ = l1_part(bias);
  input_ = l1_;
  const int64_t wanted = std::max<int64_t>(1, t_.kAL1 / (points_ * kC0));
  held_ = std::min({wanted, conv3d::most_planes(shape_), int64_t(input_.bytes / plane)});
  return true;
}

Conv3dProduct::Tile Conv3dProduct::tile_at(int64_t depth, int64_t m, int64_t n) const {
  Tile tile{};
  tile.depth = depth;
  tile.m = m;
  tile.n = n;
  const auto wo = int64_t(t_.orgWo);
  tile.lead = uint32_t(m % wo % kBlock);
  tile.rows =
      uint32_t(std::min<int64_t>(t_.mL0 - tile.lead, r_.first_m + int64_t(r_.single_m) - m));
  tile.channels = uint32_t(std::min<int64_t>(t_.nL0, int64_t(r_.single_co) - n));
  tile.columns = round_up(tile.channels, kBlock);
  const Conv3dAxis& h = shape_.h;
  const int64_t first = m / wo * h.stride - h.before;
  const int64_t last = (m + tile.rows - 1) / wo * h.stride - h.before + h.reach() - 1;
  tile.y = std::max<int64_t>(first, 0);
  const int64_t end = std::min(last, h.size - 1);
  tile.lines = std::max<int64_t>(end - tile.y + 1, 0);
  tile.top = uint8_t(tile.y - first);
  tile.bottom = uint8_t(last - end);
  return tile;
}

// Lines of the planes, the tile's alone, one plane after the other.
void Conv3dProduct::load_planes(const Tile& tile, Planes planes) {
  flags_->order(Flag::kLoadUsed);
  const auto rows = uint64_t(tile.lines) * uint64_t(shape_.w.size);
  const auto pitch = uint64_t(shape_.h.size) * uint64_t(shape_.w.size);
  const int64_t di = r_.first_di + tile.depth * shape_.d.stride - shape_.d.before;
  for (int64_t plane = planes.first, end = planes.first + planes.count; plane < end;) {
    const int64_t slice = plane / planes_, c1 = plane % planes_;
    const int64_t count = std::min(planes_ - c1, end - plane);
    const int64_t d = di + slice * shape_.d.dilation;
    const uint64_t from = uint64_t(d * planes_ + c1) * pitch + uint64_t(tile.y * shape_.w.size);
    copy_columns_to_l1(core_, part_of(r_.input, from * kRowBytes),
                       part_of(input_, uint64_t(plane - planes.first) * rows * kRowBytes),
                       uint32_t(count), uint32_t(rows), pitch, uint32_t(rows));
    plane += count;
  }
  flags_->order(Flag::kLoaded);
}

// Blocks k.. of the planes' columns: the windows of the tile's rows, as A.
void Conv3dProduct::load_input(const Tile& tile, Planes planes, int64_t k, int64_t blocks) {
  LoadData3DV2Record load;
  load.instruction = &load_data_3d_v2;
  load.src = input_;
  load.dst = l0a_;
  load.pad[0] = uint8_t(shape_.w.before);
  load.pad[1] = uint8_t(shape_.w.after);
  load.pad[2] = tile.top;
  load.pad[3] = tile.bottom;
  load.l1_h = uint16_t(tile.lines);
  load.l1_w = uint16_t(shape_.w.size);
  load.channels = uint16_t(planes.count * kC0);
  load.m_start = uint16_t(tile.m % int64_t(t_.orgWo) - tile.lead);
  load.m_extension = uint16_t(tile.loaded_rows());
  load.k_start = uint16_t(k * kC0);
  load.k_extension = uint16_t(blocks * kC0);
  load.stride_h = uint8_t(shape_.h.stride);
  load.stride_w = uint8_t(shape_.w.stride);
  load.filter_h = uint16_t(shape_.h.kernel);
  load.filter_w = uint16_t(shape_.w.kernel);
  load.dilation_h = uint8_t(shape_.h.dilation);
  load.dilation_w = uint8_t(shape_.w.dilation);
  core_.issue(load);
}

// The fractals of these blocks and the tile's channels, as B.
void Conv3dProduct::load_weights(const Tile& tile, Planes planes, int64_t k, int64_t blocks) {
  const auto all = uint64_t(ceil_div(uint64_t(shape_.co), kBlock));  // fractals of a block
  const uint64_t block = uint64_t(planes.first * points_ + k);
  const uint64_t first = block * all + uint64_t(tile.n) / kBlock;
  flags_->order(Flag::kLoadUsed);
  copy_columns_to_l1(core_, part_of(r_.weight, first * kBytes), weights_, uint32_t(blocks),
                     tile.columns, all * kBlock, tile.columns);
  flags_->order(Flag::kLoaded);
  LoadData2DRecord load;
  load.instruction = &load_data_2d;
  load.dst = l0b_;
  load.src = weights_;
  load.src_stride = 1;
  load.repeats = uint16_t(blocks * tile.columns / kBlock);
  core_.issue(load);
}

void Conv3dProduct::issue_mmad(const Tile& tile, uint32_t k, bool adds) {
  MmadRecord product;
  product.instruction = &mmad;
  product.a = l0a_;
  product.b = l0b_;
  product.c = l0c_;
  product.m = uint16_t(tile.loaded_rows());
  product.n = uint16_t(tile.columns);
  product.k = uint16_t(k);
  product.c_init_zero = !adds && !r_.has_bias;
  if (!adds && r_.has_bias) product.bias = bias_table(core_, kSums);
  // Small products are not in order by themselves, and this one adds to an earlier one's sums.
  if (adds) core_.pipe_barrier(uint32_t(Pipe::kM));
  core_.issue(product);
}

void Conv3dProduct::multiply_block(const Tile& tile, Planes planes, int64_t k, int64_t blocks,
                                   bool adds) {
  flags_->order(Flag::kL0Used);
  load_weights(tile, planes, k, blocks);
  load_input(tile, planes, k, blocks);
  flags_->order(Flag::kInL0);
  issue_mmad(tile, uint32_t(blocks * kC0), adds);
}

void Conv3dProduct::multiply_planes(const Tile& tile, Planes planes, bool adds) {
  load_planes(tile, planes);
  const int64_t blocks = planes.count * points_, at_once = t_.kL0 / kC0;
  for (int64_t k = 0; k < blocks; k += at_once) {
    multiply_block(tile, planes, k, std::min(at_once, blocks - k), adds || k > 0);
  }
}

// Of a tile that has nothing but padding under its kernel: the bias, or 0.
void Conv3dProduct::multiply_zeros(const Tile& tile) {
  flags_->order(Flag::kL0Used);
  fill_l0_with_zeros(core_, l0a_, tile.loaded_rows());
  fill_l0_with_zeros(core_, l0b_, tile.columns);
  flags_->order(Flag::kInL0);
  issue_mmad(tile, kC0, false);
}

void Conv3dProduct::load_bias(const Tile& tile) {
  flags_->order(Flag::kLoadUsed);
  if (tile.channels != tile.columns) fill_l1_with_zeros(core_, bias_);
  copy_rows_to_l1(core_, r_.bias, uint64_t(tile.n), tile.channels, 1, tile.channels, bias_, 1);
  flags_->order(Flag::kLoaded);
  flags_->order(Flag::kL0Used);
  load_bias_table(core_, bias_, r_.bias.dtype, kSums, tile.columns);
}

void Conv3dProduct::write(const Tile& tile) {
  const auto plane = int64_t(t_.orgHo * t_.orgWo);
  const auto blocks = int64_t(ceil_div(uint64_t(shape_.co), kBlock));
  const int64_t place = (tile.depth * blocks + tile.n / kBlock) * plane + tile.m - r_.first_m;
  flags_->order(Flag::kSummed);
  FixpipeRecord out;
  out.instruction = &fixpipe;
  out.src = part_of(l0c_, uint64_t(tile.lead) * kBlock * 4);
  out.dst = part_of(r_.output, uint64_t(place) * kRowBytes);
  out.m = uint16_t(tile.rows);
  out.n = uint16_t(tile.columns);
  out.src_stride = uint16_t(tile.loaded_rows());
  out.dst_stride = uint32_t(plane);
  out.row_major = false;
  using Quant = FixpipeRecord::Quant;
  out.quant = r_.output.dtype == DType::kHalf ? Quant::kF32ToF16 : Quant::kF32ToBf16;
  core_.issue(out);
}

void Conv3dProduct::run_tile(const Tile& tile) {
  const int64_t di = r_.first_di + tile.depth * shape_.d.stride - shape_.d.before;
  const Slices slices = slices_inside(shape_.d, di);
  const int64_t first = slices.first * planes_, last = slices.last * planes_;
  flags_->order(Flag::kWritten);
  if (r_.has_bias) load_bias(tile);
  if (first == last || tile.lines == 0) {
    multiply_zeros(tile);
  } else {
    for (int64_t plane = first; plane < last; plane += held_) {
      multiply_planes(tile, {plane, std::min(held_, last - plane)}, plane > first);
    }
  }
  write(tile);
}

// All tiles of a slice: M first, or N first.
void Conv3dProduct::run_plane(int64_t depth) {
  const auto co = int64_t(r_.single_co), end = r_.first_m + int64_t(r_.single_m);
  const auto run_rows = [&](int64_t first, int64_t n) {
    const Tile tile = tile_at(depth, first, n);
    run_tile(tile);
    return first + tile.rows;
  };
  if (t_.iterateMNOrder == 0) {
    for (int64_t n = 0; n < co; n += t_.nL0) {
      for (int64_t m = r_.first_m; m < end;) m = run_rows(m, n);
    }
    return;
  }
  for (int64_t m = r_.first_m, next = m; m < end; m = next) {
    for (int64_t n = 0; n < co; n += t_.nL0) next = run_rows(m, n);
  }
}

void Conv3dProduct::run() {
  flags_.emplace(core_);
  for (int64_t depth = 0; depth < int64_t(r_.single_do); ++depth) run_plane(depth);
  flags_->release();
}

}  // namespace vinci::isa
