// Flags between pipes, each kernel legal for one `n` and a fault for another. `HERE name` marks the
// line of kernel `name` where the fault must be reported.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void wait_without_set(GM_ADDR, int64_t n) {
  if (n == 0) SetFlag<HardEvent::MTE2_V>(3);
  WaitFlag<HardEvent::MTE2_V>(3);  // HERE wait_without_set
}

extern "C" __global__ __aicore__ void wait_for_another(GM_ADDR, int64_t n) {
  SetFlag<HardEvent::V_MTE3>(0);
  if (n != 0) WaitFlag<HardEvent::V_MTE3>(n);  // HERE wait_for_another
  WaitFlag<HardEvent::V_MTE3>(0);
}

extern "C" __global__ __aicore__ void set_twice(GM_ADDR, int64_t n) {
  SetFlag<HardEvent::MTE1_M>(1);
  if (n == 0) WaitFlag<HardEvent::MTE1_M>(1);
  SetFlag<HardEvent::MTE1_M>(1);  // HERE set_twice
  WaitFlag<HardEvent::MTE1_M>(1);
}

extern "C" __global__ __aicore__ void left_set(GM_ADDR, int64_t n) {
  SetFlag<HardEvent::M_V>(2);  // HERE left_set
  if (n == 0) WaitFlag<HardEvent::M_V>(2);
}

extern "C" __global__ __aicore__ void set_id(GM_ADDR, int64_t n) {
  SetFlag<HardEvent::S_V>(n);  // HERE set_id
  if (n == 7) WaitFlag<HardEvent::S_V>(n);
}

extern "C" __global__ __aicore__ void wait_id(GM_ADDR, int64_t n) {
  SetFlag<HardEvent::S_V>(7);
  WaitFlag<HardEvent::S_V>(n);  // HERE wait_id
  if (n != 7) WaitFlag<HardEvent::S_V>(7);
}

extern "C" __global__ __aicore__ void many_ids(GM_ADDR, int64_t n) {
  TPipe pipe;
  for (int64_t i = 0; i < n; ++i) {
    pipe.AllocEventID<HardEvent::MTE2_V>();  // HERE many_ids
  }
  for (int64_t i = 0; i < n && i < 8; ++i) pipe.ReleaseEventID<HardEvent::MTE2_V>(i);
}

extern "C" __global__ __aicore__ void release_id(GM_ADDR, int64_t n) {
  TPipe pipe;
  const TEventID id = pipe.AllocEventID<HardEvent::V_S>();
  pipe.ReleaseEventID<HardEvent::V_S>(id + n);  // HERE release_id
  if (n != 0) pipe.ReleaseEventID<HardEvent::V_S>(id);
}

extern "C" __global__ __aicore__ void wait_for_core(GM_ADDR, int64_t n) {
  if (n == 0) CrossCoreSetFlag<2, PIPE_V>(4);
  CrossCoreWaitFlag(4);  // HERE wait_for_core
}

extern "C" __global__ __aicore__ void count_for_core(GM_ADDR, int64_t n) {
  for (int64_t i = 0; i < n; ++i) CrossCoreSetFlag<2, PIPE_V>(4);  // HERE count_for_core
  for (int64_t i = 0; i < n; ++i) CrossCoreWaitFlag(4);
}
