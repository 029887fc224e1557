// y = 1 / (1 + e^-x) of halves, computed in float: Cast, vector arithmetic, Cast.
//
// Blocks share the tiles of 2048 numbers; copies of one tile overlap the arithmetic of another.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kTile = 2048;

class SigmoidKernel {
 public:
  __aicore__ void Init(GM_ADDR x, GM_ADDR y, uint32_t count) {
    x_.SetGlobalBuffer((__gm__ half*)x, count);
    y_.SetGlobalBuffer((__gm__ half*)y, count);
    count_ = count;
    pipe_.InitBuffer(in_, 2, kTile * sizeof(half));
    pipe_.InitBuffer(out_, 2, kTile * sizeof(half));
    pipe_.InitBuffer(wide_, kTile * sizeof(float));
  }

  __aicore__ void Process() {
    const uint32_t tiles = (count_ + kTile - 1) / kTile;
    for (uint32_t tile = GetBlockIdx(); tile < tiles; tile += GetBlockNum()) {
      const uint32_t first = tile * kTile;
      const uint32_t left = count_ - first;
      Tile(first, left < kTile ? left : kTile);
    }
  }

 private:
  __aicore__ void Tile(uint32_t first, uint32_t count) {
    LocalTensor<half> x = in_.AllocTensor<half>();
    DataCopy(x, x_[first], count);
    in_.EnQue(x);
    Compute(count);
    LocalTensor<half> y = out_.DeQue<half>();
    DataCopy(y_[first], y, count);
    out_.FreeTensor(y);
  }

  __aicore__ void Compute(uint32_t count) {
    LocalTensor<half> x = in_.DeQue<half>();
    LocalTensor<half> y = out_.AllocTensor<half>();
    LocalTensor<float> wide = wide_.Get<float>();
    Cast(wide, x, RoundMode::CAST_NONE, count);
    in_.FreeTensor(x);
    Muls(wide, wide, -1.0f, count);
    Exp(wide, wide, count);
    Adds(wide, wide, 1.0f, count);
    Reciprocal(wide, wide, count);
    Cast(y, wide, RoundMode::CAST_NONE, count);
    out_.EnQue(y);
  }

  TPipe pipe_;
  TQue<TPosition::VECIN, 2> in_;
  TQue<TPosition::VECOUT, 2> out_;
  TBuf<TPosition::VECCALC> wide_;
  GlobalTensor<half> x_, y_;
  uint32_t count_;
};

// count: how many numbers, a multiple of 16.
extern "C" __global__ __aicore__ void sigmoid(GM_ADDR x, GM_ADDR y, GM_ADDR count) {
  SigmoidKernel kernel;
  kernel.Init(x, y, *(__gm__ uint32_t*)count);
  kernel.Process();
}
