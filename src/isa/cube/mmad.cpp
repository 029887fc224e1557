// mmad: C[m x n] = init + A[m x k] * B[k x n].
//
// A lies in L0A as zZ fractals, B in L0B as nZ, C in L0C as zN. Float accumulation is binary32: one
// fused multiply-add for each k, ascending, starting from the initial C. A half result is rounded
// once, at the end. Rows and columns of C up to the next multiple of 16 are computed from whatever
// L0A and L0B hold. Sources and decisions: docs/spec/mmad.md.
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "core/core.h"
#include "core/instruction.h"
#include "isa/family/fractal.h"
#include "vinci/record/cube.h"
#include "isa/family/matrix.h"
#include "numeric/half_array.h"

namespace vinci::isa {
namespace {

using fractal::ceil_div;

constexpr DType kH = DType::kHalf, kF = DType::kFloat, kBf = DType::kBfloat16;
constexpr DType kS8 = DType::kInt8, kU8 = DType::kUint8, kS4 = DType::kInt4;
constexpr DType kS32 = DType::kInt32, kU32 = DType::kUint32;

constexpr Signature kHalfToHalf[] = {{kH, kH, kH}};
constexpr Signature kHalfToFloat[] = {{kF, kH, kH}};
constexpr Signature k1001Later[] = {{kS32, kS8, kS8}, {kS32, kU8, kS8}, {kU32, kU8, kU8}};
constexpr Signature k2002Later[] = {
    {kS32, kS8, kS8}, {kS32, kU8, kS8}, {kS32, kU8, kU8}, {kS32, kS4, kS4}};
constexpr Signature k2201Later[] = {
    {kS32, kS8, kS8}, {kF, kF, kF}, {kF, kBf, kBf}, {kS32, kS4, kS4}};
constexpr Support kSupport[] = {
    {kArch1001 | kArch2002, kHalfToHalf},
    {kArch1001 | kArch2002 | kArch2201 | kArch3002, kHalfToFloat},
    {kArch1001, k1001Later, false},
    {kArch2002, k2002Later, false},
    {kArch2201 | kArch3002, k2201Later, false},
};

Signature signature(const MmadRecord& record) {
  return {record.c.dtype, record.a.dtype, record.b.dtype};
}
Pipe pipe(const MmadRecord&, const Soc&) { return Pipe::kM; }

bool is_nop(const MmadRecord& record) { return record.m == 0 || record.n == 0 || record.k == 0; }
bool starts_from_c(const MmadRecord& record) { return !record.c_init_zero || record.is_bias; }

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
  if (record.c_from_bias_table) {
    if (check.soc().has(Feature::kBiasTable)) {
      check.unimplemented("cmatrixSource = true (bias from C2) is not there yet");
    } else {
      check.range("cmatrixSource", 1, 0, 0);
    }
  }
}

// Fractals of each operand; a vector A (m = 1) is k contiguous elements.
uint64_t a_bytes(const MmadRecord& record) {
  const unsigned k0 = fractal::row_elements(record.a.dtype);
  if (record.m == 1) return ceil_div(record.k, 16 * k0) * fractal::kBytes;
  return ceil_div(record.m, 16) * ceil_div(record.k, k0) * fractal::kBytes;
}

void footprint(const MmadRecord& record, Core&, Footprint& footprint) {
  if (is_nop(record)) return;
  const unsigned k0 = fractal::row_elements(record.b.dtype);
  const uint64_t c_bytes =
      ceil_div(record.m, 16) * ceil_div(record.n, 16) * bytes_of(record.c.dtype, 256);
  footprint.add_bytes(record.a, "fm", Access::kRead, 0, a_bytes(record));
  footprint.add_bytes(record.b, "filter", Access::kRead, 0,
                      ceil_div(record.k, k0) * ceil_div(record.n, 16) * fractal::kBytes);
  if (starts_from_c(record)) footprint.add_bytes(record.c, "dst", Access::kRead, 0, c_bytes);
  footprint.add_bytes(record.c, "dst", Access::kWrite, 0, c_bytes);
}

void execute(const MmadRecord& record, Core& core) {
  if (is_nop(record)) return;
  const matrix::Shape shape{record.m, record.n, record.k};
  static thread_local matrix::Panels panels;  // A and B widened to float; kept for its memory
  const auto* a = reinterpret_cast<const uint16_t*>(core.data(record.a));
  const auto* b = reinterpret_cast<const uint16_t*>(core.data(record.b));
  matrix::pack_halves(a, b, shape, panels);
  const bool accumulate = starts_from_c(record);
  uint8_t* c = core.data(record.c);
  if (record.c.dtype == DType::kFloat) {
    matrix::multiply(panels, shape, reinterpret_cast<float*>(c), accumulate);
    return;
  }
  const size_t elements = ceil_div(record.m, 16) * ceil_div(record.n, 16) * 256;
  std::vector<float> wide(elements);
  if (accumulate) floats_of_halves(reinterpret_cast<uint16_t*>(c), wide.data(), elements);
  matrix::multiply(panels, shape, wide.data(), accumulate);
  halves_of_floats(wide.data(), reinterpret_cast<uint16_t*>(c), elements,
                   core.soc().has(Feature::kFloatSaturates));
}

}  // namespace

extern constinit const Instruction mmad =
    make_instruction<MmadRecord, signature, pipe, check, footprint, execute>("mmad", "Mmad", "Mmad",
                                                                             kSupport);

}  // namespace vinci::isa
