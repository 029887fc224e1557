// Forms of Matmul's methods that are seldom used, one for each AIV: A as one number, a tile to GM and
// UB at once, a batch to UB, batches that are fetched to UB.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

template <class T>
__aicore__ GlobalTensor<T> at(GM_ADDR memory, uint32_t bytes) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(memory + bytes));
  return tensor;
}

template <class T, CubeFormat format = CubeFormat::ND, LayoutMode layout = LayoutMode::NONE>
using In = MatmulType<TPosition::GM, format, T, false, layout>;
template <LayoutMode layout = LayoutMode::NONE>
using Out = MatmulType<TPosition::VECIN, CubeFormat::ND, float, false, layout>;

constexpr MatmulConfig n_batches() {
  MatmulConfig config = CFG_NORM;
  config.isNBatch = true;
  return config;
}
constexpr MatmulConfig kBatches = n_batches();

// `fill(local)` brings `count` elements to UB, and they go on to `to`.
template <class F>
__aicore__ void through_ub(TPipe& pipe, const GlobalTensor<float>& to, uint32_t count, F fill) {
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, count * sizeof(float));
  LocalTensor<float> local = queue.AllocTensor<float>();
  fill(local);
  queue.EnQue(local);
  local = queue.DeQue<float>();
  DataCopyPad(to, local, DataCopyExtParams{1, uint32_t(count * sizeof(float)), 0, 0, 0});
  queue.FreeTensor(local);
}

extern "C" __global__ __aicore__ void matmul_forms(GM_ADDR a, GM_ADDR b, GM_ADDR tilings,
                                                   GM_ADDR out, GM_ADDR work, int32_t room,
                                                   int32_t rows_of_scalar) {
  TPipe pipe;
  const auto* tiling = reinterpret_cast<const TCubeTiling*>(tilings);
  constexpr auto NORMAL = LayoutMode::NORMAL, BSNGD = LayoutMode::BSNGD;
  using Half = In<half>;
  Matmul<In<half, CubeFormat::SCALAR>, Half, In<float>> scalar;
  Matmul<Half, Half, Out<>> tiles;
  Matmul<In<half, CubeFormat::ND, NORMAL>, In<half, CubeFormat::ND, NORMAL>, Out<NORMAL>> batch;
  Matmul<In<half, CubeFormat::ND, BSNGD>, In<half, CubeFormat::ND, BSNGD>, Out<BSNGD>, Out<BSNGD>,
         kBatches>
      batches;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), scalar, tiling, tiles, tiling + 1, batch,
                    tiling + 2, batches, tiling + 3);
  const uint32_t block = GetBlockIdx();
  const auto left = at<half>(a, block * room), right = at<half>(b, block * room);
  const auto result = at<float>(out, block * room);
  const TCubeTiling& mine = tiling[block];
  const uint32_t c = mine.singleCoreM * mine.singleCoreN;
  if (block == 0) {
    scalar.SetSingleShape(rows_of_scalar, mine.singleCoreN, mine.singleCoreK);
    scalar.SetTensorA(half(3));
    scalar.SetTensorB(right);
    scalar.IterateAll(result);
    scalar.End();
  } else if (block == 1) {
    tiles.SetTensorA(left);
    tiles.SetTensorB(right);
    tiles.Iterate();
    through_ub(pipe, result[c], c, [&](const LocalTensor<float>& local) {
      tiles.GetTensorC(result, local);
    });
    GlobalTensor<float> memory = at<float>(work, 2 * room);
    tiles.SetWorkspace(memory);
    tiles.SetTensorA(left);
    tiles.SetTensorB(right);
    tiles.Iterate<false>();
    through_ub(pipe, result[3 * c], c, [&](const LocalTensor<float>& local) {
      tiles.GetTensorC<false>(result[2 * c], local);
    });
    tiles.End();
  } else if (block == 2) {
    batch.SetTensorA(left);
    batch.SetTensorB(right);
    through_ub(pipe, result, 3 * c, [&](const LocalTensor<float>& local) {
      batch.IterateBatch(local, 3, 3, false);
    });
    batch.End();
  } else {
    GlobalTensor<uint8_t> memory = at<uint8_t>(work, 0);
    batches.SetWorkspace(memory);
    batches.SetTensorA(left);
    batches.SetTensorB(right);
    batches.IterateNBatch<false>(2, 2, 2, false);
    for (uint32_t i = 0; i < 2; ++i) {
      through_ub(pipe, result[2 * i * c], 2 * c, [&](const LocalTensor<float>& local) {
        batches.GetBatchTensorC(local, 2, 2);
      });
    }
    batches.End();
  }
}
