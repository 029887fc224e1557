// mmad_with_sparse: C[m x n] = init + A[m x k] * B[k x n], B compressed 4:2.
//
// For each four neighbours a[0..3] of a row of A, a column of B has a pair of values and a pair of
// indices in 0..2:  C += value0 * a[index0] + value1 * a[index1 + 1]
//
// The values lie in L0B as nZ of k/2 x n, and four indices share a byte, the first in its low bits.
// Sources and decisions: docs/spec/mmad_with_sparse.md.
#include <vector>

#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/cube/factor.h"
#include "kernel/fractal.h"
#include "kernel/matrix.h"
#include "vinci/record/cube.h"

namespace vinci::isa {
namespace {

constexpr unsigned kK0 = 32;       // k of a fractal
constexpr uint64_t kIndexRow = 8;  // bytes of indices of a column in a fractal
constexpr const char* kIndicesName = "the indices";
constexpr unsigned kNoIndex = 3;  // the one that two bits can say and no value has
constexpr unsigned kFractalElements = 256;

constexpr Signature kTypes[] = {{DType::kInt32, DType::kInt8, DType::kInt8}};
constexpr Support kSupport[] = {{kArch2201, kTypes}};

Signature signature(const MmadRecord& record) {
  return {record.c.dtype, record.a.dtype, record.b.dtype};
}

bool is_nop(const MmadRecord& record) { return record.m == 0 || record.n == 0 || record.k == 0; }
bool starts_at_zero(const MmadRecord& record) { return record.c_init_zero && !record.is_bias; }

// Whole row blocks: there is no vector form for m = 1.
matrix::Product product_of(const MmadRecord& record) {
  return {unsigned(ceil_div(record.m, 16) * 16), record.n, record.k};
}
uint64_t pairs(const MmadRecord& record) { return ceil_div(record.k, 4); }
uint64_t b_fractals(const MmadRecord& record) {
  return ceil_div(2 * pairs(record), kK0) * ceil_div(record.n, 16);
}
uint64_t c_bytes(const MmadRecord& record) {
  return product_of(record).fractals() * kFractalElements * sizeof(int32_t);
}

// Where value `k` (of the compressed k) of a column lies, in L0B and among the indices.
struct Location {
  uint64_t value, index;
  unsigned shift;
};
Location location_of(const MmadRecord& record, uint64_t k, uint64_t column) {
  const uint64_t fractal = k / kK0 * ceil_div(record.n, 16) + column / 16;
  return {fractal * fractal::kBytes + column % 16 * fractal::kRowBytes + k % kK0,
          fractal * fractal::kBytes / 4 + column % 16 * kIndexRow + k % kK0 / 4,
          unsigned(k % 4 * 2)};
}
unsigned index_at(const MmadRecord& record, const Memory& memory, const Location& location) {
  return memory.start_of(Space::kSparse)[record.b.address / 4 + location.index] >> location.shift &
         3;
}

void check(const MmadRecord& record, Check& check) {
  check.in_space("dst", record.c, Space::kL0C);
  check.in_space("fm", record.a, Space::kL0A);
  check.in_space("filter", record.b, Space::kL0B);
  if (!check.ok()) return;
  check.aligned("dst", record.c, 1024);
  check.aligned("fm", record.a);
  check.aligned("filter", record.b);
  check.range("m", record.m, 0, 4095);
  check.range("n", record.n, 0, 4095);
  check.range("k", record.k, 0, 4095);
  if (record.c_from_bias_table || record.k_direction_align) {
    check.fail(Code::kCombination, "cmatrixSource or kDirectionAlign with compressed weights",
               "cmatrixSource = false, kDirectionAlign = false");
  }
}

// An index that no value has is the mark of weights that LoadDataWithSparse did not load.
void check_indices(const MmadRecord& record, const Memory& memory, Footprint& footprint) {
  for (uint64_t column = 0; column < record.n; ++column) {
    for (uint64_t k = 0; k < 2 * pairs(record); ++k) {
      if (index_at(record, memory, location_of(record, k, column)) != kNoIndex) continue;
      footprint.fail(Code::kRange, fmt::format("the index of value ({}, {}) is 3", k, column),
                     "0..2, loaded by LoadDataWithSparse");
      return;
    }
  }
}

void add_factors(const MmadRecord& record, Footprint& footprint) {
  const uint64_t m_blocks = ceil_div(record.m, 16), n_blocks = ceil_div(record.n, 16);
  const uint64_t pitch = ceil_div(record.k, kK0) * fractal::kBytes;
  const matrix::FactorBytes b = matrix::b_of(n_blocks, 2 * pairs(record));
  matrix::add_factor(footprint,
                     {record.a, "fm", Access::kRead, true, record.a.address, m_blocks * pitch},
                     matrix::a_of(m_blocks, pitch, record.k));
  matrix::add_factor(footprint,
                     {record.b, "filter", Access::kRead, true, record.b.address,
                      b_fractals(record) * fractal::kBytes},
                     b);
  // Four indices to a byte.
  matrix::add_factor(
      footprint,
      footprint.hidden(Space::kSparse, kIndicesName, Access::kRead, record.b.address / 4,
                       b_fractals(record) * fractal::kBytes / 4),
      {1, 0, b.whole / 4, b.tails, ceil_div(b.tail, 4)}, kIndexRow);
}

void footprint(const MmadRecord& record, Footprint& footprint) {
  if (is_nop(record)) return;
  add_factors(record, footprint);
  if (!starts_at_zero(record)) {
    footprint.add_bytes(record.c, "dst", Access::kRead, 0, c_bytes(record));
  }
  footprint.add_bytes(record.c, "dst", Access::kWrite, 0, c_bytes(record));
  if (const Memory* memory = footprint.settle(kIndicesName))
    check_indices(record, *memory, footprint);
}

// One of each pair of values, put where its index says: B as nZ of k x n.
void spread(const MmadRecord& record, const Memory& memory, unsigned which,
            std::vector<uint8_t>& b) {
  const uint64_t n_blocks = ceil_div(record.n, 16);
  b.assign(ceil_div(4 * pairs(record), kK0) * n_blocks * fractal::kBytes, 0);
  const uint8_t* values = memory.data(record.b);
  for (uint64_t column = 0; column < n_blocks * 16; ++column) {
    for (uint64_t pair = 0; pair < pairs(record); ++pair) {
      const Location from = location_of(record, 2 * pair + which, column);
      const unsigned index = index_at(record, memory, from);
      if (index == kNoIndex) continue;
      const Location to = location_of(record, 4 * pair + which + index, column);
      b[to.value] = values[from.value];
    }
  }
}

void run(const MmadRecord& record, const State&, Memory& memory) {
  if (is_nop(record)) return;
  auto* c = reinterpret_cast<int32_t*>(memory.data(record.c));
  matrix::Product product = product_of(record);
  product.from_zero = starts_at_zero(record);
  std::vector<uint8_t> b;
  for (unsigned which = 0; which < 2; ++which, product.from_zero = false) {
    spread(record, memory, which, b);
    matrix::multiply(memory.data(record.a), DType::kInt8, b.data(), DType::kInt8, product, c);
  }
}

constexpr Functions<MmadRecord> kFunctions{
    .signature = signature, .pipe = Pipe::kM, .check = check, .footprint = footprint, .run = run};

}  // namespace

extern constinit const Instruction mmad_with_sparse =
    make_instruction<kFunctions>("mmad_with_sparse", "MmadWithSparse", "MmadWithSparse", kSupport);

}  // namespace vinci::isa
