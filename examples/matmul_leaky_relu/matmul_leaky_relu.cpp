// C = LeakyReLU(A * B + bias), A and B of half, C of float: the AIC of a block multiplies, and its
// AIVs, which ask for it, do the rest with each tile as it comes. docs/guide/fused_matmul.md.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

constexpr float kSlope = 0.125f;

class MatmulLeakyRelu {
 public:
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::VECIN, CubeFormat::ND, float>,
         MatmulType<TPosition::GM, CubeFormat::ND, float>>
      matmul;

  // The part of C that this AIV makes: parts go along M first.
  __aicore__ void Init(GM_ADDR a, GM_ADDR b, GM_ADDR bias, GM_ADDR c, const TCubeTiling& tiling,
                       TPipe* pipe) {
    this->tiling = tiling;
    const int parts = (tiling.M + tiling.singleCoreM - 1) / tiling.singleCoreM;
    const int row = GetBlockIdx() % parts * tiling.singleCoreM;
    const int column = GetBlockIdx() / parts * tiling.singleCoreN;
    left.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a) + row * tiling.Ka);
    right.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b) + column);
    added.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(bias) + column);
    result.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c) + row * tiling.N + column);
    pipe->InitBuffer(tiles, 1, tiling.baseM * tiling.baseN * sizeof(float));
  }

  __aicore__ void Process() {
    matmul.SetTensorA(left);
    matmul.SetTensorB(right);
    matmul.SetBias(added);
    for (int number = 0; matmul.template Iterate<true>(); ++number) {
      LocalTensor<float> tile = tiles.AllocTensor<float>();
      matmul.template GetTensorC<true>(tile, false, true);
      LeakyRelu(tile, tile, kSlope, tiling.baseM * tiling.baseN);
      tiles.EnQue(tile);
      CopyOut(number);
    }
    matmul.End();
  }

 private:
  // Tiles go along M first, too. A row of a tile is whole datablocks.
  __aicore__ void CopyOut(int number) {
    LocalTensor<float> tile = tiles.DeQue<float>();
    const int rows = tiling.singleCoreM / tiling.baseM;
    const int place = number % rows * tiling.baseM * tiling.N + number / rows * tiling.baseN;
    const uint16_t length = tiling.baseN * sizeof(float) / 32;
    const uint16_t gap = (tiling.N - tiling.baseN) * sizeof(float) / 32;
    DataCopy(result[place], tile, DataCopyParams(tiling.baseM, length, 0, gap));
    tiles.FreeTensor(tile);
  }

  TCubeTiling tiling;
  GlobalTensor<half> left, right;
  GlobalTensor<float> added, result;
  TQue<TPosition::VECOUT, 1> tiles;
};

extern "C" __global__ __aicore__ void matmul_leaky_relu(GM_ADDR a, GM_ADDR b, GM_ADDR bias,
                                                        GM_ADDR c, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  TCubeTiling numbers;
  auto* words = reinterpret_cast<uint32_t*>(&numbers);
  for (uint32_t i = 0; i < sizeof(TCubeTiling) / sizeof(uint32_t); ++i) {
    words[i] = reinterpret_cast<__gm__ uint32_t*>(tiling)[i];
  }
  TPipe pipe;
  MatmulLeakyRelu kernel;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), kernel.matmul, &numbers);  // the AIC stays here
  kernel.Init(a, b, bias, c, numbers, &pipe);
  kernel.Process();
}
