// mmad: C[m x n] = init + A[m x k] * B[k x n].
//
// A lies in L0A as zZ fractals, B in L0B as nZ, C in L0C as zN. The initial C is 0, C itself, or a
// bias. Floats accumulate in binary32: one fused multiply-add for each k, ascending, starting from
// the initial C; a half result is rounded once, at the end. Integers accumulate modulo 2^32. Rows
// and columns of C up to the next multiple of 16 are computed from whatever L0A and L0B hold.
// Sources and decisions: docs/spec/mmad.md.
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/cube/factor.h"
#include "kernel/fractal.h"
#include "vinci/record/cube.h"
#include "kernel/matrix.h"
#include "numeric/dtype.h"
#include "kernel/half_array.h"
#include "kernel/hf32.h"

namespace vinci::isa {
namespace {

constexpr DType kH = DType::kHalf, kF = DType::kFloat, kBf = DType::kBfloat16;
constexpr DType kS8 = DType::kInt8, kU8 = DType::kUint8, kS4 = DType::kInt4;
constexpr DType kS32 = DType::kInt32, kU32 = DType::kUint32;

constexpr Signature k1001Types[] = {
    {kH, kH, kH}, {kF, kH, kH}, {kS32, kS8, kS8}, {kS32, kU8, kS8}, {kU32, kU8, kU8}};
constexpr Signature k2002Types[] = {{kH, kH, kH},     {kF, kH, kH},     {kS32, kS8, kS8},
                                    {kS32, kU8, kS8}, {kS32, kU8, kU8}, {kS32, kS4, kS4}};
constexpr Signature k2201Types[] = {
    {kF, kH, kH}, {kF, kBf, kBf}, {kF, kF, kF}, {kS32, kS8, kS8}, {kS32, kS4, kS4}};
// TIK has the older chips' list on Atlas A2/A3 too.
constexpr Signature kU8Types[] = {{kS32, kU8, kU8}};
constexpr Signature kFloatTypes[] = {{kF, kF, kF}};
constexpr Signature k3002TikTypes[] = {
    {kH, kH, kH}, {kF, kH, kH}, {kF, kBf, kBf}, {kF, kF, kF}, {kS32, kS8, kS8}};
constexpr Support kSupport[] = {
    {kArch1001, k1001Types, true, kAscendC},
    {kArch2002, k2002Types, true, kAscendC},
    {kArch2201 | kArch3002, k2201Types, true, kAscendC},
    {kArch1000 | kArch1001 | kArch2002 | kArch2201, k1001Types, true, kTik},
    {kArch2002, kU8Types, true, kTik},
    {kArch2201, kFloatTypes, true, kTik},
    {kArch3002, k3002TikTypes, true, kTik},
};

Signature signature(const MmadRecord& record) {
  return {record.c.dtype, record.a.dtype, record.b.dtype};
}

bool is_nop(const MmadRecord& record) { return record.m == 0 || record.n == 0 || record.k == 0; }
bool has_bias(const MmadRecord& record) { return record.bias.dtype != DType::kNone; }

// Where the initial C comes from.
enum class Start { kZero, kC, kBiasTable, kBiasInL0C };

Start start_of(const MmadRecord& record, const Soc& soc) {
  if (record.c_init_zero && !record.is_bias) return Start::kZero;
  if (!has_bias(record)) return Start::kC;
  return soc.space_of(record.bias.position) == Space::kL0C ? Start::kBiasInL0C : Start::kBiasTable;
}

void check_bias(const MmadRecord& record, Check& check) {
  if (record.c_from_bias_table && !check.soc().has(Feature::kBiasTable)) {
    check.range("cmatrixSource", 1, 0, 0);
  }
  if (!has_bias(record) || !check.ok()) return;
  const Space space = check.soc().space_of(record.bias.position);
  if (!check.soc().has(Feature::kBiasTable)) {
    check.fail(Code::kSocInstruction,
               fmt::format("{} has no Mmad with a bias tensor", check.soc().name),
               "Mmad without a bias tensor");
    return;
  }
  if (space != Space::kBt && space != Space::kL0C) {
    check.fail(Code::kPosition,
               fmt::format("bias is in {} ({})", name_of(record.bias.position), name_of(space)),
               "C2, CO1");
    return;
  }
  if (record.bias.dtype != record.c.dtype) {
    check.fail(Code::kCombination,
               fmt::format("bias holds {} and dst {}", name_of(record.bias.dtype),
                           name_of(record.c.dtype)),
               "the same type");
  }
  check.aligned("bias", record.bias);
  if (start_of(record, check.soc()) == Start::kZero) {
    check.warn(Code::kNoEffect, "cmatrixInitVal is true, so the bias is not added",
               "cmatrixInitVal = false");
  }
}

void check(const MmadRecord& record, Check& check) {
  check.in_space("dst", record.c, Space::kL0C);
  check.in_space("fm", record.a, Space::kL0A);
  check.in_space("filter", record.b, Space::kL0B);
  if (!check.ok()) return;
  check.aligned("dst", record.c, record.c.dtype == DType::kHalf ? 512 : 1024);
  check.aligned("fm", record.a);
  check.aligned("filter", record.b);
  check.range("m", record.m, 0, 4095);
  check.range("n", record.n, 0, 4095);
  check.range("k", record.k, 0, 4095);
  if (record.a.dtype == DType::kInt4) check.multiple("k", record.k, 2);
  if (record.k_direction_align && record.a.dtype != DType::kFloat) {
    check.fail(Code::kCombination, "kDirectionAlign with elements that are not float",
               "kDirectionAlign = false");
  }
  if (record.disable_gemv && record.m == 1) {
    check.warn(Code::kNoEffect, "disableGemv has no effect here: A is a vector when m is 1",
               "m = 16, or a vector A and disableGemv = false");
  }
  check_bias(record, check);
}

// Fractals from one row block of A to the next.
uint64_t a_pitch(const MmadRecord& record) {
  return record.k_direction_align ? 2 * ceil_div(record.k, 16)
                                  : ceil_div(record.k, fractal::row_elements(record.a.dtype));
}

// Fractals of each operand; a vector A (m = 1) is k contiguous elements.
uint64_t a_bytes(const MmadRecord& record) {
  const unsigned k0 = fractal::row_elements(record.a.dtype);
  if (record.m == 1) return ceil_div(record.k, 16 * k0) * fractal::kBytes;
  const uint64_t read = ceil_div(record.k, k0);  // fractals of a row block
  return ((ceil_div(record.m, 16) - 1) * a_pitch(record) + read) * fractal::kBytes;
}

uint64_t b_bytes(const MmadRecord& record) {
  const unsigned k0 = fractal::row_elements(record.b.dtype);
  return ceil_div(record.k, k0) * ceil_div(record.n, 16) * fractal::kBytes;
}

void add_factors(const MmadRecord& record, uint64_t n_blocks, Footprint& footprint) {
  const auto span = [](const Operand& operand, const char* name, uint64_t bytes) {
    return Region{operand, name, Access::kRead, true, operand.address, bytes};
  };
  const uint64_t a_row = bytes_of(record.a.dtype, record.k);
  const matrix::FactorBytes a =
      record.m == 1
          ? matrix::FactorBytes{1, 0, a_row, 0, 0}
          : matrix::a_of(ceil_div(record.m, 16), a_pitch(record) * fractal::kBytes, a_row);
  matrix::add_factor(footprint, span(record.a, "fm", a_bytes(record)), a);
  matrix::add_factor(footprint, span(record.b, "filter", b_bytes(record)),
                     matrix::b_of(n_blocks, bytes_of(record.b.dtype, record.k)));
}

void footprint(const MmadRecord& record, Footprint& footprint) {
  if (is_nop(record)) return;
  const uint64_t n_blocks = ceil_div(record.n, 16);
  const uint64_t c_bytes = ceil_div(record.m, 16) * n_blocks * bytes_of(record.c.dtype, 256);
  add_factors(record, n_blocks, footprint);
  switch (start_of(record, footprint.soc())) {
    case Start::kZero: break;
    case Start::kC: footprint.add_bytes(record.c, "dst", Access::kRead, 0, c_bytes); break;
    case Start::kBiasInL0C:
      footprint.add_bytes(record.bias, "bias", Access::kRead, 0, c_bytes);
      break;
    case Start::kBiasTable:
      footprint.add_bytes(record.bias, "bias", Access::kRead, 0, n_blocks * 16 * sizeof(float));
      break;
  }
  footprint.add_bytes(record.c, "dst", Access::kWrite, 0, c_bytes);
}

// Writes the initial C, whose elements are 32 bits wide, where it is not 0.
void start(const MmadRecord& record, const State& state, Memory& memory,
           const matrix::Product& product, uint8_t* c) {
  const size_t bytes = product.fractals() * 256 * sizeof(float);
  switch (start_of(record, state.soc)) {
    case Start::kC:
    case Start::kZero: return;
    case Start::kBiasInL0C: std::memmove(c, memory.data(record.bias), bytes); return;
    case Start::kBiasTable: {
      const uint8_t* bias = memory.data(record.bias);
      const size_t row_bytes = 16 * sizeof(float);
      for (size_t row = 0; row < bytes / row_bytes; ++row) {
        const size_t block = row / 16 / product.m_blocks();
        std::memcpy(c + row * row_bytes, bias + block * row_bytes, row_bytes);
      }
    }
  }
}

// An operand of floats as HF32 mode takes it, kept in `panel`.
const uint8_t* rounded(const Operand& operand, uint64_t bytes, const State& state, Memory& memory,
                       std::vector<uint32_t>& panel) {
  panel.resize(bytes / sizeof(uint32_t));
  round_to_hf32(reinterpret_cast<const uint32_t*>(memory.data(operand)), panel.data(), panel.size(),
                state.registers.hf32.ties_away);
  return reinterpret_cast<const uint8_t*>(panel.data());
}

template <class Result>
void multiply(const MmadRecord& record, const State& state, Memory& memory,
              const matrix::Product& product, Result* c) {
  const uint8_t* a = memory.data(record.a);
  const uint8_t* b = memory.data(record.b);
  std::vector<uint32_t> a_panel, b_panel;
  if (record.a.dtype == DType::kFloat && state.registers.hf32.on) {
    a = rounded(record.a, a_bytes(record), state, memory, a_panel);
    b = rounded(record.b, b_bytes(record), state, memory, b_panel);
  }
  matrix::multiply(a, record.a.dtype, b, record.b.dtype, product, c);
}

void multiply_to_half(const MmadRecord& record, const State& state, Memory& memory,
                      const matrix::Product& product) {
  const size_t elements = product.fractals() * 256;
  auto* c = reinterpret_cast<uint16_t*>(memory.data(record.c));
  std::vector<float> wide(elements);
  if (start_of(record, state.soc) == Start::kC) floats_of_halves(c, wide.data(), elements);
  multiply(record, state, memory, product, wide.data());
  halves_of_floats(wide.data(), c, elements, state.soc.has(Feature::kFloatSaturates));
}

void run(const MmadRecord& record, const State& state, Memory& memory) {
  if (is_nop(record)) return;
  const matrix::Product product{record.m, record.n, record.k, record.k_direction_align,
                                start_of(record, state.soc) == Start::kZero};
  if (record.c.dtype == DType::kHalf) return multiply_to_half(record, state, memory, product);
  uint8_t* c = memory.data(record.c);
  start(record, state, memory, product, c);
  if (record.c.dtype == DType::kFloat) {
    multiply(record, state, memory, product, reinterpret_cast<float*>(c));
  } else {
    multiply(record, state, memory, product, reinterpret_cast<int32_t*>(c));
  }
}

constexpr Functions<MmadRecord> kFunctions{
    .signature = signature,
    .pipe = Pipe::kM,
    .check = check,
    .footprint = footprint,
    .run = run,
    .unit_flag = [](const MmadRecord& record) { return record.unit_flag != 0; }};

}  // namespace

extern constinit const Instruction mmad =
    make_instruction<kFunctions>("mmad", "Mmad", "Mmad", kSupport);

}  // namespace vinci::isa
