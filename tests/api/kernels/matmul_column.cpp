// B as one number: half in the first AIV (or AIC), float in the second.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

template <class T>
using In = MatmulType<TPosition::GM, CubeFormat::ND, T, true>;

template <class T, class Object>
__aicore__ void multiply(Object& object, GM_ADDR a, GM_ADDR c, int32_t m, int32_t columns,
                         int32_t k, bool transposed) {
  GlobalTensor<T> left;
  GlobalTensor<float> result;
  left.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(a));
  result.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c));
  object.SetSingleShape(m, columns, k);
  object.SetTensorA(left, transposed);
  object.SetTensorB(T(-3));
  object.IterateAll(result);
  object.End();
}

extern "C" __global__ __aicore__ void matmul_column(GM_ADDR halves, GM_ADDR floats, GM_ADDR tiling,
                                                    GM_ADDR out, int32_t m, int32_t columns,
                                                    int32_t k, int32_t transposed) {
  TPipe pipe;
  Matmul<In<half>, In<half>, In<float>> of_halves;
  Matmul<In<float>, In<float>, In<float>> of_floats;
  const auto* given = reinterpret_cast<const TCubeTiling*>(tiling);
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), of_halves, given, of_floats, given);
  if (GetBlockIdx() == 0) {
    multiply<half>(of_halves, halves, out, m, columns, k, transposed);
  } else {
    multiply<float>(of_floats, floats, out + m * sizeof(float), m, columns, k, transposed);
  }
}
