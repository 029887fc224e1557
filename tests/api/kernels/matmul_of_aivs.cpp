// What the documents have in kernels of AICs alone. which: 0, not that; HERE is told.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

template <class T>
using InGm = MatmulType<TPosition::GM, CubeFormat::ND, T>;

extern "C" __global__ __aicore__ void matmul_of_aivs(__gm__ float* a, __gm__ float* b,
                                                     __gm__ TCubeTiling* tiling, __gm__ float* c,
                                                     int32_t which) {
  TPipe pipe;
  Matmul<InGm<float>, InGm<float>, InGm<float>, InGm<float>> mm;
  TCubeTiling here = *tiling;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &here);
  GlobalTensor<float> left, right, out;
  left.SetGlobalBuffer(a, 1 << 12);
  right.SetGlobalBuffer(b, 1 << 12);
  out.SetGlobalBuffer(c, 1 << 12);
  mm.SetHF32(false);
  if (which == 1) mm.SetHF32(true);      // HERE 1
  if (which == 2) mm.SetBatchNum(2, 1);  // HERE 2
  if (which != 0) return mm.End();
  mm.SetTensorA(left);
  mm.SetTensorB(right);
  mm.IterateAll(out);
  mm.End();
}
