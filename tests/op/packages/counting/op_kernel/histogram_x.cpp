#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void histogram_x(GM_ADDR x, GM_ADDR counts, GM_ADDR largest, GM_ADDR halves,
                                                  GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  GET_TILING_DATA(t, tiling);
  TPipe pipe;
  TQue<QuePosition::VECOUT, 1> out;
  pipe.InitBuffer(out, 1, (t.bins * sizeof(int32_t) + 31) / 32 * 32 + 32);
  LocalTensor<int32_t> bins = out.AllocTensor<int32_t>();
  const uint32_t largestAt = (t.bins + 7) / 8 * 8;
  GlobalTensor<int32_t> xGm, countsGm, largestGm;
  GlobalTensor<half> halvesGm;
  xGm.SetGlobalBuffer((__gm__ int32_t*)x, t.count);
  countsGm.SetGlobalBuffer((__gm__ int32_t*)counts, t.bins);
  largestGm.SetGlobalBuffer((__gm__ int32_t*)largest, 8);
  halvesGm.SetGlobalBuffer((__gm__ half*)halves, 8);
  for (uint32_t i = 0; i < largestAt; ++i) bins.SetValue(i, 0);
  int32_t most = -1000000;
  const uint32_t start = GetBlockIdx() * t.perCore;
  const uint32_t end = start + t.perCore < t.count ? start + t.perCore : t.count;
  for (uint32_t i = start; i < end; ++i) {
    const int32_t value = xGm.GetValue(i);
    if (value >= 0 && value < int32_t(t.bins)) bins.SetValue(value, bins.GetValue(value) + 1);
    if (value > most) most = value;
  }
  for (uint32_t i = 0; i < 8; ++i) bins.SetValue(largestAt + i, most);
  out.EnQue(bins);
  bins = out.DeQue<int32_t>();
  SetAtomicAdd<int32_t>();
  DataCopyPad(countsGm, bins, {1, uint32_t(t.bins * sizeof(int32_t)), 0, 0, 0});
  SetAtomicNone();
  PipeBarrier<PIPE_MTE3>();
  SetAtomicMax<int32_t>();
  DataCopy(largestGm, bins[largestAt], 8);
  SetAtomicNone();
  out.FreeTensor(bins);
}
