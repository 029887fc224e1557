// Both factors transposed, and neither's type says so.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void matmul_transposed(GM_ADDR a, GM_ADDR b, GM_ADDR tiling,
                                                        GM_ADDR out) {
  const auto* given = reinterpret_cast<const TCubeTiling*>(tiling);
  GlobalTensor<half> left, right;
  GlobalTensor<float> result;
  left.SetGlobalBuffer((__gm__ half*)a, given->M * given->Ka);
  right.SetGlobalBuffer((__gm__ half*)b, given->Kb * given->N);
  result.SetGlobalBuffer((__gm__ float*)out, given->M * given->N);
  TPipe pipe;
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>>
      mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, given);
  mm.SetTensorA(left, true);
  mm.SetTensorB(right, true);
  mm.IterateAll(result);
  mm.End();
}
