#include "kernel_operator.h"
#include <type_traits>
using namespace AscendC;
constexpr int32_t BUFFER_NUM = 2;
template<typename T> class KernelAddRmsNorm {
public:
  __aicore__ inline KernelAddRmsNorm(TPipe* p) { Ppipe = p; }
  __aicore__ inline void Init(GM_ADDR x1, GM_ADDR x2, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR rstd, GM_ADDR x, uint64_t numRow,
                              uint64_t numCol, uint32_t blockFactor, uint32_t ubFactor, float eps, float avg, bool hasBeta) {
    ASSERT(GetBlockNum() != 0 && "Block dim can not be zero!");
    this->numCol = numCol; this->eps = eps; this->avg = avg; this->hasBeta = hasBeta; this->ub = ubFactor;
    uint64_t first = (uint64_t)blockFactor * GetBlockIdx();
    rows = first + blockFactor > numRow ? numRow - first : blockFactor;
    x1Gm.SetGlobalBuffer((__gm__ T*)x1 + first * numCol, rows * numCol);
    x2Gm.SetGlobalBuffer((__gm__ T*)x2 + first * numCol, rows * numCol);
    gammaGm.SetGlobalBuffer((__gm__ T*)gamma, numCol);
    if (hasBeta) betaGm.SetGlobalBuffer((__gm__ T*)beta, numCol);
    yGm.SetGlobalBuffer((__gm__ T*)y + first * numCol, rows * numCol);
    xGm.SetGlobalBuffer((__gm__ T*)x + first * numCol, rows * numCol);
    rstdGm.SetGlobalBuffer((__gm__ float*)rstd + first, rows);
    Ppipe->InitBuffer(inQueueX, BUFFER_NUM, 2 * ub * sizeof(T));
    Ppipe->InitBuffer(inQueueGamma, 1, 2 * ub * sizeof(T));
    Ppipe->InitBuffer(outQueueY, BUFFER_NUM, ub * sizeof(T));
    Ppipe->InitBuffer(outQueueX, BUFFER_NUM, ub * sizeof(T));
    Ppipe->InitBuffer(outQueueRstd, BUFFER_NUM, 32);
    Ppipe->InitBuffer(fBuf, 3 * ub * sizeof(float));
    Ppipe->InitBuffer(rBuf, ub * sizeof(float) + 256);
  }
  __aicore__ inline void Process() {
    LocalTensor<T> g = inQueueGamma.AllocTensor<T>();
    Load(g, gammaGm);
    if (hasBeta) Load(g[ub], betaGm);
    inQueueGamma.EnQue(g);
    g = inQueueGamma.DeQue<T>();
    for (uint64_t i = 0; i < rows; i++) {
      LocalTensor<T> in = inQueueX.AllocTensor<T>();
      Load(in, x1Gm[i * numCol]);
      Load(in[ub], x2Gm[i * numCol]);
      inQueueX.EnQue(in);
      Compute(i, g);
    }
    inQueueGamma.FreeTensor(g);
  }
private:
  __aicore__ inline void Load(const LocalTensor<T>& to, const GlobalTensor<T>& from) {
    DataCopyExtParams p{1, (uint32_t)(numCol * sizeof(T)), 0, 0, 0};
    uint8_t right = (uint8_t)((ub - numCol) % (32 / sizeof(T)));
    DataCopyPadExtParams<T> pad{true, 0, right, (T)0};
    DataCopyPad(to, from, p, pad);
  }
  __aicore__ inline void Float(const LocalTensor<float>& to, const LocalTensor<T>& from) {
    if constexpr (std::is_same_v<T, float>) { Muls(to, from, 1.0f, numCol); } else { Cast(to, from, RoundMode::CAST_NONE, numCol); }
    PipeBarrier<PIPE_V>();
  }
  __aicore__ inline void Narrow(const LocalTensor<T>& to, const LocalTensor<float>& from) {
    if constexpr (std::is_same_v<T, float>) Muls(to, from, 1.0f, numCol);
    else if constexpr (std::is_same_v<T, half>) Cast(to, from, RoundMode::CAST_NONE, numCol);
    else Cast(to, from, RoundMode::CAST_RINT, numCol);
    PipeBarrier<PIPE_V>();
  }
  __aicore__ inline void Compute(uint64_t i, const LocalTensor<T>& g) {
    LocalTensor<T> in = inQueueX.DeQue<T>();
    LocalTensor<float> a = fBuf.Get<float>(), b = a[ub], c = a[2 * ub], r = rBuf.Get<float>();
    Float(a, in); Float(b, in[ub]);
    inQueueX.FreeTensor(in);
    Add(a, a, b, numCol); PipeBarrier<PIPE_V>();
    LocalTensor<T> x = outQueueX.AllocTensor<T>();
    Narrow(x, a);
    outQueueX.EnQue(x);
    Mul(b, a, a, numCol); PipeBarrier<PIPE_V>();
    Muls(b, b, avg, numCol); PipeBarrier<PIPE_V>();
    ReduceSum<float>(c, b, r, numCol); PipeBarrier<PIPE_V>();
    Adds(c, c, eps, 1); PipeBarrier<PIPE_V>();
    Sqrt(c, c, 1);
    Duplicate(b, 1.0f, 1); PipeBarrier<PIPE_V>();
    LocalTensor<float> rs = outQueueRstd.AllocTensor<float>();
    Div(rs, b, c, 1); 
    outQueueRstd.EnQue<float>(rs);
    event_t e = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
    SetFlag<HardEvent::V_S>(e); WaitFlag<HardEvent::V_S>(e);
    rs = outQueueRstd.DeQue<float>();
    float value = rs.GetValue(0);
    DataCopyPad(rstdGm[i], rs, {1, 4, 0, 0, 0});
    outQueueRstd.FreeTensor(rs);
    event_t s = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::S_V));
    SetFlag<HardEvent::S_V>(s); WaitFlag<HardEvent::S_V>(s);
    Muls(a, a, value, numCol); 
    Float(b, g);
    Mul(a, a, b, numCol); PipeBarrier<PIPE_V>();
    if (hasBeta) { Float(b, g[ub]); Add(a, a, b, numCol); PipeBarrier<PIPE_V>(); }
    LocalTensor<T> y = outQueueY.AllocTensor<T>();
    Narrow(y, a);
    outQueueY.EnQue(y);
    Store(outQueueX, xGm[i * numCol]);
    Store(outQueueY, yGm[i * numCol]);
  }
  template <typename Q> __aicore__ inline void Store(Q& q, const GlobalTensor<T>& to) {
    LocalTensor<T> l = q.template DeQue<T>();
    DataCopyPad(to, l, {1, (uint32_t)(numCol * sizeof(T)), 0, 0, 0});
    q.FreeTensor(l);
  }
  TPipe* Ppipe = nullptr;
  TQue<QuePosition::VECIN, BUFFER_NUM> inQueueX;
  TQue<QuePosition::VECIN, 1> inQueueGamma;
  TQue<QuePosition::VECOUT, BUFFER_NUM> outQueueY, outQueueX, outQueueRstd;
  TBuf<TPosition::VECCALC> fBuf, rBuf;
  GlobalTensor<T> x1Gm, x2Gm, gammaGm, betaGm, yGm, xGm;
  GlobalTensor<float> rstdGm;
  uint64_t numCol, rows; uint32_t ub; float eps, avg; bool hasBeta;
};
#define GENERAL_OP_IMPL(T)                                                                                     \
  do {                                                                                                         \
    KernelAddRmsNorm<T> op(&pipe);                                                                             \
    op.Init(x1, x2, gamma, beta, y, rstd, x, t.numRow, t.numCol, t.blockFactor, t.ubFactor, t.epsilon, t.avgFactor, t.hasBeta); \
    op.Process();                                                                                              \
  } while (0)
extern "C" __global__ __aicore__ void add_rms_norm_custom(GM_ADDR x1, GM_ADDR x2, GM_ADDR gamma, GM_ADDR beta, GM_ADDR y, GM_ADDR rstd,
                                                          GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling) {
  GET_TILING_DATA(t, tiling);
  TPipe pipe;
  if (t.kind[0] != -1 || t.kind[2] != 1) return;
  if (TILING_KEY_IS(10)) { GENERAL_OP_IMPL(half); }
  else if (TILING_KEY_IS(20)) { GENERAL_OP_IMPL(float); }
  else if (TILING_KEY_IS(30)) { GENERAL_OP_IMPL(bfloat16_t); }
}
