// How a product of matrices is divided: the numbers that host code computes and kernels get, 200
// bytes, and who computes them.
#pragma once

#include <cstdint>

// In the order in which they lie in memory.
#define VINCI_MATMUL_TILING_FIELDS(FIELD)                                                        \
  FIELD(usedCoreNum) FIELD(M) FIELD(N) FIELD(Ka) FIELD(Kb)                                       \
  FIELD(singleCoreM) FIELD(singleCoreN) FIELD(singleCoreK)                                       \
  FIELD(baseM) FIELD(baseN) FIELD(baseK)                                                         \
  FIELD(depthA1) FIELD(depthB1) FIELD(stepM) FIELD(stepN)                                        \
  FIELD(isBias) FIELD(transLength) FIELD(iterateOrder) FIELD(shareMode)                          \
  FIELD(shareL1Size) FIELD(shareL0CSize) FIELD(shareUbSize)                                      \
  FIELD(batchM) FIELD(batchN) FIELD(singleBatchM) FIELD(singleBatchN)                            \
  FIELD(stepKa) FIELD(stepKb) FIELD(depthAL1CacheUB) FIELD(depthBL1CacheUB)                      \
  FIELD(dbL0A) FIELD(dbL0B) FIELD(dbL0C)                                                         \
  FIELD(ALayoutInfoB) FIELD(ALayoutInfoS) FIELD(ALayoutInfoN) FIELD(ALayoutInfoG)                \
  FIELD(ALayoutInfoD) FIELD(BLayoutInfoB) FIELD(BLayoutInfoS) FIELD(BLayoutInfoN)                \
  FIELD(BLayoutInfoG) FIELD(BLayoutInfoD) FIELD(CLayoutInfoB) FIELD(CLayoutInfoS1)               \
  FIELD(CLayoutInfoN) FIELD(CLayoutInfoG) FIELD(CLayoutInfoS2) FIELD(BatchNum) FIELD(mxTypePara)

namespace vinci {

struct MatmulTilingData {
#define VINCI_FIELD(name) int32_t name;
  VINCI_MATMUL_TILING_FIELDS(VINCI_FIELD)
#undef VINCI_FIELD
};
static_assert(sizeof(MatmulTilingData) == 200);

// What host code says of a product. Sizes in bytes; -1: not said.
struct MatmulTilingRequest {
  struct Matrix {
    int32_t bits = 16;      // of an element
    bool in_tscm = false;   // in L1 already
    bool nz = false;
    bool transposed = false;
  };
  Matrix a, b, c, bias;
  int32_t m = -1, n = -1, k = -1;                         // to be divided
  int32_t org_m = -1, org_n = -1, org_ka = -1, org_kb = -1;
  int32_t single_m = -1, single_n = -1, single_k = -1;    // one core's, given
  int32_t base_m = -1, base_n = -1, base_k = -1;          // given
  // Of one core's part, where it is not given: what it is a multiple of, and its bounds.
  struct Part {
    int32_t align = -1, least = -1, most = -1;
  };
  Part part_m, part_n, part_k;
  int32_t cores = 1;
  bool multi_core = false, splits_k = false, has_bias = false;
  int32_t traverse = 0;  // 0: not said, 1: M first, 2: N first
  bool mdl = false, sparse = false;
  enum class Schedule : uint8_t { kInner, kOuter, kNBuffer33 } schedule = Schedule::kInner;
  int64_t l1 = 0, l0a = 0, l0b = 0, l0c = 0, ub = 0, bias_table = 0;
};

// nullptr: `tiling` has what is asked for. Else why there is none; `tiling` is as before.
const char* matmul_tiling(const MatmulTilingRequest& request, MatmulTilingData& tiling);

}  // namespace vinci
