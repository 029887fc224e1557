// Mistakes whose messages name what the kernel's author has to mend.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

// A row of no elements: its length is wrong, not what of it counts.
extern "C" __global__ __aicore__ void empty_rows(GM_ADDR) {
  LocalTensor<float> x(TPosition::VECCALC, 0, 64), mean(TPosition::VECCALC, 256, 64);
  LocalTensor<float> y(TPosition::VECCALC, 512, 64), gamma(TPosition::VECCALC, 768, 64);
  LocalTensor<uint8_t> room(TPosition::VECCALC, 4096, 4096);
  LayerNormTiling tiling{};
  tiling.bLength = tiling.sLength = 1;
  LayerNorm(y, mean, mean[32], x, gamma, gamma, room, 1e-5f, tiling);
}

using Factor = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Sums = MatmulType<TPosition::GM, CubeFormat::ND, float>;

// One of A, B and the bias, by `missing`, has no address.
extern "C" __global__ __aicore__ void no_address(GM_ADDR in, GM_ADDR out, uint32_t missing) {
  TPipe pipe;
  TBuf<> room;
  pipe.InitBuffer(room, 16384);
  TCubeTiling tiling{};
  tiling.usedCoreNum = tiling.stepM = tiling.stepN = tiling.stepKa = tiling.stepKb = tiling.isBias = 1;
  tiling.M = tiling.N = tiling.Ka = tiling.Kb = tiling.singleCoreM = tiling.singleCoreN = 16;
  tiling.singleCoreK = tiling.baseM = tiling.baseN = tiling.baseK = 16;
  GlobalTensor<half> factor, no_factor;
  GlobalTensor<float> sums, no_bias;
  factor.SetGlobalBuffer((__gm__ half*)in, 256);
  sums.SetGlobalBuffer((__gm__ float*)out, 256);
  Matmul<Factor, Factor, Sums, Sums> product;
  product.Init(&tiling, &pipe);
  product.SetLocalWorkspace(room.Get<uint8_t>());
  product.SetTensorA(missing == 0 ? no_factor : factor);
  product.SetTensorB(missing == 1 ? no_factor : factor);
  product.SetBias(missing == 2 ? no_bias[8] : sums);
  product.IterateAll(sums);
}

// V after V, between tensors and behind addresses.
extern "C" __global__ __aicore__ void vectors(GM_ADDR, uint32_t by_address) {
  LocalTensor<half> x(TPosition::VECCALC, 0, 256), y(TPosition::VECCALC, 512, 256);
  Duplicate(x, half(1), 256);
  PipeBarrier<PIPE_V>();
  if (by_address != 0) {
    uint64_t to[16], from[16];
    for (int row = 0; row < 16; ++row) from[row] = uint64_t(x[row * 16].GetPhyAddr());
    for (int row = 0; row < 16; ++row) to[row] = uint64_t(y[row * 16].GetPhyAddr());
    TransDataTo5HD<half>(to, from, TransDataTo5HDParams(false, false, 1, 0, 0));
    Adds(y, y, half(1), 256);
  } else {
    Adds(y, x, half(1), 256);
    Adds(x, y, half(1), 256);
  }
}
