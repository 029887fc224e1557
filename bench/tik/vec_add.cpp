// The sum of 2^22 halfs in two blocks, tile by tile: the counterpart of vec_add.py.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kTile = 32768, kTiles = 64;  // of one block
constexpr uint32_t kCall = 128 * 128;           // 128 repeats of 128 halfs

extern "C" __global__ __aicore__ void vec_add(GM_ADDR a, GM_ADDR b, GM_ADDR c) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> a_buffer, b_buffer;
  pipe.InitBuffer(a_buffer, kTile * sizeof(half));
  pipe.InitBuffer(b_buffer, kTile * sizeof(half));
  GlobalTensor<half> a_gm, b_gm, c_gm;
  const uint32_t first = GetBlockIdx() * kTiles * kTile;
  a_gm.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(a) + first, kTiles * kTile);
  b_gm.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(b) + first, kTiles * kTile);
  c_gm.SetGlobalBuffer(reinterpret_cast<__gm__ half*>(c) + first, kTiles * kTile);
  LocalTensor<half> x = a_buffer.Get<half>();
  LocalTensor<half> y = b_buffer.Get<half>();
  for (uint32_t tile = 0; tile < kTiles; ++tile) {
    DataCopy(x, a_gm[tile * kTile], kTile);
    DataCopy(y, b_gm[tile * kTile], kTile);
    PipeBarrier<PIPE_ALL>();  // TIK waits like this, too
    for (uint32_t at = 0; at < kTile; at += kCall) {
      Add(x[at], x[at], y[at], uint64_t{128}, 128, {1, 1, 1, 8, 8, 8});
    }
    PipeBarrier<PIPE_ALL>();
    DataCopy(c_gm[tile * kTile], x, kTile);
    PipeBarrier<PIPE_ALL>();
  }
}
