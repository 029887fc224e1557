// Layer norm of rows of any length: y = (x - mean) / sqrt(variance + epsilon) * gamma + beta.
//
//   x, y         [rows, length] half
//   gamma, beta  [length] float
//   mean, rstd   [rows] float, for whoever computes gradients; rstd is 1 / sqrt(variance + epsilon)
//   sizes        rows, length as uint32
//
// A row comes to UB in pieces, twice. The first time Welford's method makes 1024 means and sums of
// squares, one for every 1024th number, and then one mean and one variance of them all: no sum of
// large squares is ever subtracted from another. The second time each piece is normalized.
// docs/guide/layer_norm.md.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kPiece = 1024;
constexpr uint32_t kScratch = 16384;  // for the library's functions, which need less
constexpr float kEpsilon = 1e-5f;

class LayerNormKernel {
 public:
  __aicore__ void Init(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR mean,
                       GM_ADDR rstd, uint32_t rows, uint32_t length) {
    rows_ = rows;
    length_ = length;
    x_.SetGlobalBuffer((__gm__ half*)x, uint64_t(rows) * length);
    y_.SetGlobalBuffer((__gm__ half*)y, uint64_t(rows) * length);
    gamma_.SetGlobalBuffer((__gm__ float*)gamma, length);
    beta_.SetGlobalBuffer((__gm__ float*)beta, length);
    mean_.SetGlobalBuffer((__gm__ float*)mean, rows);
    rstd_.SetGlobalBuffer((__gm__ float*)rstd, rows);
    pipe_.InitBuffer(in_, 2, kPiece * sizeof(half));
    pipe_.InitBuffer(factors_, 2, 2 * kPiece * sizeof(float));
    pipe_.InitBuffer(out_, 2, kPiece * sizeof(half));
    pipe_.InitBuffer(results_, 2, 2 * 32);
    pipe_.InitBuffer(moments_, 4 * kPiece * sizeof(float));
    pipe_.InitBuffer(counts_, kPiece * sizeof(int32_t));
    pipe_.InitBuffer(variance_, 32);
    pipe_.InitBuffer(scratch_, kScratch);
  }

  __aicore__ void Process() {
    Count();
    for (uint32_t row = GetBlockIdx(); row < rows_; row += GetBlockNum()) {
      LocalTensor<float> results = results_.AllocTensor<float>();
      Measure(row, results);
      for (uint32_t at = 0; at < length_; at += kPiece) Write(row, at, results);
      results_.EnQue(results);
      results = results_.DeQue<float>();
      const DataCopyExtParams one{1, sizeof(float), 0, 0, 0};
      DataCopyPad(mean_[row], results, one);
      DataCopyPad(rstd_[row], results[8], one);
      results_.FreeTensor(results);
    }
  }

 private:
  // How many numbers of a row each of the 1024 means stands for: one less where the last piece has
  // ended.
  __aicore__ void Count() {
    const uint32_t pieces = (length_ + kPiece - 1) / kPiece;
    LocalTensor<int32_t> counts = counts_.Get<int32_t>();
    Duplicate(counts, int32_t(pieces) - 1, kPiece);
    Duplicate(counts, int32_t(pieces), length_ - (pieces - 1) * kPiece);
  }

  // The row's mean to results[0], its variance to variance_. WelfordUpdate cannot write where it
  // reads, so what it knows goes to and fro between two halves of moments_; isInplace carries along
  // what lies behind a short piece.
  __aicore__ void Measure(uint32_t row, const LocalTensor<float>& results) {
    static constexpr WelfordUpdateConfig kCarryAlong{true};
    LocalTensor<float> moments = moments_.Get<float>();
    LocalTensor<uint8_t> scratch = scratch_.Get<uint8_t>();
    Duplicate(moments, 0.0f, 2 * kPiece);
    uint32_t from = 0, to = 2 * kPiece;
    for (uint32_t piece = 0; piece * kPiece < length_; ++piece) {
      const uint32_t count = Load(row, piece * kPiece);
      LocalTensor<half> x = in_.DeQue<half>();
      const WelfordUpdateParam update{1, kPiece, count, 1.0f / float(piece + 1)};
      WelfordUpdate<half, float, false, kCarryAlong>(moments[to], moments[to + kPiece],
                                                     moments[from], moments[from + kPiece], x,
                                                     scratch, update);
      in_.FreeTensor(x);
      const uint32_t other = from;
      from = to;
      to = other;
    }
    const WelfordFinalizePara all{1, kPiece, 0, kPiece, 0, 0, 1.0f / kPiece, 1.0f / float(length_),
                                  1.0f};
    WelfordFinalize(results, variance_.Get<float>(), moments[from], moments[from + kPiece],
                    counts_.Get<int32_t>(), scratch, all);
  }

  // A piece of y; rstd, of every piece the same, to results[8].
  __aicore__ void Write(uint32_t row, uint32_t at, const LocalTensor<float>& results) {
    const uint32_t count = Load(row, at);
    LocalTensor<float> factors = factors_.AllocTensor<float>();
    const DataCopyExtParams length{1, uint32_t(count * sizeof(float)), 0, 0, 0};
    DataCopyPad(factors, gamma_[at], length, DataCopyPadExtParams<float>{});
    DataCopyPad(factors[kPiece], beta_[at], length, DataCopyPadExtParams<float>{});
    factors_.EnQue(factors);

    LocalTensor<half> x = in_.DeQue<half>();
    factors = factors_.DeQue<float>();
    LocalTensor<half> y = out_.AllocTensor<half>();
    const NormalizePara shape{1, count, (count + 15) / 16 * 16};
    Normalize<float, half>(y, results[8], results, variance_.Get<float>(), x, factors,
                           factors[kPiece], scratch_.Get<uint8_t>(), kEpsilon, shape);
    in_.FreeTensor(x);
    factors_.FreeTensor(factors);
    out_.EnQue(y);

    y = out_.DeQue<half>();
    DataCopyPad(y_[uint64_t(row) * length_ + at], y,
                DataCopyExtParams{1, uint32_t(count * sizeof(half)), 0, 0, 0});
    out_.FreeTensor(y);
  }

  // A piece of x into in_; how many numbers it has.
  __aicore__ uint32_t Load(uint32_t row, uint32_t at) {
    const uint32_t count = length_ - at < kPiece ? length_ - at : kPiece;
    LocalTensor<half> x = in_.AllocTensor<half>();
    DataCopyPad(x, x_[uint64_t(row) * length_ + at],
                DataCopyExtParams{1, uint32_t(count * sizeof(half)), 0, 0, 0},
                DataCopyPadExtParams<half>{});
    in_.EnQue(x);
    return count;
  }

  TPipe pipe_;
  TQue<TPosition::VECIN, 2> in_, factors_;
  TQue<TPosition::VECOUT, 2> out_, results_;
  TBuf<TPosition::VECCALC> moments_, counts_, variance_, scratch_;
  GlobalTensor<half> x_, y_;
  GlobalTensor<float> gamma_, beta_, mean_, rstd_;
  uint32_t rows_, length_;
};

extern "C" __global__ __aicore__ void layer_norm(GM_ADDR x, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y,
                                                 GM_ADDR mean, GM_ADDR rstd, GM_ADDR sizes) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  const auto* numbers = (__gm__ uint32_t*)sizes;
  LayerNormKernel kernel;
  kernel.Init(x, gamma, beta, y, mean, rstd, numbers[0], numbers[1]);
  kernel.Process();
}
