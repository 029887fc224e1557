// Products of rows that are no whole datablocks, in UB: by IterateBatch, and fetched behind IterateNBatch.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

using namespace AscendC;

#ifndef FORMAT
#define FORMAT ND_ALIGN
#endif
constexpr auto kLayout = LayoutMode::BNGS1S2;
using In = MatmulType<TPosition::GM, CubeFormat::ND, half, false, kLayout>;
using Out = MatmulType<TPosition::VECIN, CubeFormat::FORMAT, float, false, kLayout>;
constexpr MatmulConfig several() {
  MatmulConfig config = CFG_NORM;
  config.isNBatch = true;
  return config;
}
constexpr MatmulConfig kSeveral = several();

extern "C" __global__ __aicore__ void matmul_batch_align(__gm__ half* a, __gm__ half* b, __gm__ TCubeTiling* tiling,
                                                         __gm__ float* c, __gm__ float* work, int32_t batch) {
  TPipe pipe;
  TCubeTiling t = *tiling;
  Matmul<In, In, Out, Out> mm;
  Matmul<In, In, Out, Out, kSeveral> rounds;
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, &t, rounds, &t);
  GlobalTensor<half> left, right;
  GlobalTensor<float> out, room;
  left.SetGlobalBuffer(a);
  right.SetGlobalBuffer(b);
  out.SetGlobalBuffer(c);
  room.SetGlobalBuffer(work);
  const uint32_t elements = batch * t.singleCoreM * ((t.singleCoreN + 7) / 8 * 8);
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, elements * sizeof(float));
  const auto pass_on = [&](const GlobalTensor<float>& to, auto fill) {
    LocalTensor<float> local = queue.AllocTensor<float>();
    fill(local);
    queue.EnQue(local);
    local = queue.DeQue<float>();
    DataCopy(to, local, elements);
    queue.FreeTensor(local);
  };
  mm.SetTensorA(left);
  mm.SetTensorB(right);
  pass_on(out, [&](const LocalTensor<float>& local) { mm.IterateBatch(local, batch, batch, true); });  // HERE
  mm.End();
  rounds.SetWorkspace(room);
  rounds.SetTensorA(left);
  rounds.SetTensorB(right);
  rounds.IterateNBatch<false>(2, batch, batch, false);
  for (int i = 1; i < 3; ++i) {
    pass_on(out[i * elements], [&](const LocalTensor<float>& local) {
      rounds.GetBatchTensorC<false>(local, batch, batch);
      rounds.WaitIterateBatch();
    });
  }
  rounds.End();
}
