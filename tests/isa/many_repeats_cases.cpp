// A product of floats of 64 KB of UB, by numbers that the launch says.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kBytes = 65536, kFloats = kBytes / sizeof(float);

// how: dst, src0 and src1 (elements), mask, repeats, three block strides, three repeat strides.
extern "C" __global__ __aicore__ void product(GM_ADDR before, GM_ADDR how, GM_ADDR after) {
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer((__gm__ float*)before, kFloats);
  to.SetGlobalBuffer((__gm__ float*)after, kFloats);
  const auto* n = (__gm__ int32_t*)how;
  LocalTensor<float> ub(TPosition::VECCALC, 0, kFloats);
  DataCopy(ub, from, kFloats);
  PipeBarrier<PIPE_ALL>();
  Mul(ub[n[0]], ub[n[1]], ub[n[2]], uint64_t(n[3]), uint8_t(n[4]),
      BinaryRepeatParams(n[5], n[6], n[7], n[8], n[9], n[10]));
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, ub, kFloats);
}
