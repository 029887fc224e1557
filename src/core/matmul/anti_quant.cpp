// B of int8 beside A of half becomes half in GM, some rows at a time, through UB. What multiplies
// never sees int8.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/core.h"
#include "core/matmul/operands.h"
#include "numeric/whole.h"
#include "vinci/matmul_object.h"
#include "vinci/record/library.h"
#include "vinci/record/move.h"

namespace vinci {

namespace isa {
extern const Instruction ascend_anti_quant, data_copy;
}

namespace {

constexpr uint32_t kUnit = 32;           // elements: a datablock of int8
constexpr uint32_t kBytesOfElement = 3;  // in UB, as int8 and as half
constexpr uint64_t kMostElements = 1 << 15;

// Of B transposed: a datablock of what each of its rows is added to and multiplied by.
constexpr uint32_t kRowsAtOnce = 16;

void copy(Core& core, const Operand& from, const Operand& to, uint64_t bytes) {
  DataCopyRecord copy;
  copy.instruction = &isa::data_copy;
  copy.src = from;
  copy.dst = to;
  copy.bursts = {1, uint16_t(bytes / 32), 0, 0};
  core.issue(copy);
}

}  // namespace

void MatmulObject::set_anti_quant(const AntiQuant& numbers) {
  anti_quant_ = numbers;
  begin();
}

// Whether this is such a B, on a chip that has it; of others the record says what is wrong.
bool MatmulObject::has_anti_quant() const {
  return anti_quant_.given && traits_.a.dtype == DType::kHalf && traits_.b.dtype == DType::kInt8 &&
         !Core::current().soc().has(Feature::kBiasTable);
}

// Of `block.rows` rows `block.columns` elements, from UB to UB.
void MatmulObject::anti_quantise(const AntiQuantBlock& block, const Operand& from,
                                 const Operand& to) const {
  LibraryRecord r;
  r.instruction = &isa::ascend_anti_quant;
  r.src[0] = from;
  r.dst[0] = to;
  r.size[0] = b_transposed_ ? block.columns : block.rows;
  r.size[1] = b_transposed_ ? block.rows : block.columns;
  r.size[6] = b_transposed_;
  r.number[0] = anti_quant_.scale_number;
  r.number[1] = anti_quant_.offset_number;
  const auto take = [&](int place, const Operand& vector) {
    if (!is_set(vector)) return;
    r.src[place] = from_element(vector, b_transposed_ ? block.row : block.column);
    r.size[2 * place] = b_transposed_ ? block.rows : 1;
    r.size[2 * place + 1] = b_transposed_ ? 1 : block.columns;
  };
  take(1, anti_quant_.offset);
  take(2, anti_quant_.scale);
  Core::current().issue(r);
}

// Of B to b_half_, by way of UB.
void MatmulObject::anti_quantise(const AntiQuantBlock& block, const Operand& room,
                                 uint32_t columns) const {
  Core& core = Core::current();
  const uint64_t pitch = factor(traits_.b, b_, b_transposed_, false).pitch;
  Operand whole = room, half = from_byte(room, uint64_t(block.rows) * block.columns);
  whole.dtype = DType::kInt8;
  half.dtype = DType::kHalf;
  const auto each_row = [&](auto f) {
    for (uint64_t i = 0; i < block.rows; ++i) f(block.row + i, i * block.columns);
    core.drain_pipes();
  };
  each_row([&](uint64_t row, uint64_t at) {
    copy(core, from_element(b_, row * pitch + block.column), from_element(whole, at),
         block.columns);
  });
  anti_quantise(block, whole, half);
  core.drain_pipes();
  each_row([&](uint64_t row, uint64_t at) {
    copy(core, from_element(half, at), from_element(b_half_, row * columns + block.column),
         block.columns * 2);
  });
}

bool MatmulObject::anti_quantise(const char* api) {
  if (!has_anti_quant() || (tile_ >= 0 && is_set(b_half_))) return true;
  Core& core = Core::current();
  if (traits_.b.format != MatrixFormat::kNd || traits_.b.position != Position::GM ||
      traits_.b.layout != MatrixLayout::kNone) {
    core.report(Code::kUnimplemented,
                fmt::format("{}: B of int8 beside A of half, and not one matrix of ND in GM", api),
                "ND, GM, no LayoutMode");
    return false;
  }
  const auto rows = uint32_t(b_transposed_ ? n_ : k_), columns = uint32_t(b_transposed_ ? k_ : n_);
  if (columns % kUnit != 0) {
    core.report(Code::kMultiple,
                fmt::format("{}: a row of B of int8 beside half has {} elements", api, columns),
                fmt::format("a multiple of {}", kUnit));
    return false;
  }
  core.drain_pipes();  // earlier work may read what is written here
  Operand room = work_;
  if (!is_set(room)) {
    const LocalBuffer left = core.buffers().for_operator(Position::VECCALC);
    room = {round_up(left.address, 32), left.bytes / 32 * 32, 0, Position::VECCALC, DType::kNone};
  }
  const uint32_t at_once = b_transposed_ ? kRowsAtOnce : 1;
  const auto most = uint32_t(
      std::min<uint64_t>(room.bytes / kBytesOfElement / at_once, kMostElements) / kUnit * kUnit);
  if (most == 0) {
    core.report(Code::kOutOfSpace,
                fmt::format("{}: B of int8 takes at least {} bytes of UB, where {} are left", api,
                            kUnit * kBytesOfElement * at_once, room.bytes),
                "SetLocalWorkspace, or fewer buffers in UB");
    return false;
  }
  b_half_ = slot_of(passed_b_.slot, uint64_t(rows) * columns * 2);
  b_half_.dtype = DType::kHalf;
  for (uint32_t row = 0; row < rows; row += at_once) {
    for (uint32_t column = 0; column < columns; column += most) {
      const AntiQuantBlock block{row, std::min(at_once, rows - row), column,
                                 std::min(most, columns - column)};
      anti_quantise(block, room, columns);
    }
  }
  return true;
}

}  // namespace vinci
