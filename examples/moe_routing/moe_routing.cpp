// Which experts see a token: of 64 experts the 8 with the largest softmax of the token's scores.
//
//   scores   [tokens, 64] half
//   weights  [tokens, 8] float: the softmax of the chosen ones, the largest first
//   experts  [tokens, 8] int32: which they are; of equals the first
//   counts   [64] int32: how many tokens each expert gets
//   what     tokens, and whether the weights of a token are divided by their sum, as uint32
//
// 64 floats are one repeat of a vector instruction and 8 are one datablock, so that the softmax of
// many tokens takes as many instructions as that of one. docs/guide/moe.md.
#include "kernel_operator.h"

using namespace AscendC;

constexpr uint32_t kExperts = 64;
constexpr uint32_t kChosen = 8;
constexpr uint32_t kTokens = 64;  // of a tile
constexpr uint32_t kRecord = 2;   // floats of a record that Sort32 makes: a score and its index

class MoeRouting {
 public:
  __aicore__ void Init(GM_ADDR scores, GM_ADDR weights, GM_ADDR experts, GM_ADDR counts,
                       uint32_t tokens, bool divided) {
    tokens_ = tokens;
    divided_ = divided;
    scores_.SetGlobalBuffer((__gm__ half*)scores, uint64_t(tokens) * kExperts);
    weights_.SetGlobalBuffer((__gm__ float*)weights, uint64_t(tokens) * kChosen);
    experts_.SetGlobalBuffer((__gm__ int32_t*)experts, uint64_t(tokens) * kChosen);
    counts_.SetGlobalBuffer((__gm__ int32_t*)counts, kExperts);
    pipe_.InitBuffer(in_, 2, kTokens * kExperts * sizeof(half));
    pipe_.InitBuffer(out_, 2, 2 * kTokens * kChosen * sizeof(float));
    pipe_.InitBuffer(tally_, kExperts * sizeof(int32_t));
    pipe_.InitBuffer(power_, kTokens * kExperts * sizeof(float));
    pipe_.InitBuffer(column_, kTokens * sizeof(float));
    pipe_.InitBuffer(wide_, kTokens * 32);
    pipe_.InitBuffer(places_, kExperts * sizeof(int32_t));
    pipe_.InitBuffer(sorted_, kExperts * kRecord * sizeof(float));
    pipe_.InitBuffer(chosen_, (kTokens + 1) * kChosen * kRecord * sizeof(float));
  }

  __aicore__ void Process() {
    LocalTensor<int32_t> tally = tally_.Get<int32_t>();
    Duplicate(tally, 0, kExperts);
    if (GetBlockIdx() == 0) Clear(tally);
    SyncAll();  // nobody adds before the zeros are there
    CreateVecIndex(places_.Get<int32_t>(), 0, kExperts);
    for (uint32_t at = GetBlockIdx() * kTokens; at < tokens_; at += GetBlockNum() * kTokens) {
      count_ = tokens_ - at < kTokens ? tokens_ - at : kTokens;
      Load(at);
      Softmax();
      Choose(tally);
      Store(at);
    }
    Report(tally);
  }

 private:
  __aicore__ void Clear(const LocalTensor<int32_t>& zeros) {
    const auto event = GetTPipePtr()->FetchEventID(HardEvent::V_MTE3);
    SetFlag<HardEvent::V_MTE3>(event);
    WaitFlag<HardEvent::V_MTE3>(event);
    DataCopy(counts_, zeros, kExperts);
    const auto back = GetTPipePtr()->FetchEventID(HardEvent::MTE3_S);
    SetFlag<HardEvent::MTE3_S>(back);
    WaitFlag<HardEvent::MTE3_S>(back);
  }

  __aicore__ void Load(uint32_t at) {
    LocalTensor<half> scores = in_.AllocTensor<half>();
    DataCopy(scores, scores_[uint64_t(at) * kExperts], count_ * kExperts);
    in_.EnQue(scores);
  }

  // Each token is a repeat of 64 lanes. One number for each token becomes a datablock of it (Brcb),
  // and this serves all eight datablocks of a repeat: its block stride is 0.
  __aicore__ void Softmax() {
    LocalTensor<half> scores = in_.DeQue<half>();
    LocalTensor<float> power = power_.Get<float>(), column = column_.Get<float>(),
                       wide = wide_.Get<float>();
    const BinaryRepeatParams each(1, 1, 0, 8, 8, 1);
    const uint8_t eighths = (count_ + 7) / 8;
    Cast(power, scores, RoundMode::CAST_NONE, count_ * kExperts);
    in_.FreeTensor(scores);
    WholeReduceMax(column, power, kExperts, count_, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    Brcb(wide, column, eighths, {1, 8});
    Sub(power, power, wide, kExperts, count_, each);
    Exp(power, power, count_ * kExperts);
    WholeReduceSum(column, power, kExperts, count_, 1, 1, 8);
    Brcb(wide, column, eighths, {1, 8});
    Div(power, power, wide, kExperts, count_, each);
  }

  // The chosen ones of each token. Sort32 sorts each half of the experts; the 8 best of both, merged,
  // begin with the 8 best of all. The other 8 records the next token writes over.
  __aicore__ void Choose(const LocalTensor<int32_t>& tally) {
    LocalTensor<float> power = power_.Get<float>(), sorted = sorted_.Get<float>(),
                       chosen = chosen_.Get<float>();
    LocalTensor<uint32_t> places = places_.Get<uint32_t>();
    const uint16_t lengths[4] = {kChosen, kChosen, 0, 0};
    for (uint32_t token = 0; token < count_; ++token) {
      Sort32(sorted, power[token * kExperts], places, kExperts / 32);
      MrgSort(chosen[token * kChosen * kRecord],
              MrgSortSrcList<float>(sorted, sorted[32 * kRecord], sorted, sorted),
              MrgSort4Info(lengths, false, 3, 1));
    }
    LocalTensor<float> out = out_.AllocTensor<float>();
    LocalTensor<int32_t> experts = out.ReinterpretCast<int32_t>()[kTokens * kChosen];
    Extract(out, experts.ReinterpretCast<uint32_t>(), chosen, (count_ + 3) / 4);
    if (divided_) Divide(out);
    Tally(experts, tally);
    out_.EnQue(out);
  }

  // The 8 weights of a token are a datablock.
  __aicore__ void Divide(const LocalTensor<float>& weights) {
    LocalTensor<float> column = column_.Get<float>(), wide = wide_.Get<float>();
    const uint8_t eighths = (count_ + 7) / 8;
    BlockReduceSum(column, weights, eighths, kExperts, 1, 1, 8);
    Brcb(wide, column, eighths, {1, 8});
    Div(weights, weights, wide, count_ * kChosen);
  }

  // Scalar code counts, when the indices are there.
  __aicore__ void Tally(const LocalTensor<int32_t>& experts, const LocalTensor<int32_t>& tally) {
    const auto event = GetTPipePtr()->FetchEventID(HardEvent::V_S);
    SetFlag<HardEvent::V_S>(event);
    WaitFlag<HardEvent::V_S>(event);
    for (uint32_t i = 0; i < count_ * kChosen; ++i) {
      const int32_t expert = experts.GetValue(i);
      tally.SetValue(expert, tally.GetValue(expert) + 1);
    }
  }

  __aicore__ void Store(uint32_t at) {
    LocalTensor<float> out = out_.DeQue<float>();
    DataCopy(weights_[uint64_t(at) * kChosen], out, count_ * kChosen);
    DataCopy(experts_[uint64_t(at) * kChosen], out.ReinterpretCast<int32_t>()[kTokens * kChosen],
             count_ * kChosen);
    out_.FreeTensor(out);
  }

  // What this core has counted is added to what the others have.
  __aicore__ void Report(const LocalTensor<int32_t>& tally) {
    const auto event = GetTPipePtr()->FetchEventID(HardEvent::S_MTE3);
    SetFlag<HardEvent::S_MTE3>(event);
    WaitFlag<HardEvent::S_MTE3>(event);
    SetAtomicAdd<int32_t>();
    DataCopy(counts_, tally, kExperts);
    SetAtomicNone();
  }

  TPipe pipe_;
  TQue<TPosition::VECIN, 2> in_;
  TQue<TPosition::VECOUT, 2> out_;
  TBuf<TPosition::VECCALC> tally_, power_, column_, wide_, places_, sorted_, chosen_;
  GlobalTensor<half> scores_;
  GlobalTensor<float> weights_;
  GlobalTensor<int32_t> experts_, counts_;
  uint32_t tokens_, count_;
  bool divided_;
};

extern "C" __global__ __aicore__ void moe_routing(GM_ADDR scores, GM_ADDR weights, GM_ADDR experts,
                                                  GM_ADDR counts, GM_ADDR what) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);  // SyncAll wants a kernel of this kind
  MoeRouting kernel;
  const auto* numbers = (__gm__ uint32_t*)what;
  kernel.Init(scores, weights, experts, counts, numbers[0], numbers[1] != 0);
  kernel.Process();
}
