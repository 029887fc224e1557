// Kernels whose results depend on when instructions run, unless a parameter says otherwise.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kCount = 128;

// A tensor of fives behind which everything has ended, and one for a result.
struct Tensors {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  LocalTensor<float> fives, result;
  Tensors() {
    pipe.InitBuffer(buffer, 2 * kCount * sizeof(float));
    fives = buffer.Get<float>();
    result = fives[kCount];
    Duplicate(fives, 5.0f, kCount);
    PipeBarrier<PIPE_ALL>();
  }
};

GlobalTensor<float> gm(GM_ADDR address) {
  GlobalTensor<float> tensor;
  tensor.SetGlobalBuffer((__gm__ float*)address, kCount);
  return tensor;
}

void copy_out(GM_ADDR y, const LocalTensor<float>& tensor) {
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(gm(y), tensor, kCount);
}

// y = x + 1 if the copy is waited for; 6 where V comes first.
extern "C" __global__ __aicore__ void add_one(GM_ADDR x, GM_ADDR y, int32_t waits) {
  Tensors tensors;
  DataCopy(tensors.fives, gm(x), kCount);
  if (waits != 0) {
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
  }
  Adds(tensors.result, tensors.fives, 1.0f, kCount);
  copy_out(y, tensors.result);
}

// y[0] = 6 where scalar code sees what V was given, which the vendor's compiler orders; else 5.
extern "C" __global__ __aicore__ void looks(GM_ADDR y) {
  Tensors tensors;
  Adds(tensors.fives, tensors.fives, 1.0f, kCount);
  *(__gm__ float*)y = tensors.fives.GetValue(0);
}

// As add_one without waiting; what is printed shows how often it runs.
extern "C" __global__ __aicore__ void talks(GM_ADDR x, GM_ADDR y) {
  AscendC::printf("one run\n");
  add_one(x, y, 0);
}

// Takes as many elements as the first of what was copied, which is 5 where V comes first: more
// than there are, unless it is waited for.
extern "C" __global__ __aicore__ void counts(GM_ADDR x, GM_ADDR y) {
  Tensors tensors;
  DataCopy(tensors.fives, gm(x), kCount);
  const float first = tensors.fives.GetValue(0);
  Duplicate(tensors.result, 1.0f, first == 5.0f ? 100 * kCount : kCount);
  copy_out(y, tensors.result);
}

// Ends unless V comes first.
extern "C" __global__ __aicore__ void spins(GM_ADDR x, GM_ADDR y) {
  Tensors tensors;
  DataCopy(tensors.fives, gm(x), kCount);
  volatile uint32_t* rounds = reinterpret_cast<__gm__ uint32_t*>(y);
  while (tensors.fives.GetValue(0) == 5.0f) *rounds = *rounds + 1;
}
