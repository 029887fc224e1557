// An AIV brings A, in NZ, to TSCM, and the AIC of its block multiplies it.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

template <class T, TPosition position = TPosition::GM, CubeFormat format = CubeFormat::ND>
using In = MatmulType<position, format, T>;

extern "C" __global__ __aicore__ void matmul_tscm(GM_ADDR a, GM_ADDR b, GM_ADDR tilings, GM_ADDR c,
                                                  uint32_t elements) {
  TPipe pipe;
  const auto* tiling = reinterpret_cast<const TCubeTiling*>(tilings);
  Matmul<In<half, TPosition::TSCM, CubeFormat::NZ>, In<half>, In<float>> mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, tiling);
  const uint32_t block = GetBlockIdx();
  GlobalTensor<half> left, right;
  GlobalTensor<float> result;
  left.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a) + block * elements);
  right.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b));
  result.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c) +
                         block * tiling->singleCoreM * tiling->singleCoreN);
  TSCM<TPosition::GM, 1> queue;
  pipe.InitBuffer(queue, 1, elements * sizeof(half));
  LocalTensor<half> local = queue.AllocTensor<half>();
  DataCopy(local, left, elements);
  queue.EnQue(local);
  local = queue.DeQue<half>();
  mm.SetTensorA(local);
  mm.SetTensorB(right);
  mm.IterateAll(result);
  mm.End();
  queue.FreeTensor(local);
}
