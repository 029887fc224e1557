// What kernels share of which a launch can leave something out: their last parameter says its number.
#pragma once

#include "kernel_operator.h"

using namespace AscendC;

#define UNLESS(number) if (left_out != number)

template <class T>
__aicore__ inline GlobalTensor<T> global(GM_ADDR address) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(address));
  return tensor;
}

template <class T>
__aicore__ inline LocalTensor<T> local(TPosition position, uint32_t address, uint32_t count) {
  return LocalTensor<T>(position, address, count);
}
