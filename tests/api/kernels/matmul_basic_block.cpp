// A product of one core, whose configuration has tiles of 32 x 16 x 16.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

constexpr MatmulConfig kBlocks = GetBasicConfig(32, 16, 16);
template <class T>
using InGm = MatmulType<TPosition::GM, CubeFormat::ND, T>;

extern "C" __global__ __aicore__ void matmul_basic_block(__gm__ half* a, __gm__ half* b,
                                                         __gm__ TCubeTiling* tiling,
                                                         __gm__ float* c) {
  TPipe pipe;
  Matmul<InGm<half>, InGm<half>, InGm<float>, InGm<float>, kBlocks> mm;
  TCubeTiling here = *tiling;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &here);  // HERE
  GlobalTensor<half> left, right;
  GlobalTensor<float> out;
  left.SetGlobalBuffer(a, 1 << 14);
  right.SetGlobalBuffer(b, 1 << 14);
  out.SetGlobalBuffer(c, 1 << 14);
  mm.SetTensorA(left);
  mm.SetTensorB(right);
  mm.IterateAll(out);
  mm.End();
}
