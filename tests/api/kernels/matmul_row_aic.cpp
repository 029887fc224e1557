// A as one number where AICs are alone: three times the sums of B's columns.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void matmul_row(GM_ADDR b, GM_ADDR tiling, GM_ADDR c) {
  TPipe pipe;
  Matmul<MatmulType<TPosition::GM, CubeFormat::SCALAR, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>>
      object;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), object,
                    reinterpret_cast<const TCubeTiling*>(tiling));
  GlobalTensor<half> right;
  GlobalTensor<float> result;
  right.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b));
  result.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c));
  object.SetTensorA(half(3));
  object.SetTensorB(right);
  object.IterateAll(result);
  object.End();
}
