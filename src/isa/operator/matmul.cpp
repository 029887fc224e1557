// matmul: a product of matrices, or some of its tiles, as the Matmul object asks for it. It
// computes nothing itself: it issues the loads, multiplications and copies, with the flags between
// their pipes, that make one.
//
//   for each tile of C, in the order of Iterate:
//     for each block of base_k elements of K:
//       A and B to L1 (zN)               DataCopy, ND to NZ or NZ
//       L1 -> L0A, L0B                   LoadData 2D, LoadDataWithTranspose
//       C (+)= A * B, from 0 or the bias Mmad
//     L0C -> GM                          Fixpipe
//
// Sources and decisions: docs/spec/matmul.md.
#include <fmt/format.h>

#include "core/instruction.h"
#include "isa/operator/matmul_product.h"
#include "kernel/fractal.h"
#include "numeric/dtype.h"

namespace vinci::isa {
namespace {

constexpr DType kH = DType::kHalf, kF = DType::kFloat, kBf = DType::kBfloat16;
constexpr DType kS8 = DType::kInt8, kS4 = DType::kInt4, kS32 = DType::kInt32;
constexpr Signature kTypes[] = {{kF, kH, kH},   {kH, kH, kH},    {kBf, kH, kH},    {kS8, kH, kH},
                                {kF, kBf, kBf}, {kH, kBf, kBf},  {kBf, kBf, kBf},  {kS8, kBf, kBf},
                                {kF, kF, kF},   {kH, kF, kF},    {kBf, kF, kF},    {kS32, kS8, kS8},
                                {kH, kS8, kS8}, {kS8, kS8, kS8}, {kS32, kS4, kS4}, {kH, kS4, kS4}};
// B of int8 beside A of half: never in a record, the object makes half of it.
constexpr Signature k2002Types[] = {{kF, kH, kH},   {kH, kH, kH},    {kS32, kS8, kS8},
                                    {kH, kS8, kS8}, {kS8, kS8, kS8}, {kF, kH, kS8},
                                    {kH, kH, kS8}};
constexpr Signature k3002Types[] = {{kF, kH, kH},   {kH, kH, kH},     {kBf, kH, kH}, {kF, kBf, kBf},
                                    {kH, kBf, kBf}, {kBf, kBf, kBf},  {kF, kF, kF},  {kH, kF, kF},
                                    {kBf, kF, kF},  {kS32, kS8, kS8}, {kH, kS8, kS8}};
constexpr Support kSupport[] = {{kArch2201, kTypes, true, kAscendC},
                                {kArch2002, k2002Types, true, kAscendC},
                                {kArch3002, k3002Types, true, kAscendC}};

// Cores whose L0C only UB reaches: those without a bias table.
bool leaves_through_ub(const Check& check) { return !check.soc().has(Feature::kBiasTable); }

// Without a result, of its sums.
Signature signature(const MatmulRecord& r) {
  const DType sums = bits_of(r.a.memory.dtype) >= 16 ? kF : kS32;
  return {r.out.memory.dtype == DType::kNone ? sums : r.out.memory.dtype, r.a.memory.dtype,
          r.b.memory.dtype};
}

void check_sizes(const MatmulRecord& r, Check& check) {
  constexpr int kMost = 1 << 30;
  check.range("the rows of C (singleCoreM)", r.m, 1, kMost);
  check.range("the columns of C (singleCoreN)", r.n, 1, kMost);
  check.range("the elements of K (singleCoreK)", r.k, 1, kMost);
  check.range("baseM", r.base_m, 1, kMost);
  check.range("baseN", r.base_n, 1, kMost);
  check.range("baseK", r.base_k, 1, kMost);
  if (!check.ok()) return;
  check.multiple("baseM", r.base_m, 16);
  check.multiple("baseN", r.base_n, 16);
  const int64_t c0 = fractal::row_elements(r.a.memory.dtype);
  if (r.base_k < r.k) check.multiple("baseK", r.base_k, std::max<int64_t>(c0, 16));
  if (r.a.memory.dtype == kS4) check.multiple("the elements of K of int4b_t", r.k, 2);
}

void check_factor(std::string_view name, const MatmulFactor& factor, bool is_a, int64_t base,
                  int64_t size, Check& check) {
  const Space space = check.soc().space_of(factor.memory.position);
  const MatmulLoad load(factor, is_a, check.soc());
  const bool split = check.soc().arch->split;
  const bool reachable = space == Space::kGm || (split && load.in_l1()) ||
                         (leaves_through_ub(check) && space == Space::kUb);
  if (!reachable) {
    check.fail(
        Code::kPosition,
        fmt::format("{} is in {} ({})", name, name_of(factor.memory.position), name_of(space)),
        split                      ? "GM, TSCM, or VECOUT in a kernel for AICs and AIVs"
        : leaves_through_ub(check) ? "GM, VECOUT"
                                   : "GM");
    return;
  }
  check_address(name, factor.memory, check);
  const bool nz = factor.format == MatrixFormat::kNz;
  if (load.in_l1() && !nz) {
    check.fail(Code::kCombination, fmt::format("{} is in TSCM and not NZ", name), "NZ");
  }
  if (load.in_l1() && !load.is_straight() && bits_of(load.type()) == 32) {
    check.unimplemented(fmt::format("{}, 32-bit in TSCM, to be transposed,", name),
                        "the other of transposed or not, or GM");
  }
  if (nz) check.multiple(fmt::format("the rows of {} in NZ", name), factor.pitch, 16);
  if (nz && !load.is_straight() && base < size) {
    check.multiple(is_a ? "baseM with a transposed A in NZ" : "baseN with B in NZ", base,
                   load.outer_unit());
  }
  if (space == Space::kUb && !nz) {
    const uint32_t c0 = fractal::row_elements(load.type());
    check.multiple(fmt::format("the row of {} in VECOUT", name), factor.pitch, c0);
    if (!load.is_straight() && base < size) {
      check.multiple(is_a ? "baseM with a transposed A in VECOUT" : "baseN with B in VECOUT", base,
                     c0);
    }
  }
  if (leaves_through_ub(check) && load.type() == kS8 && !load.is_straight() && is_a) {
    check.fail(Code::kCombination, "A of int8 is transposed", "A as it is");
  }
  if (load.type() == kS4 && !load.is_straight() && is_a) {
    check.fail(Code::kCombination, "A of int4b_t is transposed", "A as it is");
  }
  if (load.type() == kS4 && factor.pitch % 2 != 0) {
    check.multiple(fmt::format("the row of {} of int4b_t", name), factor.pitch, 2);
  }
}

void check_l0(const MatmulRecord& r, Check& check) {
  const MatmulLoad a(r.a, true, check.soc()), b(r.b, false, check.soc());
  const auto m = uint32_t(std::min(r.base_m, r.m)), n = uint32_t(std::min(r.base_n, r.n));
  const auto k = uint32_t(std::min(r.base_k, r.k));
  check_fits("a block of A, baseM * baseK,", a.bytes(m, k), Space::kL0A, "a smaller baseM or baseK",
             check);
  check_fits("a block of B, baseK * baseN,", b.bytes(n, k), Space::kL0B, "a smaller baseN or baseK",
             check);
  check_fits("a tile, baseM * baseN,", uint64_t(a.rounded_outer(m)) * b.rounded_outer(n) * 4,
             Space::kL0C, "a smaller baseM or baseN", check);
  if (r.bias.dtype != DType::kNone && !leaves_through_ub(check)) {
    check_fits("the bias of a tile, baseN,", uint64_t(n) * 4, Space::kBt, "a smaller baseN", check);
  }
}

void check_bias(const MatmulRecord& r, Check& check) {
  if (r.bias.dtype == DType::kNone) return;
  check.in_space("bias", r.bias, Space::kGm);
  check_address("bias", r.bias, check);
  const bool floats = bits_of(r.a.memory.dtype) >= 16;
  const bool half_too = r.bias.dtype == kH && !leaves_through_ub(check);
  const bool fits = floats ? r.bias.dtype == kF || half_too : r.bias.dtype == kS32;
  if (!fits) {
    check.fail(Code::kCombination, fmt::format("a bias of {}", name_of(r.bias.dtype)),
               !floats                    ? "int32"
               : leaves_through_ub(check) ? "float"
                                          : "float, half");
  }
}

void check_output(const MatmulRecord& r, Check& check) {
  const MatmulOutput& out = r.out;
  const DType type = out.memory.dtype;
  if (type == DType::kNone) return;
  const bool in_ub =
      leaves_through_ub(check) && check.soc().space_of(out.memory.position) == Space::kUb;
  if (!in_ub) check.in_space("C", out.memory, Space::kGm);
  const DType sums = bits_of(r.a.memory.dtype) >= 16 ? kF : kS32;
  const bool scaled = type != sums && (sums == kS32 || bits_of(type) == 8);
  if (scaled != (out.quant != MatmulOutput::Quant::kNone)) {
    check.fail(Code::kCombination,
               fmt::format("C of {} {} a scale", name_of(type), scaled ? "without" : "with"),
               scaled ? "SetQuantScalar or SetQuantVector before it"
                      : "no SetQuantScalar, no SetQuantVector");
  }
  if (out.format == MatrixFormat::kNz) {
    const int64_t wide = bits_of(type) == 8 ? 32 : 16;
    const bool side_by_side = !out.sequential || r.tiles > 1;
    if (side_by_side && r.base_n < r.n) check.multiple("baseN with C in NZ", r.base_n, wide);
    if (!out.sequential) check.multiple("the rows of C in NZ", out.pitch, 16);
  } else if (out.format == MatrixFormat::kVector) {
    check.fail(Code::kCombination, "C in VECTOR", "ND, ND_ALIGN, NZ");
  }
  if (leaves_through_ub(check) && r.base_n < r.n && out.format != MatrixFormat::kNz) {
    check.multiple("the bytes of baseN in C", int64_t(bytes_of(type, uint64_t(r.base_n))), 32);
  }
  if (leaves_through_ub(check) && out.format == MatrixFormat::kNd) {
    check.multiple("the bytes of a row of C in ND", int64_t(bytes_of(type, uint64_t(r.n))), 32);
    if (!out.sequential) {
      check.multiple("the bytes from row to row of C in ND", int64_t(bytes_of(type, out.pitch)),
                     32);
    }
  }
  if (out.channel_split && (type != kF || out.format != MatrixFormat::kNz)) {
    check.fail(Code::kCombination, "isEnableChannelSplit without a C of float in NZ", "float, NZ");
  }
}

void check_sparse(const MatmulRecord& r, Check& check) {
  if (r.index.dtype == DType::kNone) return;
  if (r.b.memory.dtype != kS8 || !r.b.transposed || r.b.format != MatrixFormat::kNd) {
    check.fail(Code::kCombination, "sparse B is not int8, transposed, in ND",
               "SparseMatmulType of int8_t, ND, SetTensorB(b, true)");
  }
  check.multiple("the elements of K of a sparse B", r.k, 8);
  if (r.base_k < r.k) check.multiple("baseK of a sparse B", r.base_k, 64);
}

void check_callbacks(const MatmulRecord& r, Check& check) {
  const auto squares = [&](const MatmulFactor& factor, bool is_a) {
    return !MatmulLoad(factor, is_a, check.soc()).is_straight() &&
           bits_of(factor.memory.dtype) == 32;
  };
  if ((r.callbacks.copy_a != nullptr && squares(r.a, true)) ||
      (r.callbacks.copy_b != nullptr && squares(r.b, false))) {
    check.unimplemented("a call-back that copies 32-bit elements to be transposed",
                        "16-bit elements, or the other of transposed or not");
  }
}

void check(const MatmulRecord& r, Check& check) {
  if (r.a.memory.dtype == kH && r.b.memory.dtype == kS8) {
    return check.fail(Code::kCombination, "B of int8 beside A of half without its offset and scale",
                      "SetAntiQuantScalar or SetAntiQuantVector before it");
  }
  check_sizes(r, check);
  if (!check.ok()) return;
  check_factor("A", r.a, true, r.base_m, r.m, check);
  check_factor("B", r.b, false, r.base_n, r.n, check);
  if (!check.ok()) return;
  check_l0(r, check);
  check_bias(r, check);
  check_output(r, check);
  check_sparse(r, check);
  check_callbacks(r, check);
}

void expand(const MatmulRecord& record, Core& core) {
  MatmulRecord r = record;
  MatmulProduct product(r, core);
  if (!product.has_room()) return;
  // Another object may have used L0C since.
  if ((r.adds || !r.multiplies) && !product.is_kept(r.first_tile)) {
    if (r.adds) {
      core.report(Code::kCombination,
                  "Matmul: the sums that this call adds to or fetches are no longer in L0C",
                  "partial sums of one object at a time");
      return;
    }
    r.multiplies = true;
    MatmulProduct again(r, core);
    if (again.has_room()) again.run();
    return;
  }
  product.run();
}

constexpr Functions<MatmulRecord> kFunctions{
    .signature = signature, .pipe = Pipe::kS, .check = check, .expand = expand};

}  // namespace

extern constinit const Instruction matmul =
    make_instruction<kFunctions>("matmul", "Matmul", "Matmul", kSupport);

}  // namespace vinci::isa
