// An AIV brings A, in NZ, to TSCM, and the AIC of its block multiplies it: A * B, and, of square B,
// (A * B) * B, with A * B in TSCM as half.
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
  Matmul<In<half, TPosition::TSCM, CubeFormat::NZ>, In<half>,
         In<half, TPosition::TSCM, CubeFormat::NZ>>
      inner;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, tiling, inner, tiling);
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
  TSCM<TPosition::GM, 1> products;
  pipe.InitBuffer(products, 1, elements * sizeof(half));
  LocalTensor<half> product = products.AllocTensor<half>();
  inner.SetTensorA(local);
  inner.SetTensorB(right);
  inner.IterateAll(product);
  products.EnQue(product);
  product = products.DeQue<half>();
  mm.SetTensorA(product);
  mm.SetTensorB(right);
  mm.IterateAll(result[GetBlockNum() * GetTaskRatio() * tiling->M * tiling->N]);
  products.FreeTensor(product);
  inner.End();
  mm.End();
  queue.FreeTensor(local);
}
