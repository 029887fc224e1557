// The sum of 2^24 floats in eight blocks, tile by tile, through queues with two buffers.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kTile = 8192, kTiles = 256;  // of one block

extern "C" __global__ __aicore__ void vector_add(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> a_queue, b_queue;
  TQue<TPosition::VECOUT, 2> c_queue;
  pipe.InitBuffer(a_queue, 1, kTile * sizeof(float));
  pipe.InitBuffer(b_queue, 1, kTile * sizeof(float));
  pipe.InitBuffer(c_queue, 1, kTile * sizeof(float));
  GlobalTensor<float> a_gm, b_gm, c_gm;
  const uint32_t first = GetBlockIdx() * kTiles * kTile;
  a_gm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(a) + first, kTiles * kTile);
  b_gm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(b) + first, kTiles * kTile);
  c_gm.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(c) + first, kTiles * kTile);
  for (uint32_t tile = 0; tile < kTiles; ++tile) {
    LocalTensor<float> x = a_queue.AllocTensor<float>(), y = b_queue.AllocTensor<float>();
    DataCopy(x, a_gm[tile * kTile], kTile);
    DataCopy(y, b_gm[tile * kTile], kTile);
    a_queue.EnQue(x);
    b_queue.EnQue(y);
    x = a_queue.DeQue<float>();
    y = b_queue.DeQue<float>();
    LocalTensor<float> z = c_queue.AllocTensor<float>();
    Add(z, x, y, kTile);
    c_queue.EnQue(z);
    a_queue.FreeTensor(x);
    b_queue.FreeTensor(y);
    z = c_queue.DeQue<float>();
    DataCopy(c_gm[tile * kTile], z, kTile);
    c_queue.FreeTensor(z);
  }
}
