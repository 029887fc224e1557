// A program of steps, as data: each is five words, what it does and with what. Places are
// datablocks of UB.
#include "left_out.h"

namespace {

constexpr int32_t kWords = 5;
constexpr uint32_t kBlock = 8;  // floats

__aicore__ inline LocalTensor<float> place(int32_t block, int32_t blocks) {
  return local<float>(TPosition::VECCALC, uint32_t(block) * 32, uint32_t(blocks) * kBlock);
}

template <HardEvent event>
__aicore__ inline void flag(bool set, int32_t id) {
  if (set) {
    SetFlag<event>(id);
  } else {
    WaitFlag<event>(id);
  }
}

__aicore__ inline void any_flag(int32_t event, bool set, int32_t id) {
  switch (event) {
    case 0: return flag<HardEvent::MTE2_V>(set, id);
    case 1: return flag<HardEvent::V_MTE2>(set, id);
    case 2: return flag<HardEvent::V_MTE3>(set, id);
    case 3: return flag<HardEvent::MTE3_V>(set, id);
    case 4: return flag<HardEvent::MTE2_MTE3>(set, id);
    case 5: return flag<HardEvent::MTE3_MTE2>(set, id);
    case 6: return flag<HardEvent::V_S>(set, id);
    case 7: return flag<HardEvent::S_V>(set, id);
    case 8: return flag<HardEvent::MTE2_S>(set, id);
    case 9: return flag<HardEvent::S_MTE2>(set, id);
    case 10: return flag<HardEvent::MTE3_S>(set, id);
    default: return flag<HardEvent::S_MTE3>(set, id);
  }
}

__aicore__ inline void barrier(int32_t pipe) {
  switch (pipe) {
    case 0: return PipeBarrier<PIPE_V>();
    case 1: return PipeBarrier<PIPE_MTE2>();
    case 2: return PipeBarrier<PIPE_MTE3>();
    default: return PipeBarrier<PIPE_ALL>();
  }
}

}  // namespace

extern "C" __global__ __aicore__ void random_steps(GM_ADDR in, GM_ADDR program, GM_ADDR out,
                                                   int32_t steps) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  GlobalTensor<int32_t> words = global<int32_t>(program);
  DataCopy(place(0, 12), from[steps * 64], 12 * kBlock);  // no NaN, which stays what it is
  PipeBarrier<PIPE_ALL>();
  for (int32_t i = 0; i < steps; ++i) {
    int32_t w[kWords];
    for (int32_t k = 0; k < kWords; ++k) w[k] = words.GetValue(i * kWords + k);
    const LocalTensor<float> x = place(w[1], w[3]);
    const uint32_t count = uint32_t(w[3]) * kBlock;
    if (w[0] == 0) DataCopy(x, from[i * 64], count);  // HERE load
    if (w[0] == 1) Adds(x, place(w[2], w[3]), float(i + 1), int32_t(count));  // HERE add
    if (w[0] == 2) DataCopy(to[i * 64], x, count);  // HERE store
    if (w[0] == 3) x.SetValue(0, float(i));  // HERE set
    if (w[0] == 4) x.GetValue(0);  // HERE get
    if (w[0] == 5) any_flag(w[1], w[2] == 1, w[4]);
    if (w[0] == 6) barrier(w[1]);
  }
}
