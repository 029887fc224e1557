// Batches of Matmul on AICs: block 0 NORMAL, 1 BSNGD, a row of matrices at a time, 2 SBNGD, 3 NORMAL with a B that two share and
// one row of bias for all, 4 NORMAL with A and B in NZ.
#define ASCENDC_CUBE_ONLY
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

constexpr MatmulConfig one_bias() {
  MatmulConfig config = CFG_NORM;
  config.isBiasBatch = false;
  return config;
}
constexpr MatmulConfig kOneBias = one_bias();

template <LayoutMode layout, const auto& CONFIG = CFG_NORM, CubeFormat format = CubeFormat::ND>
__aicore__ void run(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, const TCubeTiling* tiling,
                    int batch_a, int batch_b, TPipe& pipe, int calls = 1) {
  Matmul<MatmulType<TPosition::GM, format, half, false, layout>,
         MatmulType<TPosition::GM, format, half, true, layout>,
         MatmulType<TPosition::GM, CubeFormat::ND, float, false, layout>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>, CONFIG>
      mm;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, tiling);
  GlobalTensor<half> left, right;
  GlobalTensor<float> row, out;
  left.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a));
  right.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b));
  row.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(bias));
  out.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c));
  const int m = tiling->singleCoreM, n = tiling->singleCoreN, k = tiling->singleCoreK;
  for (int i = 0; i < calls; ++i) {
    mm.SetTensorA(left[i * batch_a * m * k]);
    mm.SetTensorB(right[i * batch_b * n * k], true);
    mm.SetBias(row[i * batch_a * n]);
    mm.SetBatchNum(batch_a, batch_b);
    mm.IterateBatch(out[i * batch_a * m * n]);
  }
  mm.End();
}

extern "C" __global__ __aicore__ void batches(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR tilings,
                                              GM_ADDR c, int32_t bytes, int32_t c_bytes) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  TPipe pipe;
  const int64_t block = GetBlockIdx();
  const TCubeTiling* tiling = reinterpret_cast<const TCubeTiling*>(tilings) + block;
  a += block * bytes;
  b += block * bytes;
  bias += block * bytes;
  c += block * c_bytes;
  switch (block) {
    case 0: return run<LayoutMode::NORMAL>(a, b, bias, c, tiling, 4, 4, pipe);
    case 1: return run<LayoutMode::BSNGD>(a, b, bias, c, tiling, 2, 2, pipe, 2);
    case 2: return run<LayoutMode::SBNGD>(a, b, bias, c, tiling, 4, 4, pipe);
    case 4:
      return run<LayoutMode::NORMAL, CFG_NORM, CubeFormat::NZ>(a, b, bias, c, tiling, 4, 4, pipe);
    default: return run<LayoutMode::NORMAL, kOneBias>(a, b, bias, c, tiling, 4, 2, pipe);
  }
}
