// What a synchronous Iterate has multiplied may be overwritten, before its result is fetched: element by
// element, by reference or by a copy.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

using In = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Out = MatmulType<TPosition::VECIN, CubeFormat::ND, float>;

__aicore__ void overwrite(TPipe& pipe, GlobalTensor<half>& a, uint32_t count, int32_t how) {
  if (how == 2) {
    TQue<TPosition::VECOUT, 1> queue;
    pipe.InitBuffer(queue, 1, count * sizeof(half));
    LocalTensor<half> zeros = queue.AllocTensor<half>();
    Duplicate(zeros, half(0), count);
    queue.EnQue(zeros);
    zeros = queue.DeQue<half>();
    DataCopy(a, zeros, count);
    queue.FreeTensor(zeros);
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (how == 0) {
      a.SetValue(i, half(0));
    } else {
      a(i) = half(0);
    }
  }
  DataCacheCleanAndInvalid<half, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(a);
}

extern "C" __global__ __aicore__ void matmul_operands(GM_ADDR a, GM_ADDR b, GM_ADDR tilings, GM_ADDR out,
                                                      int32_t how) {
  TPipe pipe;
  const auto* tiling = reinterpret_cast<const TCubeTiling*>(tilings);
  Matmul<In, In, Out> product;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), product, tiling);
  if (GetSubBlockIdx() != 0) return product.End();
  const uint32_t m = tiling->singleCoreM, n = tiling->singleCoreN, k = tiling->singleCoreK;
  GlobalTensor<half> left, right;
  left.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a), m * k);
  right.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b), k * n);
  GlobalTensor<float> result;
  result.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(out), m * n);
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, m * n * sizeof(float));
  LocalTensor<float> local = queue.AllocTensor<float>();
  product.SetTensorA(left);
  product.SetTensorB(right);
  product.Iterate();
  overwrite(pipe, left, m * k, how);
  product.GetTensorC(local);
  queue.EnQue(local);
  local = queue.DeQue<float>();
  DataCopy(result, local, m * n);
  queue.FreeTensor(local);
  product.End();
}
