#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void shift_custom(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 8192);
  GlobalTensor<DTYPE_X> from;
  GlobalTensor<DTYPE_Y> to;
  from.SetGlobalBuffer((__gm__ DTYPE_X*)x + GetBlockIdx() * data.length, data.length);
  to.SetGlobalBuffer((__gm__ DTYPE_Y*)y + GetBlockIdx() * data.length, data.length);
  auto local = queue.AllocTensor<DTYPE_X>();
  DataCopy(local, from, data.length);
  queue.EnQue(local);
  local = queue.DeQue<DTYPE_X>();
  SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
  Adds(local, local, (DTYPE_X)data.by, data.length);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(to, local, data.length);
  queue.FreeTensor(local);
}
