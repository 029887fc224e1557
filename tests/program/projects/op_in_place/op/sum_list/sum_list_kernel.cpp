#include "kernel_operator.h"
#include "sum_list_tiling.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sum_list(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(SumListTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  TBuf<> first, second;
  pipe.InitBuffer(first, 8192);
  pipe.InitBuffer(second, 8192);
  auto sum = first.Get<int32_t>(), one = second.Get<int32_t>();
  GlobalTensor<int32_t> from, to;
  Duplicate(sum, 0, data.length);
  // The pointers begin where the first word says.
  __gm__ uint64_t* pointers = (__gm__ uint64_t*)(x + *(__gm__ uint64_t*)x);
  for (uint32_t i = 0; i < data.count; ++i) {
    from.SetGlobalBuffer((__gm__ int32_t*)pointers[i], data.length);
    DataCopy(one, from, data.length);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(sum, sum, one, data.length);
    SetFlag<HardEvent::V_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE2>(EVENT_ID0);
  }
  to.SetGlobalBuffer((__gm__ int32_t*)y, data.length);
  SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
  WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
  DataCopy(to, sum, data.length);
}
