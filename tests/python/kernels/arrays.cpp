// Kernels on arrays.
#include <unistd.h>

#include "kernel_operator.h"

using namespace AscendC;

// out = x + y, by as many blocks as there are, `count` numbers each.
template <class T>
__aicore__ inline void add_blocks(GM_ADDR x, GM_ADDR y, GM_ADDR out, int32_t count) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in;
  TQue<QuePosition::VECOUT, 1> sums;
  pipe.InitBuffer(in, 2, count * sizeof(T));
  pipe.InitBuffer(sums, 1, count * sizeof(T));
  GlobalTensor<T> gx, gy, gout;
  const int64_t start = GetBlockIdx() * count;
  gx.SetGlobalBuffer((__gm__ T*)x + start, count);
  gy.SetGlobalBuffer((__gm__ T*)y + start, count);
  gout.SetGlobalBuffer((__gm__ T*)out + start, count);
  for (const GlobalTensor<T>& source : {gx, gy}) {
    LocalTensor<T> local = in.AllocTensor<T>();
    DataCopy(local, source, count);
    in.EnQue(local);
  }
  LocalTensor<T> a = in.DeQue<T>(), b = in.DeQue<T>(), sum = sums.AllocTensor<T>();
  Add(sum, a, b, count);
  sums.EnQue(sum);
  in.FreeTensor(a);
  in.FreeTensor(b);
  sum = sums.DeQue<T>();
  DataCopy(gout, sum, count);
  sums.FreeTensor(sum);
}

extern "C" __global__ __aicore__ void add_half(GM_ADDR x, GM_ADDR y, GM_ADDR out, int32_t count) {
  add_blocks<half>(x, y, out, count);
}
extern "C" __global__ __aicore__ void add_float(GM_ADDR x, GM_ADDR y, GM_ADDR out, int32_t count) {
  add_blocks<float>(x, y, out, count);
}

// What the chip is, as far as a kernel can see.
extern "C" __global__ __aicore__ void chip(GM_ADDR out) {
  out[0] = __NPU_ARCH__ / 100;
  out[1] = __NPU_ARCH__ % 100;
}

// A warning, V2009: eight datablocks in one place.
extern "C" __global__ __aicore__ void warns(GM_ADDR) {
  LocalTensor<half> tensor(TPosition::VECCALC, 0, 128);
  const LocalTensor<half> source(TPosition::VECCALC, 1024, 128);
  Duplicate(source, half(1), 128);
  Add(tensor, source, source, 128, 1, {0, 1, 1, 8, 8, 8});
}

static int calls = 0;
// Its variables are as they are at the start, in each launch.
extern "C" __global__ __aicore__ void counts_calls(GM_ADDR out) { out[0] = uint8_t(++calls); }

// Where it runs.
extern "C" __global__ __aicore__ void process(GM_ADDR out) {
  *reinterpret_cast<__gm__ int32_t*>(out) = getpid();
}
