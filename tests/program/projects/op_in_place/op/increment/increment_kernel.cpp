#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void increment(GM_ADDR x, GM_ADDR same, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  if (workspace != nullptr) return;  // none was asked for
  TPipe pipe;
  TBuf<> buffer;
  pipe.InitBuffer(buffer, 8192);
  auto local = buffer.Get<int32_t>();
  GlobalTensor<int32_t> from, to;
  from.SetGlobalBuffer((__gm__ int32_t*)x, data.length);
  to.SetGlobalBuffer((__gm__ int32_t*)same, data.length);
  DataCopy(local, from, data.length);
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Adds(local, local, 1, data.length);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(to, local, data.length);
}
