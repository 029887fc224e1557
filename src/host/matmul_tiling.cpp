// How a Matmul is divided over cores and, on one, into tiles: docs/spec/matmul.md, Tiling.
#include "vinci/matmul_tiling.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace vinci {
namespace {

using Request = MatmulTilingRequest;

constexpr int64_t kBlock = 16;
// Units of 16 rows or columns that a core should keep where its factor lies across them.
constexpr int64_t kWideUnits = 16;
constexpr int64_t kMostBase = 256;

int64_t ceil_div(int64_t value, int64_t unit) { return (value + unit - 1) / unit; }
int64_t round_up(int64_t value, int64_t unit) { return ceil_div(value, unit) * unit; }

int64_t c0_of(const Request& r) { return 256 / std::max(r.a.bits, 1); }
int64_t bytes(const Request::Matrix& matrix, int64_t elements) {
  return elements * matrix.bits / 8;
}
// Elements of K that a block takes: whole fractals of both factors.
int64_t k_unit(const Request& r) {
  const int64_t fractals = r.sparse ? 2 : 1;
  return std::max(c0_of(r), kBlock) * fractals;
}

// What one core does.
struct Single {
  int64_t m = 0, n = 0, k = 0, cores = 1;
};
struct Base {
  int64_t m = 0, n = 0, k = 0;
};

const char* check(const Request& r) {
  if (r.m == 0 || r.n == 0 || r.k == 0) return "a shape of 0";
  if (r.single_m == 0 || r.single_n == 0 || r.single_k == 0) return "a single shape of 0";
  if ((r.m < 0 && r.single_m < 0 && r.org_m < 0) || (r.n < 0 && r.single_n < 0 && r.org_n < 0)) {
    return "no shape";
  }
  if (r.cores < 1) return "SetDim below 1";
  if (r.base_m > 0 && r.base_n > 0 && r.base_m * int64_t(r.base_n) * 4 > r.l0c) {
    return "baseM * baseN of SetFixSplit is more than L0C";
  }
  if (r.base_m > 0 && r.base_k > 0 && bytes(r.a, int64_t(r.base_m) * r.base_k) > r.l0a) {
    return "baseM * baseK of SetFixSplit is more than L0A";
  }
  if (r.base_n > 0 && r.base_k > 0 && bytes(r.b, int64_t(r.base_n) * r.base_k) > r.l0b) {
    return "baseN * baseK of SetFixSplit is more than L0B";
  }
  if (r.has_bias && r.bias_table > 0 && int64_t(r.base_n) * 4 > r.bias_table) {
    return "baseN of SetFixSplit is more than the bias table";
  }
  return nullptr;
}

// One of `dim` parts of an axis, of whole `unit`s if it is a part.
int64_t part_of(const Request::Part& part, int64_t size, int64_t dim, int64_t unit) {
  const int64_t share = dim == 1 ? size : round_up(ceil_div(size, dim), unit);
  return part.align > 0 ? round_up(share, part.align) : share;
}

bool allows(const Request::Part& part, int64_t share) {
  return (part.most <= 0 || share <= part.most) && share >= part.least;
}

// Kernels count on equal parts of K.
int64_t largest_divisor(int64_t value, int64_t most) {
  for (int64_t i = std::min(value, most); i > 1; --i) {
    if (value % i == 0) return i;
  }
  return 1;
}

// Whether a product has no more blocks of 16 x 16 than there are cores, and L0 holds all of it:
// that is not worth several cores, and samples rely on it.
bool is_small(const Request& r, int64_t m, int64_t n, int64_t k) {
  const auto is_free = [](const Request::Part& part) {
    return part.align <= 0 && part.least <= 0 && part.most <= 0;
  };
  if (r.splits_k || !is_free(r.part_m) || !is_free(r.part_n) || !is_free(r.part_k)) return false;
  const int64_t rows = round_up(m, kBlock), columns = round_up(n, kBlock);
  const int64_t depth = round_up(k, k_unit(r));
  return ceil_div(m, kBlock) * ceil_div(n, kBlock) <= r.cores &&
         bytes(r.a, rows * depth) <= r.l0a && bytes(r.b, columns * depth) <= r.l0b &&
         rows * columns * 4 <= r.l0c;
}

// The division with the least work for the busiest core, counted in tiles if these are given, then
// the least to load, then along the longer side. One that leaves narrow pieces of a factor is taken
// only if there is no other. No cores: none is as it must be.
Single divide(const Request& r, int64_t m, int64_t n, int64_t k) {
  constexpr int64_t kMostUnits = 32;  // of 16 rows or columns, that a small product has on one core
  if (is_small(r, m, n, k)) {
    const int64_t m_dim = ceil_div(ceil_div(m, kBlock), kMostUnits);
    const int64_t n_dim = ceil_div(ceil_div(n, kBlock), kMostUnits);
    return {ceil_div(m, m_dim), ceil_div(n, n_dim), k, m_dim * n_dim};
  }
  Single best{0, 0, 0, 0};
  const int64_t m_units = ceil_div(m, kBlock), n_units = ceil_div(n, kBlock);
  const int64_t k_units = ceil_div(k, k_unit(r));
  using Cost = std::tuple<bool, int64_t, int64_t, int64_t, int64_t, int64_t>;
  Cost least{true, INT64_MAX, 0, 0, 0, 0};
  // Of a tile that is given.
  const int64_t base_m = std::max(r.base_m, 0), base_n = std::max(r.base_n, 0);
  const auto tiles = [](int64_t size, int64_t base) { return base > 0 ? ceil_div(size, base) : 1; };
  for (int64_t m_dim = 1; m_dim <= std::min<int64_t>(m_units, r.cores); ++m_dim) {
    for (int64_t n_dim = 1; n_dim <= std::min<int64_t>(n_units, r.cores / m_dim); ++n_dim) {
      const int64_t left = r.cores / (m_dim * n_dim);
      const int64_t k_dim = r.splits_k ? largest_divisor(k_units, left) : 1;
      const int64_t single_m = part_of(r.part_m, m, m_dim, 1);
      const int64_t single_n = part_of(r.part_n, n, n_dim, 1);
      const int64_t single_k = part_of(r.part_k, k, k_dim, k_unit(r));
      if (!allows(r.part_m, single_m) || !allows(r.part_n, single_n) ||
          !allows(r.part_k, single_k)) {
        continue;
      }
      const int64_t units_m = ceil_div(single_m, kBlock), units_n = ceil_div(single_n, kBlock);
      const bool narrow =
          (!r.b.transposed && n_units >= kWideUnits && units_n < kWideUnits && n_dim > 1) ||
          (r.a.transposed && m_units >= kWideUnits && units_m < kWideUnits && m_dim > 1);
      const int64_t columns = tiles(single_n, base_n);
      const Cost cost{narrow,
                      tiles(single_m, base_m) * columns,
                      units_m * units_n * ceil_div(single_k, k_unit(r)),
                      columns,
                      m * n_dim + n * m_dim,
                      m >= n ? -m_dim : -n_dim};
      if (cost >= least) continue;
      least = cost;
      best = {single_m, single_n, single_k, 1};
    }
  }
  return best;
}

// Columns of C in NZ, and rows and columns of factors in NZ across K, come in whole fractals.
void align(const Request& r, Single& single, int64_t m, int64_t n, int64_t k) {
  const int64_t c0 = std::max<int64_t>(c0_of(r), kBlock);
  const auto is_free = [](const Request::Part& part) { return part.align <= 0 && part.most <= 0; };
  if (is_free(r.part_m) && (r.a.nz || r.c.nz))
    single.m = std::min(m, round_up(single.m, r.a.transposed ? c0 : kBlock));
  if (is_free(r.part_n) && (r.b.nz || r.c.nz))
    single.n = std::min(n, round_up(single.n, std::max<int64_t>(c0, 32)));
  single.cores = ceil_div(m, single.m) * ceil_div(n, single.n) * ceil_div(k, single.k);
}

// The sizes of a tile: the fewest tiles, then the least to load.
Base tile(const Request& r, const Single& single) {
  const int64_t unit = k_unit(r);
  const int64_t n_unit = r.b.bits < 16 && !r.b.transposed ? std::max(c0_of(r), kBlock) : kBlock;
  const int64_t m_unit = r.a.bits < 16 && r.a.transposed ? std::max(c0_of(r), kBlock) : kBlock;
  const int64_t most_m = std::min(kMostBase, round_up(single.m, m_unit));
  const int64_t most_n = std::min(kMostBase, round_up(single.n, n_unit));
  const auto k_for = [&](int64_t m, int64_t n) {
    const int64_t a = r.l0a / 2 * 8 / r.a.bits / m, b = r.l0b / 2 * 8 / r.b.bits / n;
    return std::min(std::min(a, b) / unit * unit, round_up(single.k, unit));
  };
  Base best;
  using Cost = std::tuple<int64_t, int64_t, int64_t>;
  Cost least{INT64_MAX, INT64_MAX, INT64_MAX};
  for (int64_t m = m_unit; m <= most_m || r.base_m > 0; m += m_unit) {
    if (r.base_m > 0) m = r.base_m;
    for (int64_t n = n_unit; n <= most_n || r.base_n > 0; n += n_unit) {
      if (r.base_n > 0) n = r.base_n;
      const int64_t k = r.base_k > 0 ? r.base_k : k_for(m, n);
      const int64_t rows = ceil_div(single.m, m), columns = ceil_div(single.n, n);
      const bool fits = m * n * 4 <= r.l0c && k > 0 &&
                        (!r.has_bias || r.bias_table <= 0 || n * 4 <= r.bias_table);
      const Cost cost{rows * columns, rows * n + columns * m, -k};
      if (fits && cost < least) {
        least = cost;
        best = {m, n, k};
      }
      if (r.base_n > 0) break;
    }
    if (r.base_m > 0) break;
  }
  return best;
}

// Blocks of K in L1, twice: one half is loaded while the other is multiplied.
const char* fill_l1(const Request& r, const Single& single, const Base& base,
                    MatmulTilingData& out) {
  const int64_t a = r.a.in_tscm ? 0 : bytes(r.a, base.m * base.k);
  const int64_t b = r.b.in_tscm ? 0 : bytes(r.b, base.n * base.k);
  const int64_t bias = r.has_bias ? bytes(r.bias, base.n) : 0;
  const int64_t blocks = ceil_div(single.k, base.k);
  if (a + b + bias > r.l1) return "a block of A and one of B are more than L1";
  const int64_t twice = 2 * (a + b) + bias <= r.l1 ? 2 : 1;
  const auto steps = [&](int64_t block) {
    if (block == 0) return blocks;
    return std::clamp<int64_t>((r.l1 - bias) / 2 / (twice * block), 1, blocks);
  };
  int64_t steps_a = steps(a), steps_b = steps(b);
  // One number of rounds along K divides the other.
  while (steps_a != blocks && steps_b != blocks && steps_a % steps_b != 0 &&
         steps_b % steps_a != 0) {
    (steps_a > steps_b ? steps_a : steps_b) -= 1;
  }
  while (ceil_div(blocks, steps_a) % ceil_div(blocks, steps_b) != 0 &&
         ceil_div(blocks, steps_b) % ceil_div(blocks, steps_a) != 0) {
    (steps_a > steps_b ? steps_a : steps_b) -= 1;
  }
  if (twice * (steps_a * a + steps_b * b) + bias > r.l1) steps_a = steps_b = 1;
  out.stepM = out.stepN = 1;
  out.stepKa = int32_t(steps_a);
  out.stepKb = int32_t(steps_b);
  out.depthA1 = int32_t(twice * steps_a);
  out.depthB1 = int32_t(twice * steps_b);
  out.shareL1Size = int32_t(out.depthA1 * a + out.depthB1 * b + bias);
  out.shareL0CSize = int32_t(base.m * base.n * 4);
  const bool a_full = steps_a >= blocks, b_full = steps_b >= blocks;
  const int64_t a_traffic = bytes(r.a, single.m * single.k) * ceil_div(single.n, base.n);
  const int64_t b_traffic = bytes(r.b, single.n * single.k) * ceil_div(single.m, base.m);
  const bool n_first = a_full && (!b_full || a_traffic < b_traffic);
  out.iterateOrder = r.traverse > 0 ? r.traverse - 1 : n_first ? 1 : 0;
  return nullptr;
}

// With the outer product L1 holds two tiles of the factor that is walked along; with N_BUFFER_33
// all of up to 3 x 3 blocks of A, and the blocks of a column of B twice.
const char* follow_schedule(const Request& r, const Single& single, const Base& base,
                            MatmulTilingData& out) {
  const int64_t a = bytes(r.a, base.m * base.k), b = bytes(r.b, base.n * base.k);
  if (r.schedule == Request::Schedule::kOuter) {
    const bool along_n = out.iterateOrder == 0;
    int32_t& depth = along_n ? out.depthB1 : out.depthA1;
    const int64_t more = depth * (along_n ? b : a);
    const bool is_double = depth > (along_n ? out.stepKb : out.stepKa);
    if (out.shareL1Size + more > r.l1 && !is_double) return "OUTER_PRODUCT: more than L1";
    (along_n ? out.stepN : out.stepM) = 2;
    if (out.shareL1Size + more > r.l1) return nullptr;
    depth *= 2;
    out.shareL1Size += int32_t(more);
    return nullptr;
  }
  if (r.schedule != Request::Schedule::kNBuffer33) return nullptr;
  constexpr int64_t kMost = 3;
  const int64_t blocks = ceil_div(single.k, base.k);
  const int64_t rows = std::min(ceil_div(single.m, base.m), kMost);
  if (blocks > kMost) return "N_BUFFER_33: more than 3 blocks of K";
  const int64_t l1 = rows * blocks * a + 2 * blocks * b + (r.has_bias ? bytes(r.bias, base.n) : 0);
  if (l1 > r.l1) return "N_BUFFER_33: more than L1";
  out.stepM = int32_t(rows);
  out.stepKa = out.stepKb = int32_t(blocks);
  out.depthA1 = int32_t(rows * blocks);
  out.depthB1 = int32_t(2 * blocks);
  out.shareL1Size = int32_t(l1);
  return nullptr;
}

// Chips without a bias table have no way from L0C to GM but through UB, and biases and factors in
// ND may come that way: the largest of these blocks, twice.
void fill_ub(const Request& r, const Base& base, MatmulTilingData& out) {
  if (r.bias_table > 0) return;
  const int64_t a = r.a.nz ? 0 : bytes(r.a, base.m * base.k);
  const int64_t b = r.b.nz ? 0 : bytes(r.b, base.n * base.k);
  const int64_t largest =
      std::max({a, b, bytes(r.c, base.m * base.n), r.has_bias ? base.n * 4 : int64_t(0)});
  out.transLength = int32_t(std::min(largest, r.ub / 2) / 32 * 32);
  out.shareUbSize = 2 * out.transLength;
}

int64_t first_of(int64_t a, int64_t b, int64_t c) { return a > 0 ? a : b > 0 ? b : c; }

}  // namespace

const char* matmul_tiling(const MatmulTilingRequest& r, MatmulTilingData& tiling) {
  if (const char* wrong = check(r)) return wrong;
  const int64_t m = first_of(r.m, r.org_m, r.single_m), n = first_of(r.n, r.org_n, r.single_n);
  const int64_t k = first_of(r.k, r.org_ka, r.single_k);
  if (k <= 0) return "no K";
  Single single{m, n, k, 1};
  const bool given = r.single_m > 0 || r.single_n > 0 || r.single_k > 0;
  if (r.multi_core && given) {
    single = {first_of(r.single_m, m, m), first_of(r.single_n, n, n), first_of(r.single_k, k, k),
              r.cores};
  } else if (r.multi_core) {
    single = divide(r, m, n, k);
    if (single.cores == 0) return "no part is as SetSingleRange and SetAlignSplit say";
    align(r, single, m, n, k);
  }
  const Base base = tile(r, single);
  if (base.k <= 0) return "no tile fits L0A, L0B, L0C and the bias table";
  MatmulTilingData out{};
  if (const char* wrong = fill_l1(r, single, base, out)) return wrong;
  if (const char* wrong = follow_schedule(r, single, base, out)) return wrong;
  fill_ub(r, base, out);
  out.usedCoreNum = int32_t(single.cores);
  out.M = int32_t(first_of(r.org_m, m, m));
  out.N = int32_t(first_of(r.org_n, n, n));
  out.Ka = int32_t(first_of(r.org_ka, k, k));
  out.Kb = int32_t(first_of(r.org_kb, k, k));
  out.singleCoreM = int32_t(single.m);
  out.singleCoreN = int32_t(single.n);
  out.singleCoreK = int32_t(single.k);
  out.baseM = int32_t(base.m);
  out.baseN = int32_t(base.n);
  out.baseK = int32_t(base.k);
  out.isBias = r.has_bias;
  out.dbL0A = 2 * bytes(r.a, base.m * base.k) <= r.l0a ? 2 : 1;
  out.dbL0B = 2 * bytes(r.b, base.n * base.k) <= r.l0b ? 2 : 1;
  out.dbL0C = 1;
  tiling = out;
  return nullptr;
}

}  // namespace vinci
