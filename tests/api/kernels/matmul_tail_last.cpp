// Products of one object whose sizes are said behind their tensors: 16 rows, 16 columns, 48 of K; then
// all. A lies in VECOUT, the bias in VECIN.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

constexpr int32_t kM = 48, kN = 32, kK = 64;

extern "C" __global__ __aicore__ void matmul_tail_last(__gm__ half* a, __gm__ half* b,
                                                       __gm__ float* bias, __gm__ TCubeTiling* tiling,
                                                       __gm__ float* few, __gm__ float* all) {
  TPipe pipe;
  Matmul<MatmulType<TPosition::VECOUT, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>,
         MatmulType<TPosition::VECIN, CubeFormat::ND, float>>
      mm;
  TCubeTiling here = *tiling;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &here);
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  TQue<TPosition::VECIN, 1> biases;
  pipe.InitBuffer(queue, 1, kM * kK * sizeof(half));
  pipe.InitBuffer(biases, 1, kN * sizeof(float));
  GlobalTensor<half> left, right;
  GlobalTensor<float> row, out;
  left.SetGlobalBuffer(a);
  right.SetGlobalBuffer(b);
  row.SetGlobalBuffer(bias);
  for (bool whole : {false, true}) {
    const int32_t m = whole ? kM : 16, n = whole ? kN : 16, k = whole ? kK : 48;
    auto rows = queue.AllocTensor<half>();
    auto sums = biases.AllocTensor<float>();
    DataCopy(rows, left[whole ? 16 * 48 : 0], m * k);
    DataCopy(sums, row, n);
    queue.EnQue(rows);
    biases.EnQue(sums);
    rows = queue.DeQue<half>();
    sums = biases.DeQue<float>();
    mm.SetTensorA(rows);
    mm.SetTensorB(right);
    mm.SetBias(sums);
    mm.SetTail(m, n, k);
    out.SetGlobalBuffer(whole ? all : few);
    mm.IterateAll(out);
    queue.FreeTensor(rows);
    biases.FreeTensor(sums);
  }
  mm.End();
}
