// TPipe, TQue, TQueBind, TBuf, flags and the block's identity.
#include "kernel_operator.h"

using namespace AscendC;

#define KERNEL extern "C" __global__ __aicore__ void

namespace {

template <class T>
GlobalTensor<T> global(GM_ADDR gm) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer((__gm__ T*)gm);
  return tensor;
}

}  // namespace

// x + y in tiles of 128 halfs, each block its share, with two buffers in each queue.
KERNEL double_buffer(GM_ADDR x, GM_ADDR y, GM_ADDR out, int32_t tiles) {
  constexpr int kTile = 128;
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> in_x, in_y;
  TQue<QuePosition::VECOUT, 2> result;
  pipe.InitBuffer(in_x, 2, kTile * sizeof(half));
  pipe.InitBuffer(in_y, 2, kTile * sizeof(half));
  pipe.InitBuffer(result, 2, kTile * sizeof(half));
  const auto copy_in = [&](int tile) {
    const auto start = (GetBlockIdx() * tiles + tile) * kTile;
    auto a = in_x.AllocTensor<half>(), b = in_y.AllocTensor<half>();
    DataCopy(a, global<half>(x)[start], kTile);
    DataCopy(b, global<half>(y)[start], kTile);
    in_x.EnQue(a);
    in_y.EnQue(b);
  };
  copy_in(0);
  for (int tile = 0; tile < tiles; ++tile) {
    if (tile + 1 < tiles) copy_in(tile + 1);
    auto a = in_x.DeQue<half>(), b = in_y.DeQue<half>();
    auto c = result.AllocTensor<half>();
    Add(c, a, b, kTile);
    in_x.FreeTensor(a);
    in_y.FreeTensor(b);
    result.EnQue<half>(c);
    auto done = result.DeQue<half>();
    DataCopy(global<half>(out)[(GetBlockIdx() * tiles + tile) * kTile], done, kTile);
    result.FreeTensor(done);
  }
}

// Tensors leave a queue in the order in which they came.
KERNEL order(int32_t* out) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 4> queue;
  pipe.InitBuffer(queue, 4, 32);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i) {
      auto tensor = queue.AllocTensor<int32_t>();
      tensor.SetValue(0, 10 * round + i);
      queue.EnQue(tensor);
    }
    for (int i = 0; i < 4; ++i) {
      LocalTensor<int32_t> tensor;
      queue.DeQue<int32_t>(tensor);
      *out++ = tensor.GetValue(0);
      queue.FreeTensor(tensor);
    }
  }
}

KERNEL questions(int32_t* out) {
  TPipe pipe;
  TQue<QuePosition::VECIN, 2> queue;
  pipe.InitBuffer(queue, 3, 64);
  const auto ask = [&] {
    *out++ = queue.VacantInQue();
    *out++ = queue.HasTensorInQue();
    *out++ = queue.GetTensorCountInQue();
    *out++ = queue.HasIdleBuffer();
  };
  ask();
  auto a = queue.AllocTensor<half>(), b = queue.AllocTensor<half>();
  ask();
  queue.EnQue(a);
  ask();
  queue.EnQue(b);
  auto c = queue.AllocTensor<half>();
  ask();
  queue.FreeTensor(c);
  a = queue.DeQue<half>();
  ask();
  b = queue.DeQue<half>();
  queue.FreeTensor(a);
  queue.FreeTensor(b);
  ask();
}

// A tensor has the size of its buffer, in the type that is asked for; after DeQue again.
KERNEL tensor_sizes(int32_t* out) {
  TPipe pipe;
  TQue<QuePosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 1, 100);
  auto tensor = queue.AllocTensor<half>();
  *out++ = int32_t(tensor.GetSize());
  *out++ = int32_t(tensor.GetPosition() == int32_t(TPosition::VECOUT));
  tensor.SetSize(3);
  queue.EnQue(tensor);
  auto back = queue.DeQue<int32_t>();
  *out++ = int32_t(back.GetSize());
  queue.FreeTensor(back);
}

// GM to GM through one queue that is input and output.
KERNEL bind(GM_ADDR in, GM_ADDR out, int32_t tiles) {
  TPipe pipe;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> queue;
  pipe.InitBuffer(queue, 2, 256);
  for (int tile = 0; tile < tiles; ++tile) {
    auto a = queue.AllocTensor<half>();
    DataCopy(a, global<half>(in)[tile * 128], 128);
    queue.EnQue(a);
    a = queue.DeQue<half>();
    DataCopy(global<half>(out)[tile * 128], a, 128);
    queue.FreeTensor(a);
  }
}

KERNEL tbuf(int32_t* out) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer, next;
  TBuf<> plain;
  pipe.InitBuffer(buffer, 100);
  pipe.InitBuffer(next, 64);
  pipe.InitBuffer(plain, 32);
  auto whole = buffer.Get<int32_t>();
  *out++ = int32_t(whole.GetSize());
  *out++ = int32_t(buffer.Get<half>().GetSize());
  *out++ = int32_t(buffer.Get<half>(5).GetSize());
  *out++ = int32_t(buffer.GetWithOffset<int32_t>(4, 32).GetSize());
  for (int i = 0; i < 25; ++i) whole.SetValue(i, i);
  next.Get<int32_t>().SetValue(0, -1);
  *out++ = buffer.GetWithOffset<int32_t>(4, 32).GetValue(1);
  *out++ = whole.GetValue(24);
  *out++ = int32_t(plain.Get<int8_t>().GetPosition() == int32_t(TPosition::VECCALC));
}

// Reset gives everything back: the whole of UB again, and events too.
KERNEL reset(int32_t* out, uint32_t bytes) {
  TPipe pipe;
  for (int round = 0; round < 3; ++round) {
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, bytes);
    out[round] = int32_t(buffer.Get<int8_t>().GetSize());
    pipe.Reset();
  }
}

// One TPipe after the other, by Destroy, by Init, and by scope.
KERNEL pipes(int32_t* out, uint32_t bytes) {
  TPipe first;
  TBuf<TPosition::VECCALC> buffer;
  first.InitBuffer(buffer, bytes);
  first.Destroy();
  {
    TPipe second;
    second.InitBuffer(buffer, bytes);
  }
  first.Init();
  first.InitBuffer(buffer, bytes);
  out[0] = int32_t(buffer.Get<int8_t>().GetSize());
}

KERNEL events(int32_t* out) {
  TPipe pipe;
  *out++ = pipe.FetchEventID(HardEvent::MTE2_V);
  *out++ = pipe.AllocEventID<HardEvent::MTE2_V>();
  *out++ = pipe.FetchEventID<HardEvent::MTE2_V>();
  *out++ = pipe.AllocEventID<HardEvent::MTE2_V>();
  *out++ = pipe.AllocEventID<HardEvent::V_MTE3>();
  pipe.ReleaseEventID<HardEvent::MTE2_V>(0);
  *out++ = pipe.FetchEventID(HardEvent::MTE2_V);
  *out++ = pipe.AllocEventID<HardEvent::MTE2_V>();
  *out++ = pipe.AllocEventID<HardEvent::MTE2_V>();
  for (int i = 0; i < 3; ++i) pipe.ReleaseEventID<HardEvent::MTE2_V>(i);
  pipe.ReleaseEventID<HardEvent::V_MTE3>(0);
}

// A hand-made pipeline: copy in, add, copy out, with a flag wherever a pipe waits for another.
KERNEL flags(GM_ADDR in, GM_ADDR out) {
  LocalTensor<half> tensor(TPosition::VECCALC, 0, 128);
  SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID7);
  for (int i = 0; i < 4; ++i) {
    WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID7);
    DataCopy(tensor, global<half>(in)[i * 128], 128);
    SetFlag<HardEvent::MTE2_V>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
    Add(tensor, tensor, tensor, 128);
    PipeBarrier<PIPE_V>();
    Add(tensor, tensor, tensor, 128);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(global<half>(out)[i * 128], tensor, 128);
    SetFlag<HardEvent::MTE3_MTE2>(EVENT_ID7);
  }
  WaitFlag<HardEvent::MTE3_MTE2>(EVENT_ID7);
  PipeBarrier<PIPE_ALL>();
}

KERNEL prints(int32_t) {
  PRINTF("%.4f %g %d %s %lld %c %%\n", half(0.1f), bfloat16_t(2.5f), -3, "text", 1LL << 40, 'x');
  AscendC::printf("%5.1f|%x|%u\n", 2.25f, 255u, ~0u);
  PRINTF("no arguments\n");
}

// One buffer of `bytes` at a position: legal up to the chip's size, and usable to its last byte.
template <TPosition position>
__aicore__ void whole_memory(uint32_t bytes) {
  TPipe pipe;
  TBuf<position> buffer;
  pipe.InitBuffer(buffer, bytes);
  auto tensor = buffer.template Get<uint8_t>();
  tensor.SetValue(0, 1);
  tensor.SetValue(bytes - 1, 1);
}
KERNEL whole_ub(uint32_t bytes) { whole_memory<TPosition::VECCALC>(bytes); }
KERNEL whole_l1(uint32_t bytes) { whole_memory<TPosition::A1>(bytes); }
KERNEL whole_l0a(uint32_t bytes) { whole_memory<TPosition::A2>(bytes); }
KERNEL whole_l0b(uint32_t bytes) { whole_memory<TPosition::B2>(bytes); }
KERNEL whole_l0c(uint32_t bytes) { whole_memory<TPosition::CO1>(bytes); }
KERNEL whole_bt(uint32_t bytes) { whole_memory<TPosition::C2>(bytes); }
