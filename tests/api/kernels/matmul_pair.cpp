// Two AIVs take turns on the AIC of their block, with two objects each. both: the second iterates before the first
// is fetched.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

template <class T>
using Gm = MatmulType<TPosition::GM, CubeFormat::ND, T>;
using Product = Matmul<Gm<half>, Gm<half>, Gm<float>>;

__aicore__ void Multiply(Product& product, const GlobalTensor<half>& a, const GlobalTensor<half>& b) {
  product.SetTensorA(a);
  product.SetTensorB(b);
}

extern "C" __global__ __aicore__ void matmul_pair(GM_ADDR a, GM_ADDR b, GM_ADDR tilings, GM_ADDR c,
                                                  int32_t both) {
  TPipe pipe;
  const auto* tiling = reinterpret_cast<const TCubeTiling*>(tilings);
  Product first, second;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), first, tiling, second, tiling);
  const uint32_t m = tiling->singleCoreM, n = tiling->singleCoreN, k = tiling->singleCoreK;
  GlobalTensor<half> left, right;
  left.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a) + GetBlockIdx() * 2 * m * k);
  right.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b));
  GlobalTensor<float> results;
  results.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c) + GetBlockIdx() * 2 * m * n);
  Multiply(first, left, right);
  Multiply(second, left[m * k], right);
  while (first.Iterate()) {
    if (both) second.Iterate();
    first.GetTensorC(results);
    if (!both) second.Iterate();
    second.GetTensorC(results[m * n]);
  }
}
