#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void row_norm(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                               GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  const uint32_t columns = t.last, count = t.norm.sLength * columns;
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffers[7];
  const uint32_t bytes[] = {count * 4, count * 4, 1024, 1024, columns * 4, columns * 4, t.scratch};
  LocalTensor<float> tensors[6];
  for (int i = 0; i < 7; ++i) {
    pipe.InitBuffer(buffers[i], bytes[i]);
    if (i < 6) tensors[i] = buffers[i].Get<float>();
  }
  const LocalTensor<uint8_t> scratch = buffers[6].Get<uint8_t>();
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer((__gm__ float*)x, count);
  to.SetGlobalBuffer((__gm__ float*)y, count);
  DataCopy(tensors[0], from, count);
  Duplicate(tensors[4], 1.0f, columns);
  Duplicate(tensors[5], 0.0f, columns);
  PipeBarrier<PIPE_ALL>();
  LayerNorm(tensors[1], tensors[2], tensors[3], tensors[0], tensors[4], tensors[5], scratch,
            t.epsilon, t.norm);
  PipeBarrier<PIPE_V>();
  SoftMax<float>(tensors[0], tensors[1], scratch, t.softmax);
  PipeBarrier<PIPE_V>();
  Muls(tensors[1], tensors[0], float(t.product.N), count);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, tensors[1], count);
}
