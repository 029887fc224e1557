#include "kernel_operator.h"
#include "mix_custom_tiling.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void mix_custom(GM_ADDR x, GM_ADDR bias, GM_ADDR sizes, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(MixTiling);
  GET_TILING_DATA(data, tiling);
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  TPipe pipe;
  TBuf<> first, second;
  pipe.InitBuffer(first, 8192);
  pipe.InitBuffer(second, 8192);
  auto local = first.Get<float>(), added = second.Get<float>();
  GlobalTensor<float> from, more, to;
  from.SetGlobalBuffer((__gm__ float*)x, data.length);
  to.SetGlobalBuffer((__gm__ float*)y, data.length);
  DataCopy(local, from, data.length);
  if (data.has_bias) {
    more.SetGlobalBuffer((__gm__ float*)bias, data.length);
    DataCopy(added, more, data.length);
  }
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Muls(local, local, data.scale, data.length);
  PipeBarrier<PIPE_V>();
  if (data.has_bias) Add(local, local, added, data.length);
  PipeBarrier<PIPE_V>();
  Adds(local, local, data.add, data.length);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(to, local, data.length);
}
