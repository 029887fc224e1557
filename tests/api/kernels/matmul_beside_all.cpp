// A buffer of `bytes` in UB; a product, if `multiplies`, after it and before another one.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void matmul_beside_all(__gm__ half* a, __gm__ TCubeTiling* tiling, __gm__ float* c,
                                                        uint32_t bytes, uint32_t multiplies) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
  using Halfs = MatmulType<TPosition::GM, CubeFormat::ND, half>;
  TPipe pipe;
  TBuf<> early, late;
  if ASCEND_IS_AIV { pipe.InitBuffer(early, bytes); }
  Matmul<Halfs, Halfs, MatmulType<TPosition::GM, CubeFormat::ND, float>> mm;
  TCubeTiling here = *tiling;
  if (multiplies == 0) return;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &here);
  GlobalTensor<half> in;
  GlobalTensor<float> out;
  in.SetGlobalBuffer(a);
  out.SetGlobalBuffer(c);
  mm.SetTensorA(in);
  mm.SetTensorB(in);
  mm.IterateAll(out);
  mm.End();
  pipe.Reset();
  pipe.InitBuffer(late, bytes);
}
