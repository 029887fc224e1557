// What kernels on several cores work with: parts of GM and UB, and copies between them. What HERE name
// does is in no order with what THERE name does on another core.
#pragma once

#include "kernel_operator.h"

using namespace AscendC;

#define UNLESS(wrong) if (!(wrong))

namespace {

constexpr uint32_t kPart = 64;  // floats

__aicore__ inline GlobalTensor<float> global(GM_ADDR address, uint32_t first = 0) {
  GlobalTensor<float> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(address) + first);
  return tensor;
}

__aicore__ inline GlobalTensor<int32_t> words(GM_ADDR address) {
  GlobalTensor<int32_t> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(address));
  return tensor;
}

__aicore__ inline LocalTensor<float> part(uint32_t number = 0) {
  return LocalTensor<float>(TPosition::VECCALC, number * kPart * 4, kPart);
}

// Sets a part of UB to a value, for a copy that follows.
__aicore__ inline void fill(LocalTensor<float> to, float value) {
  PipeBarrier<PIPE_ALL>();
  Duplicate(to, value, kPart);
  PipeBarrier<PIPE_ALL>();
}

__aicore__ inline void copy(GlobalTensor<float> to, GlobalTensor<float> from) {
  PipeBarrier<PIPE_ALL>();
  DataCopy(part(), from, kPart);  // HERE copy
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, part(), kPart);  // HERE copied, THERE copied
  PipeBarrier<PIPE_ALL>();
}

}  // namespace
