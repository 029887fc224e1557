// Correct kernels, from each of which a launch can leave one synchronisation out. Nothing orders then
// the lines THERE n and HERE n, which the named event or barrier would.
#include "left_out.h"

// Copy in, add, copy out, through one buffer for each.
extern "C" __global__ __aicore__ void flags(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 64);
  LocalTensor<float> y = local<float>(TPosition::VECOUT, 256, 64);
  UNLESS(1) SetFlag<HardEvent::V_MTE2>(0);
  UNLESS(3) SetFlag<HardEvent::MTE3_V>(0);
  for (int i = 0; i < 3; ++i) {
    UNLESS(1) WaitFlag<HardEvent::V_MTE2>(0);
    DataCopy(x, from[i * 64], 64);  // HERE 1 V_MTE2, THERE 2
    UNLESS(2) {
      SetFlag<HardEvent::MTE2_V>(0);
      WaitFlag<HardEvent::MTE2_V>(0);
    }
    UNLESS(3) WaitFlag<HardEvent::MTE3_V>(0);
    Adds(y, x, 1.0f, 64);  // HERE 2 MTE2_V, HERE 3 MTE3_V, THERE 1, THERE 4
    UNLESS(1) SetFlag<HardEvent::V_MTE2>(0);
    UNLESS(4) {
      SetFlag<HardEvent::V_MTE3>(0);
      WaitFlag<HardEvent::V_MTE3>(0);
    }
    DataCopy(to[i * 64], y, 64);  // HERE 4 V_MTE3, THERE 3
    UNLESS(3) SetFlag<HardEvent::MTE3_V>(0);
  }
  UNLESS(1) WaitFlag<HardEvent::V_MTE2>(0);
  UNLESS(3) WaitFlag<HardEvent::MTE3_V>(0);
}

// Copies through one buffer, twice, and reads back what it wrote.
extern "C" __global__ __aicore__ void copies(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 64);
  LocalTensor<float> y = local<float>(TPosition::VECIN, 256, 64);
  DataCopy(x, from, 64);  // THERE 5
  UNLESS(5) PipeBarrier<PIPE_MTE2>();
  DataCopy(x[32], from[64], 32);  // HERE 5 PIPE_MTE2, THERE 6
  UNLESS(6) {
    SetFlag<HardEvent::MTE2_MTE3>(0);
    WaitFlag<HardEvent::MTE2_MTE3>(0);
  }
  DataCopy(to, x, 64);  // HERE 6 MTE2_MTE3, THERE 7, THERE 8
  UNLESS(7) PipeBarrier<PIPE_MTE3>();
  DataCopy(to[8], x, 8);  // HERE 7 PIPE_MTE3
  UNLESS(8) {
    SetFlag<HardEvent::MTE3_MTE2>(0);
    WaitFlag<HardEvent::MTE3_MTE2>(0);
  }
  DataCopy(y, to[32], 32);  // HERE 8 MTE3_MTE2
}

// Scales for each column, through L1 and FB, for a copy out of L0C.
extern "C" __global__ __aicore__ void scales(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  LocalTensor<uint64_t> l1 = local<uint64_t>(TPosition::C1, 0, 16);
  LocalTensor<uint64_t> fb = local<uint64_t>(TPosition::C2PIPE2GM, 0, 16);
  LocalTensor<half> a1 = local<half>(TPosition::A1, 1024, 256);
  LocalTensor<half> a = local<half>(TPosition::A2, 0, 256), b = local<half>(TPosition::B2, 0, 256);
  LocalTensor<float> c = local<float>(TPosition::CO1, 0, 256);
  DataCopy(l1, global<uint64_t>(in), 16);
  DataCopy(a1, global<half>(in), 256);
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  LoadData(a, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  LoadData(b, a1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  SetFlag<HardEvent::MTE1_M>(0);
  WaitFlag<HardEvent::MTE1_M>(0);
  MmadParams params;
  params.m = params.n = params.k = 16;
  params.cmatrixInitVal = true;
  Mmad(c, a, b, params);
  SetFlag<HardEvent::M_FIX>(0);
  WaitFlag<HardEvent::M_FIX>(0);
  SetFlag<HardEvent::MTE2_FIX>(0);
  WaitFlag<HardEvent::MTE2_FIX>(0);
  DataCopy(fb, l1, DataCopyParams(1, 1, 0, 0));
  if (left_out != 1) PipeBarrier<PIPE_FIX>();
  if (left_out == 2) fb.SetValue(0, 0);
  SetFixPipeConfig(fb);
  DataCopyCO12DstParams store;
  store.nSize = store.mSize = store.srcStride = store.dstStride = 16;
  store.quantPre = QuantMode_t::VQF322B8_PRE;
  DataCopy(global<int8_t>(out), c, store);  // SCALES
}

// The same bytes to the same place, by two copies that may overtake each other.
extern "C" __global__ __aicore__ void the_same_again(GM_ADDR in, GM_ADDR out, int32_t other) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 64);
  DataCopy(x, from, 64);
  DataCopy(x, from[other], 64);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, x, 64);
}

// A tail that is rounded up towards the front: some of it was written before, with the same values.
extern "C" __global__ __aicore__ void the_tail_again(GM_ADDR in, GM_ADDR out, int32_t other) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 128);
  DataCopy(x, from, 128);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, x, 48);
  DataCopy(to[32], x[32 + other], 32);
}

// One pipe writes bytes twice in no order; `how` says who reads them, or from 8 on how many elements
// are written again before.
extern "C" __global__ __aicore__ void one_over_the_other(GM_ADDR in, GM_ADDR out, int32_t how) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 64);
  DataCopy(x, from, 64);
  DataCopy(x[32], from[64], 32);
  PipeBarrier<PIPE_ALL>();
  if (how == 1) DataCopy(to, x, 32);
  if (how == 2) DataCopy(to, x[24], 16);
  if (how == 3) to.SetValue(0, x.GetValue(40));
  if (how >= 8) DataCopy(x[32], from, how);
  PipeBarrier<PIPE_ALL>();
  if (how >= 8) DataCopy(to, x[48], 16);
}

// Copies that combine with GM may come in any order, but none waits for another: a plain copy after
// them has to.
extern "C" __global__ __aicore__ void atomics(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 64);
  DataCopy(x, from, 64);
  PipeBarrier<PIPE_ALL>();
  SetAtomicAdd<float>();
  DataCopy(to, x, 64);  // THERE 9
  DataCopy(to[32], x, 64);
  SetAtomicNone();
  UNLESS(9) PipeBarrier<PIPE_MTE3>();
  DataCopy(to, x, 32);  // HERE 9 PIPE_MTE3
}

// What the vendor's compiler orders by itself, unless it is told not to.
extern "C" __global__ __aicore__ void compiler(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  LocalTensor<float> x = local<float>(TPosition::VECCALC, 0, 64);
  LocalTensor<float> y = local<float>(TPosition::VECCALC, 256, 64);
  Duplicate(x, 1.0f, 64);  // THERE 11
  UNLESS(11) PipeBarrier<PIPE_V>();
  Adds(y, x, 1.0f, 64);  // HERE 11 PIPE_V, THERE 12
  UNLESS(12) {
    SetFlag<HardEvent::V_S>(0);
    WaitFlag<HardEvent::V_S>(0);
  }
  const float first = y.GetValue(0);  // HERE 12 V_S
  x.SetValue(1, first);  // THERE 13, THERE 14
  UNLESS(13) {
    SetFlag<HardEvent::S_V>(0);
    WaitFlag<HardEvent::S_V>(0);
  }
  Adds(y, x, 1.0f, 64);  // HERE 13 S_V
  UNLESS(14) {
    SetFlag<HardEvent::S_MTE3>(0);
    WaitFlag<HardEvent::S_MTE3>(0);
  }
  GlobalTensor<float> to = global<float>(out);
  DataCopy(to, x, 64);  // HERE 14 S_MTE3
}

// A product of 16 x 16 x 32, twice, through one buffer in each memory.
extern "C" __global__ __aicore__ void cube(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<half> from = global<half>(in);
  GlobalTensor<float> to = global<float>(out);
  LocalTensor<half> l1 = local<half>(TPosition::A1, 0, 1024);
  LocalTensor<half> a = local<half>(TPosition::A2, 0, 512), b = local<half>(TPosition::B2, 0, 512);
  LocalTensor<float> c = local<float>(TPosition::CO1, 0, 256);
  UNLESS(21) SetFlag<HardEvent::MTE1_MTE2>(0);
  UNLESS(23) SetFlag<HardEvent::M_MTE1>(0);
  UNLESS(25) SetFlag<HardEvent::FIX_M>(0);
  for (int i = 0; i < 2; ++i) {
    UNLESS(21) WaitFlag<HardEvent::MTE1_MTE2>(0);
    DataCopy(l1, from[i * 1024], 1024);  // HERE 21 MTE1_MTE2, THERE 22
    UNLESS(22) {
      SetFlag<HardEvent::MTE2_MTE1>(0);
      WaitFlag<HardEvent::MTE2_MTE1>(0);
    }
    UNLESS(23) WaitFlag<HardEvent::M_MTE1>(0);
    LoadData(a, l1, LoadData2DParams(0, 2, 1, 0, 0, false, 0));  // HERE 22 MTE2_MTE1, HERE 23 M_MTE1, THERE 24
    PipeBarrier<PIPE_MTE1>();
    LoadData(b, l1[512], LoadData2DParams(0, 2, 1, 0, 0, false, 0));  // THERE 21, THERE 24
    UNLESS(21) SetFlag<HardEvent::MTE1_MTE2>(0);
    UNLESS(24) {
      SetFlag<HardEvent::MTE1_M>(0);
      WaitFlag<HardEvent::MTE1_M>(0);
    }
    UNLESS(25) WaitFlag<HardEvent::FIX_M>(0);
    MmadParams params;
    params.m = params.n = 16;
    params.k = 16;
    params.cmatrixInitVal = true;
    Mmad(c, a, b, params);  // HERE 24 MTE1_M, HERE 25 FIX_M, THERE 27
    UNLESS(27) PipeBarrier<PIPE_M>();
    params.cmatrixInitVal = false;
    Mmad(c, a[256], b[256], params);  // HERE 27 PIPE_M, THERE 23, THERE 26
    UNLESS(23) SetFlag<HardEvent::M_MTE1>(0);
    UNLESS(26) {
      SetFlag<HardEvent::M_FIX>(0);
      WaitFlag<HardEvent::M_FIX>(0);
    }
    FixpipeParamsV220 store;
    store.nSize = store.mSize = store.srcStride = store.dstStride = 16;
    Fixpipe(to[i * 256], c, store);  // HERE 26 M_FIX, THERE 25
    UNLESS(25) SetFlag<HardEvent::FIX_M>(0);
  }
  UNLESS(21) WaitFlag<HardEvent::MTE1_MTE2>(0);
  UNLESS(23) WaitFlag<HardEvent::M_MTE1>(0);
  UNLESS(25) WaitFlag<HardEvent::FIX_M>(0);
}

// The product and its way out wait for each other by the unit flags of L0C.
extern "C" __global__ __aicore__ void unit_flags(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<half> from = global<half>(in);
  GlobalTensor<float> to = global<float>(out);
  LocalTensor<half> l1 = local<half>(TPosition::A1, 0, 512);
  LocalTensor<half> a = local<half>(TPosition::A2, 0, 256), b = local<half>(TPosition::B2, 0, 256);
  LocalTensor<float> c = local<float>(TPosition::CO1, 0, 256);
  DataCopy(l1, from, 512);
  SetFlag<HardEvent::MTE2_MTE1>(0);
  WaitFlag<HardEvent::MTE2_MTE1>(0);
  LoadData(a, l1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  LoadData(b, l1[256], LoadData2DParams(0, 1, 1, 0, 0, false, 0));
  SetFlag<HardEvent::MTE1_M>(0);
  WaitFlag<HardEvent::MTE1_M>(0);
  for (int i = 0; i < 2; ++i) {
    MmadParams params;
    params.m = params.n = params.k = 16;
    params.cmatrixInitVal = true;
    params.unitFlag = left_out == 31 ? 0 : 3;
    Mmad(c, a, b, params);  // THERE 31
    FixpipeParamsV220 store;
    store.nSize = store.mSize = store.srcStride = store.dstStride = 16;
    store.unitFlag = left_out == 31 ? 0 : 3;
    Fixpipe(to[i * 256], c, store);  // HERE 31 M_FIX
    if (left_out == 31) PipeBarrier<PIPE_ALL>();
  }
}

// Through queues.
extern "C" __global__ __aicore__ void queues(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> xs;
  TQue<TPosition::VECOUT, 2> ys;
  TBuf<TPosition::VECCALC> buffer;
  pipe.InitBuffer(xs, 2, 256);
  pipe.InitBuffer(ys, 2, 256);
  pipe.InitBuffer(buffer, 256);
  LocalTensor<float> scratch = buffer.Get<float>();
  for (int i = 0; i < 5; ++i) {
    LocalTensor<float> x = xs.AllocTensor<float>();
    DataCopy(x, from[i * 64], 64);
    xs.EnQue(x);
    x = xs.DeQue<float>();
    LocalTensor<float> y = ys.AllocTensor<float>();
    UNLESS(41) {
      SetFlag<HardEvent::MTE3_V>(EVENT_ID3);
      WaitFlag<HardEvent::MTE3_V>(EVENT_ID3);
    }
    Adds(scratch, x, 1.0f, 64);  // HERE 41 MTE3_V
    Adds(y, scratch, 1.0f, 64);
    ys.EnQue(y);
    xs.FreeTensor(x);
    y = ys.DeQue<float>();
    DataCopy(to[i * 64], y, 64);
    Adds(scratch, scratch, 1.0f, 64);  // THERE 42
    ys.FreeTensor(y);
    UNLESS(42) {
      SetFlag<HardEvent::V_MTE3>(EVENT_ID3);
      WaitFlag<HardEvent::V_MTE3>(EVENT_ID3);
    }
    DataCopy(to[1024 + i * 64], scratch, 64);  // HERE 42 V_MTE3, THERE 41
  }
}
