// Gemm and its tiling: a product of two matrices in L1. Deprecated by its documents.
//
// initValue 0 overwrites dst and 1 adds to it, and dst is written whatever partialsum says, as the
// running library does. The documents say that 0 adds, 1 overwrites, and that partialsum true
// leaves the result in L0C: define VINCI_GEMM_AS_DOCUMENTED before kernel_operator.h is included,
// or on the command line, to have it their way.
#pragma once

#include "ascendc/tensor.h"
#include "vinci/record/gemm.h"

namespace vinci::isa {
extern const Instruction gemm;
}

namespace AscendC {

using vinci::GemmTiling;

namespace in_api {

#ifdef VINCI_GEMM_AS_DOCUMENTED
inline constexpr bool kGemmAsDocumented = true;
#else
inline constexpr bool kGemmAsDocumented = false;
#endif

}  // namespace in_api

// m and n in 1..4096, k in 1..16384 for half and 1..32768 for int8_t; T is src0's type. Works on a
// core and in host code.
template <class T>
GemmTiling GetGemmTiling(uint32_t m, uint32_t k, uint32_t n) {
  return vinci::gemm_tiling(m, k, n, vinci::dtype_of<T>);
}

// dst in CO1 or CO2, src0 (m x k) in A1, src1 (k x n) in B1; sizes in elements, and tensors of
// whole fractals. Uses L0A and L0B from their start, and for CO2 also L0C.
template <class T, class U, class S>
void Gemm(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<S>& src1,
          const uint32_t m, const uint32_t k, const uint32_t n, GemmTiling tiling,
          bool partialsum = true, int32_t initValue = 0) {
  vinci::issue(vinci::GemmRecord{{&vinci::isa::gemm},
                                 dst.operand(),
                                 src0.operand(),
                                 src1.operand(),
                                 m,
                                 k,
                                 n,
                                 tiling,
                                 partialsum,
                                 initValue,
                                 in_api::kGemmAsDocumented});
}

}  // namespace AscendC
