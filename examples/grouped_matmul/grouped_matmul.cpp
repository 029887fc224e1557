// The products of a mixture of experts, quantised: each group of rows of x has a matrix of its own.
//
//   x        [rows, K] int8, sorted by groups
//   w        [groups, K, N] int8
//   scales   [groups, N] uint64: for each column the bits of a float, which the fixed pipe applies
//   offsets  [groups + 1] int32: group g has the rows offsets[g] to offsets[g + 1], maybe none
//   y        [rows, N] half: x * w[g] * scales[g]
//   tiling   TCubeTiling of a tile
//   sizes    groups, K, N as int32; N a multiple of 16
//
// docs/guide/moe.md.
#define ASCENDC_CUBE_ONLY  // the AICs do all of it
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

class GroupedMatmul {
 public:
  Matmul<MatmulType<TPosition::GM, CubeFormat::ND, int8_t>,
         MatmulType<TPosition::GM, CubeFormat::ND, int8_t>,
         MatmulType<TPosition::GM, CubeFormat::ND, half>,
         MatmulType<TPosition::GM, CubeFormat::ND, int32_t>>
      matmul;

  __aicore__ void Init(GM_ADDR x, GM_ADDR w, GM_ADDR scales, GM_ADDR offsets, GM_ADDR y,
                       const TCubeTiling& tiling, GM_ADDR sizes) {
    const auto* numbers = (__gm__ int32_t*)sizes;
    groups_ = numbers[0];
    depth_ = numbers[1];
    width_ = numbers[2];
    tall_ = tiling.baseM;
    wide_ = tiling.baseN;
    offsets_.SetGlobalBuffer((__gm__ int32_t*)offsets, groups_ + 1);
    const int64_t rows = offsets_.GetValue(groups_);
    x_.SetGlobalBuffer((__gm__ int8_t*)x, rows * depth_);
    w_.SetGlobalBuffer((__gm__ int8_t*)w, int64_t(groups_) * depth_ * width_);
    scales_.SetGlobalBuffer((__gm__ uint64_t*)scales, int64_t(groups_) * width_);
    y_.SetGlobalBuffer((__gm__ half*)y, rows * width_);
    matmul.SetOrgShape(int(rows), width_, depth_);
  }

  // The tiles of all groups are numbered, and dealt out in turn: a group that got most of the rows
  // is shared by all cores.
  __aicore__ void Process() {
    int turn = GetBlockIdx();
    for (int group = 0; group < groups_; ++group) {
      const int first = offsets_.GetValue(group), end = offsets_.GetValue(group + 1);
      for (int row = first; row < end; row += tall_) {
        for (int column = 0; column < width_; column += wide_) {
          if (turn == 0) Multiply(group, row, column, end);
          turn = turn == 0 ? GetBlockNum() - 1 : turn - 1;
        }
      }
    }
    matmul.End();
  }

 private:
  __aicore__ void Multiply(int group, int row, int column, int end) {
    const int64_t matrix = int64_t(group) * width_;
    const int rows = end - row < tall_ ? end - row : tall_;
    const int columns = width_ - column < wide_ ? width_ - column : wide_;
    matmul.SetSingleShape(rows, columns, depth_);
    matmul.SetTensorA(x_[int64_t(row) * depth_]);
    matmul.SetTensorB(w_[matrix * depth_ + column]);
    matmul.SetQuantVector(scales_[matrix + column]);
    matmul.IterateAll(y_[int64_t(row) * width_ + column]);
  }

  int groups_, depth_, width_;
  int tall_, wide_;  // a tile
  GlobalTensor<int8_t> x_, w_;
  GlobalTensor<uint64_t> scales_;
  GlobalTensor<int32_t> offsets_;
  GlobalTensor<half> y_;
};

extern "C" __global__ __aicore__ void grouped_matmul(GM_ADDR x, GM_ADDR w, GM_ADDR scales,
                                                     GM_ADDR offsets, GM_ADDR y, GM_ADDR tiling,
                                                     GM_ADDR sizes) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
  TCubeTiling numbers;
  auto* words = reinterpret_cast<uint32_t*>(&numbers);
  for (uint32_t i = 0; i < sizeof(TCubeTiling) / sizeof(uint32_t); ++i) {
    words[i] = reinterpret_cast<__gm__ uint32_t*>(tiling)[i];
  }
  TPipe pipe;
  GroupedMatmul kernel;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), kernel.matmul, &numbers);
  kernel.Init(x, w, scales, offsets, y, numbers, sizes);
  kernel.Process();
}
