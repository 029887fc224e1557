// A mistake for each of the tools that only tell of things.
#include "kernel_operator.h"

using namespace AscendC;

extern "C" __global__ __aicore__ void mistakes(GM_ADDR) {
  LocalTensor<float> x(TPosition::VECCALC, 0, 64);
  Duplicate(x, 1e38f, 64);
  Muls(x, x, 1e38f, 64);  // numbers: V2014
  SetVectorMask<float>(0, 1);  // state: V4013
}
