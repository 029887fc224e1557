// The softmax of 1024 rows of 1024 floats in eight blocks, row by row.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kColumns = 1024, kRows = 128;  // of one block

extern "C" __global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in_queue;
  TQue<TPosition::VECOUT, 1> out_queue;
  TBuf<TPosition::VECCALC> work_buffer;
  pipe.InitBuffer(in_queue, 1, kColumns * sizeof(float));
  pipe.InitBuffer(out_queue, 1, kColumns * sizeof(float));
  pipe.InitBuffer(work_buffer, 2 * kColumns * sizeof(float));
  LocalTensor<float> work = work_buffer.Get<float>();
  GlobalTensor<float> from, to;
  const uint32_t first = GetBlockIdx() * kRows * kColumns;
  from.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x) + first, kRows * kColumns);
  to.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y) + first, kRows * kColumns);
  for (uint32_t row = 0; row < kRows; ++row) {
    LocalTensor<float> in = in_queue.AllocTensor<float>();
    DataCopy(in, from[row * kColumns], kColumns);
    in_queue.EnQue(in);
    in = in_queue.DeQue<float>();
    LocalTensor<float> out = out_queue.AllocTensor<float>();
    ReduceMax(work, in, work[kColumns], kColumns);
    PipeBarrier<PIPE_ALL>();
    Adds(out, in, -work.GetValue(0), kColumns);
    PipeBarrier<PIPE_V>();
    Exp(out, out, kColumns);
    PipeBarrier<PIPE_V>();
    ReduceSum(work, out, work[kColumns], kColumns);
    PipeBarrier<PIPE_ALL>();
    Muls(out, out, 1.0f / work.GetValue(0), kColumns);
    out_queue.EnQue(out);
    in_queue.FreeTensor(in);
    out = out_queue.DeQue<float>();
    DataCopy(to[row * kColumns], out, kColumns);
    out_queue.FreeTensor(out);
  }
}
