// Correct kernels, into which a launch can plant one mistake: they depend on what an earlier copy from GM has
// left in a tensor. Such bytes reach GM or scalar code at HERE n, and are read first at FIRST n.
#include "left_out.h"

#define IF(number) if (left_out == number)

// Elements of a row, and with its padding.
constexpr uint32_t kLong = 32, kShort = 20, kPadded = 24;

// Rows of 32 floats, then rows of 20: the sum of each, and each row times two.
extern "C" __global__ __aicore__ void rows(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue, once;
  TQue<TPosition::VECOUT, 1> results;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(queue, left_out == 3 ? 1 : 2, kLong * 4);
  pipe.InitBuffer(once, 1, kLong * 4);
  pipe.InitBuffer(results, 1, kLong * 4);
  pipe.InitBuffer(buffer, kLong * 4);
  // What vector instructions write once stays for all tensors of the buffer.
  LocalTensor<float> cleared = once.AllocTensor<float>();
  Duplicate(cleared, 0.0f, kLong);
  once.FreeTensor(cleared);
  for (int i = 0; i < 6; ++i) {
    const uint32_t count = i < 3 ? kLong : kShort;
    const DataCopyExtParams row(1, count * 4, 0, 0, 0);
    LocalTensor<float> x = queue.AllocTensor<float>(), y = once.AllocTensor<float>();
    const DataCopyPadExtParams<float> with_zeros(true, 0, (8 - count % 8) % 8, 0.0f);
    DataCopyPad(x, from[i * kLong], row, with_zeros);
    DataCopy(y, from[i * kLong], 16);
    queue.EnQue(x);
    once.EnQue(y);
    x = queue.DeQue<float>();
    y = once.DeQue<float>();
    LocalTensor<float> sum = results.AllocTensor<float>();
    Add(y, y, y, kLong);
    PipeBarrier<PIPE_V>();
    ReduceSum(sum, y, buffer.Get<float>(), kLong);
    results.EnQue(sum);
    sum = results.DeQue<float>();
    DataCopyPad(to[i * 2], sum, DataCopyExtParams(1, 4, 0, 0, 0));
    results.FreeTensor(sum);
    sum = results.AllocTensor<float>();
    const bool all = left_out == 1 || left_out == 3;
    ReduceSum(sum, x, buffer.Get<float>(), count == kLong || all ? kLong : kPadded);  // FIRST 1, FIRST 3
    results.EnQue(sum);
    sum = results.DeQue<float>();
    DataCopyPad(to[i * 2 + 1], sum, DataCopyExtParams(1, 4, 0, 0, 0));  // HERE 1, HERE 3
    results.FreeTensor(sum);
    // Lanes that go nowhere may hold anything.
    sum = results.AllocTensor<float>();
    Add(sum, x, x, kLong);  // FIRST 4
    SetFlag<HardEvent::V_S>(EVENT_ID1);
    WaitFlag<HardEvent::V_S>(EVENT_ID1);
    IF(2) {
      if (x.GetValue(kLong - 1) < 0.0f) to = from;  // HERE 2, FIRST 2
    }
    results.EnQue(sum);
    sum = results.DeQue<float>();
    if (left_out == 4) {
      DataCopy(to[16 + i * kLong], sum, kLong);  // HERE 4
    } else {
      DataCopy(to[16 + i * kLong], sum, kPadded);
    }
    results.FreeTensor(sum);
    queue.FreeTensor(x);
    once.FreeTensor(y);
  }
}

// Products whose K ends in a tail: columns behind it that B clears may hold anything in A.
extern "C" __global__ __aicore__ void products(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<half> from = global<half>(in);
  GlobalTensor<float> to = global<float>(out);
  TPipe pipe;
  TQue<TPosition::A1, 1> queue;
  TBuf<TPosition::B1> buffer;
  pipe.InitBuffer(queue, 1, 1024);
  pipe.InitBuffer(buffer, 512);
  const LocalTensor<half> ones = buffer.Get<half>();
  const LocalTensor<half> a = local<half>(TPosition::A2, 0, 512), b = local<half>(TPosition::B2, 0, 512);
  const LocalTensor<float> c = local<float>(TPosition::CO1, 0, 256);
  InitConstValue(ones, InitConstValueParams<half>(1, 16, 0, half(1.0f)));
  PipeBarrier<PIPE_ALL>();
  LoadData(b, ones, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  InitConstValue(b[256], InitConstValueParams<half>(1, 1, 0, left_out == 5 ? half(1.0f) : half(0.0f)));
  for (int i = 0; i < 2; ++i) {
    LocalTensor<half> l1 = queue.AllocTensor<half>();
    DataCopy(l1, from, i == 0 ? 512 : 256);
    queue.EnQue(l1);
    l1 = queue.DeQue<half>();
    PipeBarrier<PIPE_ALL>();
    LoadData(a, l1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));  // FIRST 5
    PipeBarrier<PIPE_ALL>();
    MmadParams params;
    params.m = params.n = 16;
    params.k = 32;
    params.cmatrixInitVal = true;
    Mmad(c, a, b, params);
    PipeBarrier<PIPE_ALL>();
    FixpipeParamsV220 store;
    store.nSize = store.mSize = store.srcStride = store.dstStride = 16;
    Fixpipe(to[i * 256], c, store);  // HERE 5
    PipeBarrier<PIPE_ALL>();
    queue.FreeTensor(l1);
  }
}

// Tiles of 32 floats and a shorter one, in one tensor.
extern "C" __global__ __aicore__ void tiles(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(buffer, 1024);
  const LocalTensor<float> x = buffer.GetWithOffset<float>(kLong, 0);
  const LocalTensor<float> table = buffer.GetWithOffset<float>(kLong, 128);
  const LocalTensor<float> sum = buffer.GetWithOffset<float>(8, 256), work = buffer.GetWithOffset<float>(kLong, 512);
  DataCopy(table, from, kLong);
  for (int i = 0; i < 3; ++i) {
    const uint32_t count = i < 2 ? kLong : 16;
    PipeBarrier<PIPE_ALL>();
    // Put together from two places.
    const LocalTensor<float> pieces = buffer.GetWithOffset<float>(kLong, 640);
    DataCopy(pieces, from[i * kLong], kLong);
    PipeBarrier<PIPE_MTE2>();
    DataCopy(pieces, from[64], 8);
    UNLESS(6) Duplicate(x, 0.0f, kLong);
    PipeBarrier<PIPE_ALL>();
    DataCopy(x, from[i * kLong], count);
    IF(7) DataCopy(table, from[i * kLong], i == 0 ? kLong : 24);
    else if (i == 1) DataCopy(table, from, 8);  // the same once more
    PipeBarrier<PIPE_ALL>();
    Muls(x, x, 2.0f, kLong);  // FIRST 6
    PipeBarrier<PIPE_ALL>();
    ReduceSum(sum, x, work, kLong);
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(to[i * 8], sum, DataCopyExtParams(1, 4, 0, 0, 0));  // HERE 6
    PipeBarrier<PIPE_ALL>();
    Duplicate(sum, 0.0f, 8);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to[32 + i * kLong], table, kLong);  // HERE 7, FIRST 7
    DataCopy(to[128 + i * kLong], pieces, kLong);
  }
}

// Offsets that an earlier tile has left, for lanes that go nowhere.
extern "C" __global__ __aicore__ void offsets(GM_ADDR in, GM_ADDR out, int32_t) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  GlobalTensor<int32_t> places = global<int32_t>(out)[128];
  const LocalTensor<float> x = local<float>(TPosition::VECCALC, 0, 128), y = local<float>(TPosition::VECCALC, 512, 64);
  const LocalTensor<int32_t> all = local<int32_t>(TPosition::VECCALC, 1024, 128);
  const LocalTensor<int32_t> some = local<int32_t>(TPosition::VECCALC, 2048, 64);
  DataCopy(x, from, 128);
  CreateVecIndex(all, 0, 128);
  PipeBarrier<PIPE_V>();
  Muls(all, all, 4, 128);
  PipeBarrier<PIPE_ALL>();
  DataCopy(places, all, 128);
  PipeBarrier<PIPE_ALL>();
  for (int i = 0; i < 2; ++i) {
    const uint32_t count = i == 0 ? 64 : 40;
    DataCopy(some, places[i * 64], count);
    PipeBarrier<PIPE_ALL>();
    Gather(y, x, some.ReinterpretCast<uint32_t>(), 0u, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to[i * 64], y, count);
    PipeBarrier<PIPE_ALL>();
  }
}
