#include "kernel_operator.h"
using namespace AscendC;

// A row at a time: exp(x - max) / sum, all of it in UB.
class KernelSoftmax {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, const SoftmaxRowsTilingData& t, TPipe* pipe) {
    tiling = t;
    xGm.SetGlobalBuffer((__gm__ float*)x, t.rows * t.columns);
    yGm.SetGlobalBuffer((__gm__ float*)y, t.rows * t.columns);
    const uint32_t bytes = (t.columns + 7) / 8 * 32;
    pipe->InitBuffer(inQue, 1, bytes);
    pipe->InitBuffer(outQue, 1, bytes);
    pipe->InitBuffer(workBuf, bytes + 32);
    pipe->InitBuffer(resultBuf, 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t row = GetBlockIdx(); row < tiling.rows; row += GetBlockNum()) {
      CopyIn(row);
      Compute();
      CopyOut(row);
    }
  }

 private:
  __aicore__ inline void CopyIn(uint32_t row) {
    LocalTensor<float> x = inQue.AllocTensor<float>();
    const uint8_t tail = (8 - tiling.columns % 8) % 8;
    DataCopyPad(x, xGm[row * tiling.columns],
                DataCopyExtParams{1, uint32_t(tiling.columns * sizeof(float)), 0, 0, 0},
                DataCopyPadExtParams<float>{true, 0, tail, 0.0f});
    inQue.EnQue(x);
  }
  __aicore__ inline float Scalar(const LocalTensor<float>& result) {
    const auto event = GetTPipePtr()->FetchEventID(HardEvent::V_S);
    SetFlag<HardEvent::V_S>(event);
    WaitFlag<HardEvent::V_S>(event);
    return result.GetValue(0);
  }
  __aicore__ inline void Compute() {
    const uint32_t n = tiling.columns;
    LocalTensor<float> x = inQue.DeQue<float>();
    LocalTensor<float> y = outQue.AllocTensor<float>();
    LocalTensor<float> work = workBuf.Get<float>(), result = resultBuf.Get<float>();
    Muls(x, x, tiling.scale, n);
    ReduceMax(result, x, work, n);
    Adds(y, x, -Scalar(result), n);
    Exp(y, y, n);
    ReduceSum(result, y, work, n);
    Muls(y, y, 1.0f / Scalar(result), n);
    inQue.FreeTensor(x);
    outQue.EnQue(y);
  }
  __aicore__ inline void CopyOut(uint32_t row) {
    LocalTensor<float> y = outQue.DeQue<float>();
    DataCopyPad(yGm[row * tiling.columns], y,
                DataCopyExtParams{1, uint32_t(tiling.columns * sizeof(float)), 0, 0, 0});
    outQue.FreeTensor(y);
  }

  SoftmaxRowsTilingData tiling;
  TQue<TPosition::VECIN, 1> inQue;
  TQue<TPosition::VECOUT, 1> outQue;
  TBuf<TPosition::VECCALC> workBuf, resultBuf;
  GlobalTensor<float> xGm, yGm;
};

extern "C" __global__ __aicore__ void softmax_rows(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                   GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  TPipe pipe;
  KernelSoftmax op;
  op.Init(x, y, t, &pipe);
  op.Process();
}
