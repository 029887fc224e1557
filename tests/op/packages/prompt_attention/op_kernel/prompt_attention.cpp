#include "prompt_attention_cube.h"

template <typename T>
class PromptAttentionKernel {
 public:
  __aicore__ inline void Init(__gm__ uint8_t* q, __gm__ uint8_t* k, __gm__ uint8_t* v, __gm__ uint8_t* mask,
                              __gm__ uint8_t* out, __gm__ uint8_t* ws, const PromptAttentionTilingData* t, TPipe* pipe) {
    t_ = t;
    pipe_ = pipe;
    block_ = GetBlockIdx() / GetTaskRation();
    sub_ = GetSubBlockIdx();
    const uint64_t m = t->split.blockM, kv = t->base.kvSeq;
    q_.SetGlobalBuffer((__gm__ T*)q);
    k_.SetGlobalBuffer((__gm__ T*)k);
    v_.SetGlobalBuffer((__gm__ T*)v);
    if (mask != nullptr) { mask_.SetGlobalBuffer((__gm__ uint8_t*)mask); hasMask_ = true; }
    out_.SetGlobalBuffer((__gm__ T*)out);
    s_.SetGlobalBuffer((__gm__ float*)ws + block_ * m * kv);
    p_.SetGlobalBuffer((__gm__ T*)((__gm__ float*)ws + GetBlockNum() * m * kv) + block_ * m * kv);
    pipe->InitBuffer(in_, 1, 8 * kv * sizeof(float));
    pipe->InitBuffer(outQ_, 1, 8 * kv * sizeof(T));
    pipe->InitBuffer(maxBuf_, 8 * 32);
    pipe->InitBuffer(sumBuf_, 8 * 32);
  }
  __aicore__ inline void Process() {
    for (uint32_t task = t_->split.coreStart[block_]; task < t_->split.coreStart[block_ + 1]; ++task) One(task);
  }
  Bmm1<T> bmm1;
  Bmm2<T> bmm2;

 private:
  __aicore__ inline void One(uint32_t task) {
    const uint32_t m = t_->split.blockM, perHead = (t_->base.seq + m - 1) / m;
    const uint64_t head = task / perHead, first = task % perHead * m;
    const uint32_t rows = first + m > t_->base.seq ? t_->base.seq - first : m;
    const uint64_t d = t_->base.headDim, kv = t_->base.kvSeq;
    if (sub_ == 0) {
      bmm1.SetTensorA(q_[(head * t_->base.seq + first) * d]);
      bmm1.SetTensorB(k_[head * kv * d], true);
      bmm1.SetTail(rows, kv, d);
      bmm1.IterateAll(s_);
      bmm1.End();
    }
    SyncBoth();
    const uint32_t half_ = rows / 2, from = sub_ * half_;
    for (uint32_t r = from; r < from + half_; r += 8) Softmax(r, 8, first);
    SyncBoth();
    if (sub_ == 0) {
      bmm2.SetTensorA(p_);
      bmm2.SetTensorB(v_[head * kv * d]);
      bmm2.SetTail(rows, d, kv);
      bmm2.IterateAll(out_[(head * t_->base.seq + first) * d]);
      bmm2.End();
    }
    SyncBoth();
  }
  __aicore__ inline void SyncBoth() {
    SyncAll();
  }
  __aicore__ inline void Softmax(uint32_t row, uint32_t rows, uint64_t first) {
    const uint32_t kv = t_->base.kvSeq;
    LocalTensor<float> x = in_.AllocTensor<float>();
    DataCopy(x, s_[row * kv], rows * kv);
    in_.EnQue(x);
    x = in_.DeQue<float>();
    Muls(x, x, t_->base.scale, rows * kv);
    PipeBarrier<PIPE_V>();
    if (t_->base.causal) {
      for (uint32_t i = 0; i < rows; ++i) {
        const uint32_t legal = first + row + i + 1;
        event_t e = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
        SetFlag<HardEvent::V_S>(e);
        WaitFlag<HardEvent::V_S>(e);
        for (uint32_t c = legal; c < kv; ++c) x.SetValue(i * kv + c, -1e30f);
        event_t f = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::S_V));
        SetFlag<HardEvent::S_V>(f);
        WaitFlag<HardEvent::S_V>(f);
      }
    }
    LocalTensor<float> max = maxBuf_.Get<float>(), sum = sumBuf_.Get<float>();
    SoftMaxShapeInfo info{rows, kv, rows, kv};
    SoftMax<float, true>(x, sum, max, x, t_->softmaxTilingDataRect, info);
    PipeBarrier<PIPE_V>();
    LocalTensor<T> y = outQ_.AllocTensor<T>();
    Cast(y, x, RoundMode::CAST_ROUND, rows * kv);
    in_.FreeTensor(x);
    outQ_.EnQue(y);
    y = outQ_.DeQue<T>();
    DataCopy(p_[row * kv], y, rows * kv);
    outQ_.FreeTensor(y);
  }
  const PromptAttentionTilingData* t_;
  TPipe* pipe_;
  uint32_t block_ = 0, sub_ = 0;
  bool hasMask_ = false;
  GlobalTensor<T> q_, k_, v_, out_, p_;
  GlobalTensor<float> s_;
  GlobalTensor<uint8_t> mask_;
  TQue<TPosition::VECIN, 1> in_;
  TQue<TPosition::VECOUT, 1> outQ_;
  TBuf<> maxBuf_, sumBuf_;
};

extern "C" __global__ __aicore__ void prompt_attention(__gm__ uint8_t* query, __gm__ uint8_t* key, __gm__ uint8_t* value,
                                                       __gm__ uint8_t* attenMask, __gm__ uint8_t* attentionOut,
                                                       __gm__ uint8_t* workspace, __gm__ uint8_t* tiling) {
  GET_TILING_DATA(tilingData, tiling);
  const PromptAttentionTilingData* __restrict tiling_data = &tilingData;
  const TCubeTiling* __restrict bmm1tiling = &(tiling_data->bmm1TilingDataRect);
  const TCubeTiling* __restrict bmm2tiling = &(tiling_data->bmm2TilingDataRect);
  __gm__ uint8_t* user = GetUserWorkspace(workspace);
  TPipe tPipe;
  if (TILING_KEY_IS(1001)) {
    PromptAttentionKernel<half> op;
    REGIST_MATMUL_OBJ(&tPipe, GetSysWorkSpacePtr(), op.bmm1, bmm1tiling, op.bmm2, bmm2tiling);
    op.Init(query, key, value, attenMask, attentionOut, user, tiling_data, &tPipe);
    op.Process();
  }
}
