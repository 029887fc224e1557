// The pieces of a tile that lie in UB at a time are 16 columns (32, 8-bit) of as many rows as there
// is room for.
#include "isa/operator/matmul_ub.h"

#include <algorithm>

#include <fmt/format.h>

#include "isa/operator/matmul_factor.h"
#include "kernel/fractal.h"
#include "numeric/whole.h"
#include "vinci/record/cube.h"
#include "vinci/record/move.h"
#include "vinci/record/vector.h"

namespace vinci::isa {

extern const Instruction broadcast_vec_to_mm;
extern const Instruction data_copy;
extern const Instruction data_copy_l0c;
extern const Instruction duplicate;

namespace {

constexpr uint32_t kFractal = 16;         // rows and columns
constexpr uint64_t kFractalBytes = 1024;  // of sums
constexpr uint32_t kMostRows = 4080;      // of a copy: bursts, whole fractals
constexpr uint64_t kScaleBytes = 8;
constexpr uint64_t kClearBytes = 2048;

DType sums_of(const MatmulRecord& r) {
  return bits_of(r.a.memory.dtype) >= 16 ? DType::kFloat : DType::kInt32;
}

Operand first_bytes(Operand operand, uint64_t bytes) {
  operand.bytes = bytes;
  return operand;
}

// Whole datablocks, one after the other.
void copy_blocks(Core& core, const Operand& from, const Operand& to, uint64_t bytes) {
  DataCopyRecord copy;
  copy.instruction = &data_copy;
  copy.src = from;
  copy.dst = to;
  copy.src.dtype = copy.dst.dtype = DType::kInt32;
  copy.bursts.length = uint16_t(ceil_div(bytes, 32));
  core.issue(copy);
}

EnhancedCopy::Dequant dequant_of(const MatmulRecord& r) {
  using Dequant = EnhancedCopy::Dequant;
  const bool vector = r.out.quant == MatmulOutput::Quant::kVector;
  if (r.out.quant == MatmulOutput::Quant::kNone) return Dequant::kNone;
  if (bits_of(r.out.memory.dtype) == 8) return vector ? Dequant::kVdeq8 : Dequant::kDeq8;
  return vector ? Dequant::kVdeq16 : Dequant::kDeq16;
}

}  // namespace

uint32_t MatmulUb::columns_of_block() const {
  return bits_of(r_.out.memory.dtype) == 8 ? 2 * kFractal : kFractal;
}
uint64_t MatmulUb::row_bytes() const { return bytes_of(r_.out.memory.dtype, columns_of_block()); }

bool MatmulUb::has_room() {
  Operand room = r_.work;
  if (room.dtype == DType::kNone) {
    const LocalBuffer left = core_.buffers().for_operator(Position::VECCALC);
    room = {round_up(left.address, 32), left.bytes / 32 * 32, 0, Position::VECCALC, DType::kNone};
  }
  const uint64_t columns = round_up(uint64_t(std::min(r_.base_n, r_.n)), 2 * kFractal);
  const bool has_scales = r_.out.quant == MatmulOutput::Quant::kVector;
  const uint64_t scales = has_scales ? columns * kScaleBytes : 0;
  const uint64_t bias = r_.bias.dtype != DType::kNone ? columns * 4 : 0;
  const bool to_ub = core_.soc().space_of(r_.out.memory.position) == Space::kUb;
  const bool staged = !to_ub || r_.out.format != MatrixFormat::kNz;
  const uint64_t least = scales + bias + (staged ? kFractalBytes : 0);
  if (room.bytes < least) {
    core_.report(Code::kOutOfSpace,
                 fmt::format("Matmul: it takes at least {} bytes of UB, where {} are left", least,
                             room.bytes),
                 "SetLocalWorkspace with what MatmulGetTmpBufSize says, or fewer buffers in UB");
    return false;
  }
  scales_ = first_bytes(room, scales);
  bias_ = first_bytes(part_of(room, scales), bias);
  stage_ = part_of(room, scales + bias);
  return true;
}

void MatmulUb::clear(const Operand& l1) const {
  ElementwiseRecord zeros;
  zeros.instruction = &duplicate;
  zeros.dst = stage_;
  zeros.dst.dtype = zeros.scalar_dtype = DType::kInt32;
  const uint64_t bytes = std::min<uint64_t>({stage_.bytes, kClearBytes, l1.bytes}) / 32 * 32;
  zeros.lanes.mask[0] = bytes / 4;
  const auto mask = core_.registers().mask;
  core_.issue(zeros);
  core_.registers().mask = mask;
  wait();
  for (uint64_t at = 0; at < l1.bytes; at += bytes) {
    copy_blocks(core_, stage_, part_of(l1, at), std::min(bytes, l1.bytes - at));
  }
  wait();
}

void MatmulUb::spread_bias(const Size& tile, const Operand& l1, const Operand& l0c) const {
  const uint32_t fractals = round_up(tile.rows, kFractal) / kFractal;
  const auto vectors = uint32_t(ceil_div(tile.columns, kFractal));
  copy_blocks(core_, l1, bias_, uint64_t(vectors) * kFractal * 4);
  wait();
  for (uint32_t row = 0; row < fractals; ++row) {
    BroadcastRecord spread;
    spread.instruction = &broadcast_vec_to_mm;
    spread.src = bias_;
    spread.dst = part_of(l0c, row * kFractalBytes);
    spread.src.dtype = spread.dst.dtype = sums_of(r_);
    spread.blocks = int32_t(vectors);
    spread.length = 1;
    spread.dst_gap = uint8_t(fractals - 1);
    core_.issue(spread);
  }
  wait();
}

void MatmulUb::take_scales(const Size& tile, const Operand& l1) const {
  copy_blocks(core_, l1, scales_, tile.columns * kScaleBytes);
  wait();
}

// Out of L0C, to rows one behind the other. 8-bit: two fractals side by side.
void MatmulUb::convert(const Size& tile, const Piece& piece, const Operand& l0c,
                       const Operand& to) const {
  const uint32_t side = columns_of_block() / kFractal;
  const uint32_t fractals = round_up(tile.rows, kFractal) / kFractal;
  for (uint32_t half = 0; half < side; ++half) {
    const uint32_t column = piece.block * side + half;
    DataCopyL0CRecord copy;
    copy.instruction = &data_copy_l0c;
    copy.src = part_of(l0c, (uint64_t(column) * fractals + piece.row / kFractal) * kFractalBytes);
    copy.src.dtype = sums_of(r_);
    copy.dst = to;
    copy.dst.dtype = r_.out.memory.dtype;
    copy.bursts.length = uint16_t(ceil_div(piece.rows, kFractal));
    copy.enhanced.block_mode = EnhancedCopy::BlockMode::kMatrix;
    copy.enhanced.dequant = dequant_of(r_);
    copy.enhanced.dequant_value = r_.out.scale;
    copy.enhanced.sid_store_mode = uint8_t(half);
    if (r_.out.quant == MatmulOutput::Quant::kVector) {
      copy.scales = part_of(scales_, uint64_t(column) * kFractal * kScaleBytes);
    }
    core_.issue(copy);
  }
}

void MatmulUb::copy_out(const Size& tile, const Piece& piece, const Operand& dst,
                        uint32_t pitch) const {
  const DType type = r_.out.memory.dtype;
  const uint64_t row = row_bytes();
  DataCopyRecord copy;
  copy.instruction = &data_copy;
  copy.src = stage_;
  copy.src.dtype = type;
  if (r_.out.format == MatrixFormat::kNz) {
    copy.dst = part_of(dst, (uint64_t(piece.block) * pitch + piece.row) * row);
    copy.bursts.length = uint16_t(piece.rows * row / 32);
    return core_.issue(copy);
  }
  const uint32_t left = tile.columns - piece.block * columns_of_block();
  const uint64_t used = round_up(bytes_of(type, std::min(left, columns_of_block())), 32);
  copy.dst = part_of(dst, piece.row * bytes_of(type, pitch) + piece.block * row);
  copy.bursts = {uint16_t(piece.rows), uint16_t(used / 32), uint16_t((row - used) / 32),
                 uint16_t((bytes_of(type, pitch) - used) / 32)};
  core_.issue(copy);
}

void MatmulUb::write(const Size& tile, const Operand& l0c, const Operand& dst,
                     uint32_t pitch) const {
  const bool direct =
      r_.out.format == MatrixFormat::kNz && core_.soc().space_of(dst.position) == Space::kUb;
  const auto blocks = uint32_t(ceil_div(tile.columns, columns_of_block()));
  const auto room = uint32_t(std::min<uint64_t>(stage_.bytes / row_bytes(), kMostRows));
  const uint32_t most = direct ? tile.rows : room / kFractal * kFractal;
  for (uint32_t block = 0; block < blocks; ++block) {
    for (uint32_t row = 0; row < tile.rows; row += most) {
      const Piece piece{block, row, std::min(most, tile.rows - row)};
      if (direct) {
        convert(tile, piece, l0c, part_of(dst, uint64_t(block) * pitch * row_bytes()));
        continue;
      }
      convert(tile, piece, l0c, stage_);
      wait();
      copy_out(tile, piece, dst, pitch);
      wait();
    }
  }
  wait();
}

}  // namespace vinci::isa
