// Batches of a Matmul object: one record for each product.
#include <fmt/format.h>

#include "core/core.h"
#include "core/matmul/operands.h"
#include "core/matmul/slices.h"
#include "numeric/whole.h"
#include "vinci/matmul_object.h"

namespace vinci {
namespace {

#define VINCI_AXES(X, S, D)                                                               \
  {                                                                                       \
    uint64_t(t.X##LayoutInfoB), uint64_t(t.X##LayoutInfo##S), uint64_t(t.X##LayoutInfoN), \
        uint64_t(t.X##LayoutInfoG), uint64_t(t.X##LayoutInfo##D)                          \
  }
BatchAxes axes_of_a(const MatmulTilingData& t) { return VINCI_AXES(A, S, D); }
BatchAxes axes_of_b(const MatmulTilingData& t) { return VINCI_AXES(B, S, D); }
BatchAxes axes_of_c(const MatmulTilingData& t) { return VINCI_AXES(C, S1, S2); }
#undef VINCI_AXES

// Elements of a row of C.
uint64_t aligned(const MatmulTraits::Matrix& c, uint64_t columns) {
  return c.format == MatrixFormat::kNdAlign ? round_up(columns, 256 / bits_of(c.dtype)) : columns;
}

}  // namespace

bool MatmulObject::check_batch(const char* api, const Batch& batch, bool to_gm) {
  const auto layout = traits_.a.layout;
  const uint32_t larger = std::max(batch.a, batch.b), smaller = std::min(batch.a, batch.b);
  if (layout == MatrixLayout::kNone) {
    wrong("IterateBatch: the types have no LayoutMode", "MatmulType with a LayoutMode");
    return false;
  }
  if (smaller == 0 || larger % smaller != 0) {
    wrong(fmt::format("IterateBatch: {} matrices A and {} B", batch.a, batch.b),
          "numbers of which one is a multiple of the other");
    return false;
  }
  const BatchAxes a = axes_of_a(tiling_), b = axes_of_b(tiling_);
  const auto fits = [](uint64_t x, uint64_t y) { return x == y || x == 1 || y == 1; };
  const bool axes_fit = fits(a.b, b.b) && fits(a.n, b.n) && fits(a.g, b.g) && a.n * a.g > 0 &&
                        b.n * b.g > 0 && a.b * b.b > 0;
  if (layout != MatrixLayout::kNormal && !axes_fit) {
    wrong(fmt::format("IterateBatch: A has {} x {} x {} matrices and B {} x {} x {}", a.b, a.n, a.g,
                      b.b, b.n, b.g),
          "SetALayout and SetBLayout with the same axes B, N and G, or with 1");
    return false;
  }
  if (!check_batch_rules(api, batch, to_gm) || !is_atomic_legal(api, batch.atomic, to_gm)) {
    return false;
  }
  if (!batch.partial_sum) return true;
  Core::current().report(Code::kUnimplemented,
                         "IterateBatch: enPartialSum, products that are added to those of an "
                         "earlier call, is not there yet",
                         "enPartialSum = false");
  return false;
}

// `index`: among the products of all axes.
void MatmulObject::place_factors(MatmulRecord& r, const Batch& batch, uint32_t index) const {
  const BatchAxes a_axes = axes_of_a(tiling_), b_axes = axes_of_b(tiling_);
  const bool normal = traits_.a.layout == MatrixLayout::kNormal;
  const uint32_t count = std::max(batch.a, batch.b);
  const uint64_t a = normal ? index / (count / batch.a) : matrix_of(index, a_axes, b_axes);
  const uint64_t b = normal ? index / (count / batch.b) : matrix_of(index, b_axes, a_axes);
  const auto place = [](MatmulFactor& factor, const Operand& from, const BatchSlice& slice,
                        uint64_t start) {
    factor.memory = from_element(from, start);
    if (slice.pitch != 0) factor.pitch = uint32_t(slice.pitch);
  };
  const BatchSlice in_a = slice_of(traits_.a.layout, a_axes, a);
  const BatchSlice in_b = slice_of(traits_.b.layout, b_axes, b);
  // In NZ they are whole columns of whole fractals, one matrix after the other.
  const auto start = [](const MatmulTraits::Matrix& matrix, const BatchSlice& slice, uint64_t i,
                        int32_t rows, int32_t columns) {
    if (matrix.format != MatrixFormat::kNz) return slice.first;
    return i * round_up(uint64_t(rows), 16) *
           round_up(uint64_t(columns), 256 / bits_of(matrix.dtype));
  };
  const uint64_t first_a = a_transposed_ ? start(traits_.a, in_a, a, org_ka_, org_m_)
                                         : start(traits_.a, in_a, a, org_m_, org_ka_);
  const uint64_t first_b = b_transposed_ ? start(traits_.b, in_b, b, org_n_, org_kb_)
                                         : start(traits_.b, in_b, b, org_kb_, org_n_);
  place(r.a, a_, in_a, batch.a_stride != 0 ? a * batch.a_stride : first_a);
  place(r.b, b_, in_b, batch.b_stride != 0 ? b * batch.b_stride : first_b);
}

// A sum of products, tile by tile: those from `index` on.
void MatmulObject::multiply_sum(const MatmulRecord& all, const Batch& batch, uint32_t index,
                                uint32_t terms) {
  for (int32_t tile = 0; tile < all.tiles; ++tile) {
    for (uint32_t term = 0; term < terms; ++term) {
      MatmulRecord r = all;
      r.first_tile = tile;
      r.tiles = 1;
      r.adds = term > 0;
      if (r.adds) r.bias = {};
      if (term + 1 < terms) r.out.memory = {};
      place_factors(r, batch, index + term);
      submit(r, false);
    }
  }
}

// Products from `first` on; `last`: nothing follows, and the call waits if it is to.
void MatmulObject::multiply_batch(const Operand& c, const Batch& batch, uint32_t first, bool last) {
  const BatchAxes a_axes = axes_of_a(tiling_), b_axes = axes_of_b(tiling_);
  BatchAxes c_axes = axes_of_c(tiling_);
  c_axes.d = aligned(traits_.c, c_axes.d);
  const uint32_t count = std::max(batch.a, batch.b);
  // Where C has no axis G, the products along it are added up.
  const auto g = uint32_t(std::max(a_axes.g, b_axes.g));
  const bool sums = traits_.a.layout != MatrixLayout::kNormal && c_axes.g == 1 && g > 1 &&
                    std::max(a_axes.n, b_axes.n) == c_axes.n;
  MatmulRecord r = record();
  r.tiles = int32_t(tiles());
  set_output(r, c, batch.atomic, false);
  const Operand results = r.out.memory;  // counted in elements of C, whatever `c` has
  for (uint32_t i = 0; i < count; i += sums ? g : 1) {
    const uint32_t index = first + i, in_c = sums ? index / g : index;
    const BatchSlice slice = slice_of(traits_.c.layout, c_axes, in_c);
    r.out.memory = from_element(results, slice.first);
    if (slice.pitch != 0) r.out.pitch = uint32_t(slice.pitch);
    if (is_set(bias_) && traits_.bias_of_batch) {
      r.bias = from_element(bias_, uint64_t(in_c) * uint64_t(n_));
    }
    if (sums) {
      multiply_sum(r, batch, index, g);
      continue;
    }
    place_factors(r, batch, index);
    submit(r, false);
  }
  if (batch.sync && last) finish();
}

uint64_t MatmulObject::elements_of_batch(uint64_t matrices) const {
  return matrices * uint64_t(m_) * aligned(traits_.c, uint64_t(n_));
}

// Rows in UB begin at datablocks.
bool MatmulObject::has_whole_rows(const char* api) const {
  const uint64_t bytes = bytes_of(traits_.c.dtype, uint64_t(n_));
  if (traits_.c.format == MatrixFormat::kNdAlign || bytes % 32 == 0) return true;
  wrong(fmt::format("{}: rows of {} bytes of C to UB in ND", api, bytes),
        "CubeFormat::ND_ALIGN for C, or whole datablocks of 32 bytes");
  return false;
}

// Through GM, as C's layout says; the products of a call must lie side by side.
void MatmulObject::iterate_batch_to_ub(const Operand& ub, const Batch& batch) {
  const BatchAxes axes = axes_of_c(tiling_);
  const uint64_t count = std::max(batch.a, batch.b);
  const bool normal =
      traits_.c.layout == MatrixLayout::kNormal || traits_.c.layout == MatrixLayout::kBngs1s2;
  if (!normal && count % (axes.n * axes.g) != 0) {
    return wrong(
        fmt::format("IterateBatch: {} products to UB are no whole rows of {} x {} matrices", count,
                    axes.n, axes.g),
        "a multiple of N * G of C's layout");
  }
  if (traits_.c.layout == MatrixLayout::kSbngd && count != axes.b * axes.n * axes.g) {
    return wrong(fmt::format("IterateBatch: {} products to UB of {} in SBNGD", count,
                             axes.b * axes.n * axes.g),
                 "all of them");
  }
  if (!has_whole_rows("IterateBatch")) return;
  const uint64_t bytes = bytes_of(traits_.c.dtype, elements_of_batch(count));
  const Operand through = slot_of(c_slot_, bytes);
  Batch all = batch;
  all.sync = true;
  multiply_batch(through, all, 0, true);
  to_ub(through, ub, bytes, batch.sync);
}

void MatmulObject::iterate_batch(const Operand& c, const Batch& batch) {
  Core& core = Core::current();
  const bool to_gm = core.space_of(c.position) == Space::kGm;
  if (!needs_messages("IterateBatch") || !may(Call::kBatch, "IterateBatch")) return;
  if (!ready("IterateBatch") || !check_batch("IterateBatch", batch, to_gm)) return;
  if (core.space_of(c.position) == Space::kUb) {
    if (core.kind() != CoreKind::kAiv) {
      core.report(Code::kUnimplemented, "IterateBatch: to UB is there for AIVs alone",
                  "a GlobalTensor");
      return;
    }
    iterate_batch_to_ub(c, batch);
    tile_ = tiles();
    return;
  }
  multiply_batch(c, batch, 0, true);
  tile_ = tiles();
}

void MatmulObject::iterate_n_batch(uint32_t rounds, const Batch& batch) {
  if (!has_chip("IterateNBatch") || !needs_messages("IterateNBatch")) return;
  if (!may(Call::kNBatch, "IterateNBatch") || !ready("IterateNBatch")) return;
  if (!check_batch("IterateNBatch", batch, true)) return;
  if (traits_.a.layout == MatrixLayout::kNormal) {
    return wrong("IterateNBatch: its LayoutMode is NORMAL", "BSNGD, SBNGD, BNGS1S2");
  }
  if (!is_set(workspace_)) {
    return wrong("IterateNBatch: there is no room for the results", "SetWorkspace before it");
  }
  const uint32_t count = std::max(batch.a, batch.b);
  for (uint32_t round = 0; round < rounds; ++round) {
    multiply_batch(workspace_, batch, round * count, round + 1 == rounds);
  }
  tile_ = tiles();
  batches_fetched_ = 0;
}

Operand MatmulObject::get_batch(uint32_t matrices) {
  if (!needs_messages("GetBatchTensorC")) return {};
  if (!is_set(workspace_)) {
    wrong("GetBatchTensorC: nothing is in the workspace",
          "SetWorkspace and IterateNBatch before it");
    return {};
  }
  wait();
  const uint64_t slot = elements_of_batch(matrices);
  Operand batch = workspace_;
  batch.dtype = traits_.c.dtype;
  return from_element(batch, batches_fetched_++ * slot);
}

void MatmulObject::get_batch(const Operand& ub, uint32_t matrices, bool sync) {
  const Operand from = get_batch(matrices);
  if (!is_set(from) || !has_whole_rows("GetBatchTensorC")) return;
  to_ub(from, ub, bytes_of(traits_.c.dtype, elements_of_batch(matrices)), sync);
}

}  // namespace vinci
