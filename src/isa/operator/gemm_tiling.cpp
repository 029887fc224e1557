// GetGemmTiling, and what must hold of sizes and tilings.
// Sources and decisions: docs/spec/get_gemm_tiling.md.
#include "isa/operator/gemm_tiling.h"

#include <algorithm>

#include <fmt/format.h>

#include "kernel/fractal.h"
#include "numeric/dtype.h"

namespace vinci::gemm {
namespace {

using product::kBlock;

constexpr int64_t kMostOfMmad = 4095;

// Elements of K in the longest tile.
int64_t tile_of_k(const GemmTiling& t) { return std::min(t.kTileBlock * t.c0Size, t.kNum); }

bool is_legal(DType type) { return type == DType::kInt8 || type == DType::kHalf; }

constexpr uint32_t kMost = 4096;
uint32_t deepest(DType type) { return type == DType::kInt8 ? 32768 : 16384; }

using T = GemmTiling;
constexpr product::Field<T> kFields[] = {
    {"c0Size", &T::c0Size, 16, 32, true},
    {"dtypeSize", &T::dtypeSize, 1, 2, true},
    {"mNum", &T::mNum, 1, kMost, true},
    {"nNum", &T::nNum, 1, kMost, true},
    {"kNum", &T::kNum, 1, 32768, true},
    {"roundM", &T::roundM, 1, kMost, true},
    {"roundN", &T::roundN, 1, kMost, true},
    {"roundK", &T::roundK, 1, 32768, true},
    {"mBlockNum", &T::mBlockNum, 1, kMost, true},
    {"nBlockNum", &T::nBlockNum, 1, kMost, true},
    {"kBlockNum", &T::kBlockNum, 1, kMost, true},
    {"mIterNum", &T::mIterNum, 1, kMost, false},
    {"nIterNum", &T::nIterNum, 1, kMost, false},
    {"kIterNum", &T::kIterNum, 1, kMost, false},
    {"mTileBlock", &T::mTileBlock, 1, kMost, false},
    {"nTileBlock", &T::nTileBlock, 1, kMost, false},
    {"kTileBlock", &T::kTileBlock, 1, kMost, false},
    {"kTailBlock", &T::kTailBlock, 1, kMost, false},
    {"mTailBlock", &T::mTailBlock, 1, kMost, false},
    {"nTailBlock", &T::nTailBlock, 1, kMost, false},
};

}  // namespace

bool check_sizes(uint32_t m, uint32_t k, uint32_t n, DType type, const product::Report& report) {
  if (!is_legal(type)) {
    report(Code::kSocTypes, fmt::format("src0 of {} is not legal", name_of(type)),
           type == DType::kFloat ? "int8, half: the documents give a range of k for float, but no "
                                   "combination of types has it"
                                 : "int8, half");
    return false;
  }
  return product::check_ranges({{"m", m, 1, kMost}, {"k", k, 1, deepest(type)}, {"n", n, 1, kMost}},
                               report);
}

bool check_tiling(const GemmTiling& tiling, uint32_t m, uint32_t k, uint32_t n, DType type,
                  const product::Report& report) {
  return product::check_ranges({{"tiling.loopMode", int64_t(tiling.loopMode), 0, 3}}, report) &&
         product::check_fields(kFields, "tiling.", tiling, tiling_of(m, k, n, type),
                               fmt::format("m, k and n with {}", name_of(type)),
                               "the tiling that GetGemmTiling gives for these sizes and this type",
                               report) &&
         product::check_axes("tiling.", tiling, report) &&
         product::check_rooms(product::tiling_from(tiling), "src0", "src1", report) &&
         product::check_ranges({{"a tile's part of k", tile_of_k(tiling), 1, kMostOfMmad}}, report);
}

GemmTiling tiling_of(uint32_t m, uint32_t k, uint32_t n, DType type) {
  GemmTiling t;
  t.c0Size = fractal::row_elements(type);
  t.dtypeSize = bits_of(type) / 8;
  t.mNum = m;
  t.nNum = n;
  t.kNum = k;
  t.mBlockNum = t.mTileBlock = t.mTailBlock = uint32_t(ceil_div(m, kBlock));
  t.nBlockNum = t.nTileBlock = t.nTailBlock = uint32_t(ceil_div(n, kBlock));
  t.kBlockNum = uint32_t(ceil_div(k, t.c0Size));
  t.roundM = kBlock * t.mBlockNum;
  t.roundN = kBlock * t.nBlockNum;
  t.roundK = t.c0Size * t.kBlockNum;
  // Only K is cut.
  t.kTileBlock = product::deepest_tile(t.roundM, t.roundN, k, t.c0Size, t.dtypeSize);
  t.mIterNum = t.nIterNum = 1;
  t.kIterNum = uint32_t(ceil_div(t.kBlockNum, t.kTileBlock));
  t.kTailBlock = t.kBlockNum - (t.kIterNum - 1) * t.kTileBlock;
  t.mHasTail = m != t.roundM;
  t.kHasTail = t.kTailBlock != t.kTileBlock;
  t.kHasTailEle = k != t.roundK;
  t.kTailEle = k % (t.kTileBlock * t.c0Size);
  return t;
}

}  // namespace vinci::gemm

namespace vinci {

GemmTiling gemm_tiling(uint32_t m, uint32_t k, uint32_t n, DType type) {
  if (!gemm::check_sizes(m, k, n, type, product::report_of("GetGemmTiling"))) return {};
  return gemm::tiling_of(m, k, n, type);
}

}  // namespace vinci
