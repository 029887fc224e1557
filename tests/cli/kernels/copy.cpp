// One kernel: out[i] = in[i] for `bytes` bytes, in scalar code.
#include "kernel_operator.h"

extern "C" __global__ __aicore__ void copy(GM_ADDR in, GM_ADDR out, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i) out[i] = in[i];
}
