// Products of which only a triangle of tiles is wanted, on AICs: block 0 the upper one, 1 the lower.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

// A policy that is passed on, as the documents declare the parameter.
template <class A, class B, class C, class BIAS, const auto& MM_CFG, MATMUL_POLICY_DEFAULT_OF(MatmulPolicy)>
using Passed = Matmul<A, B, C, BIAS, MM_CFG, MatmulCallBackFunc<nullptr, nullptr, nullptr>, MATMUL_POLICY>;

template <template <const auto&, class, class, class, class, class> class Policy>
__aicore__ void run(GM_ADDR a, GM_ADDR b, GM_ADDR c, const TCubeTiling* tiling, TPipe& pipe) {
  Passed<MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>, CFG_NORM, Policy>
      mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, tiling);
  GlobalTensor<half> left, right;
  GlobalTensor<float> out;
  left.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a));
  right.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b));
  out.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c));
  mm.SetTensorA(left);
  mm.SetTensorB(right);
  mm.IterateAll(out);
  mm.End();
}

extern "C" __global__ __aicore__ void triangles(GM_ADDR a, GM_ADDR b, GM_ADDR tiling, GM_ADDR c,
                                                int32_t c_bytes) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  TPipe pipe;
  const auto* shared = reinterpret_cast<const TCubeTiling*>(tiling);
  using namespace AscendC::Impl::Detail;
  if (GetBlockIdx() == 0) return run<TrianUpperMatmulPolicy>(a, b, c, shared, pipe);
  run<TrianLowerMatmulPolicy>(a, b, c + c_bytes, shared, pipe);
}
