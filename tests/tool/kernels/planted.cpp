// Correct kernels, into each of which a launch can plant one mistake. The line HERE n is told then, with
// the code behind it; where there are several codes, the line has the first of them.
#include "left_out.h"

#define IF(number) if (left_out == number)

namespace {

struct Buffers {
  TBuf<TPosition::VECCALC> pair, other, offsets;
  TQue<TPosition::VECIN, 1> queue;

  explicit Buffers(TPipe& pipe) {
    pipe.InitBuffer(pair, 1024);
    pipe.InitBuffer(other, 256);
    pipe.InitBuffer(offsets, 256);
    pipe.InitBuffer(queue, 2, 256);
  }
};

}  // namespace

// Pieces of one TBuf, a queue's buffers side by side, views, tensors made by hand.
extern "C" __global__ __aicore__ void pieces(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  TPipe pipe;
  Buffers of(pipe);
  LocalTensor<float> a = of.pair.GetWithOffset<float>(64, 0), b = of.pair.GetWithOffset<float>(64, 256);
  Duplicate(b, 5.0f, 64);
  Duplicate(a, 1.0f, left_out == 1 ? 72 : 64);  // HERE 1 V1011
  IF(2) a.SetValue(64, 3.0f);                   // HERE 2 V1011
  IF(3) a[32].SetValue(32, 3.0f);               // HERE 3 V1011
  IF(4) Duplicate(a[32], 2.0f, 64);             // HERE 4 V1011
  LocalTensor<float> x = of.queue.AllocTensor<float>();
  DataCopy(x, from, left_out == 5 ? 128 : 64);  // HERE 5 V1001
  of.queue.EnQue(x);
  x = of.queue.DeQue<float>();
  IF(6) Adds(a, x[32], 1.0f, 64);       // HERE 6 V1001
  IF(7) x.SetValue(uint32_t(-1), 1.0f);  // HERE 7 V1001
  IF(8) x[uint32_t(-8)].SetValue(0, 1.0f);  // HERE 8 V1001
  IF(9) Adds(a, LocalTensor<float>(), 1.0f, 64);  // HERE 9 V1005
  IF(10) Duplicate(local<float>(TPosition::VECCALC, 4096, 64), 1.0f, 64);  // HERE 10 V1009
  LocalTensor<float> longer = a;
  longer.SetSize(512);
  IF(11) Duplicate(longer, 1.0f, 300);  // HERE 11 V1009
  IF(12) Duplicate(a.ReinterpretCast<uint8_t>()[4].ReinterpretCast<float>(), 1.0f, 8);  // HERE 12 V1004
  IF(13) Adds(a[1], b, 1.0f, 32);  // HERE 13 V1004
  IF(14) {
    LocalTensor<float> left = local<float>(TPosition::VECCALC, 0, 64);
    Add(left, left, local<float>(TPosition::VECCALC, 128, 64), 64);  // HERE 14 V1008
  }
  IF(15) a = of.pair.Get<float>(512);               // HERE 15 V2001
  IF(16) a = of.pair.GetWithOffset<float>(64, 900);  // HERE 16 V2001
  IF(17) {
    BinaryRepeatParams twice(1, 1, 1, 8, 8, 8);
    Add(a, b, b, uint64_t(64), 2, twice);  // HERE 17 V1011
  }
  IF(18) {
    BinaryRepeatParams still(0, 1, 1, 8, 8, 8);
    Add(a, b, b, uint64_t(64), 1, still);  // HERE 18 V2009
  }
  IF(19) DataCopy(a, from, DataCopyParams(3, 8, 0, 0));  // HERE 19 V1011
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, a, 64);
  of.queue.FreeTensor(x);
}

// Buffers of GM.
extern "C" __global__ __aicore__ void distant(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out), unset, odd, sized;
  LocalTensor<float> x = local<float>(TPosition::VECCALC, 0, 64);
  odd.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(in + 2));
  sized.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(in), 4096);
  const uint64_t apart = (reinterpret_cast<uint64_t>(out) - reinterpret_cast<uint64_t>(in)) / 4;
  DataCopy(x, from, 64);
  PipeBarrier<PIPE_ALL>();
  IF(31) DataCopy(x, unset, 64);         // HERE 31 V1003
  IF(32) DataCopy(x, from[uint64_t(-8)], 64);  // HERE 32 V1003
  IF(33) DataCopy(x, odd, 64);           // HERE 33 V1004
  IF(34) DataCopy(x, from[4096 - 8], 64);  // HERE 34 V1003
  IF(35) DataCopy(x, from[apart], 64);   // HERE 35 V1003
  IF(36) DataCopy(x, sized[apart], 64);  // HERE 36 V1001
  IF(37) DataCopy(from[apart], x, 64);   // HERE 37 V1003
  IF(38) x.SetValue(0, from.GetValue(apart));  // HERE 38 V1003
  IF(39) x.SetValue(0, from.GetValue(4096));   // HERE 39 V1003
  IF(40) to.SetValue(4096, 1.0f);        // HERE 40 V1003
  IF(41) DataCopy(x, sized[4096], 64);   // HERE 41 V1001
  PipeBarrier<PIPE_ALL>();
  IF(42) DataCopy(to[4096 - 32], x, 64);  // HERE 42 V1003
  DataCopy(to, x, 64);
}

// Where offsets lead.
extern "C" __global__ __aicore__ void gathers(GM_ADDR, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> to = global<float>(out);
  TPipe pipe;
  Buffers of(pipe);
  LocalTensor<float> all = of.pair.Get<float>(), src = all[64], dst = of.other.Get<float>();
  LocalTensor<int32_t> offsets = of.offsets.Get<int32_t>();
  Duplicate(all, 1.0f, 256);
  for (int i = 0; i < 64; ++i) offsets.SetValue(i, (i + 64) * 4);  // past src, in its buffer
  IF(51) offsets.SetValue(5, 256 * 4);
  IF(52) offsets.SetValue(5, 5000);
  IF(53) offsets.SetValue(5, 3);
  Gather(dst, src, offsets.ReinterpretCast<uint32_t>(), 0u, 64);  // HERE 51 V1011, HERE 52 V1009, HERE 53 V2005
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, dst, 64);
}

// Turns that are not taken.
extern "C" __global__ __aicore__ void turns(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> xs;
  TQue<TPosition::VECOUT, 2> ys;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> bound;
  pipe.InitBuffer(xs, 2, 256);
  pipe.InitBuffer(ys, 2, 256);
  pipe.InitBuffer(bound, left_out == 74 ? 1 : 2, 256);
  for (int i = 0; i < 4; ++i) {
    LocalTensor<float> x = xs.AllocTensor<float>();  // HERE 64 V3002
    DataCopy(x, from[i * 64], 64);
    UNLESS(61) {
      xs.EnQue(x);
      x = xs.DeQue<float>();
    }
    LocalTensor<float> y = ys.AllocTensor<float>();  // HERE 66 V3002
    Adds(y, x, 1.0f, 64);                            // HERE 61 V4009
    UNLESS(62) {
      ys.EnQue(y);
      y = ys.DeQue<float>();
    }
    UNLESS(64) xs.FreeTensor(x);
    IF(63) Adds(y, x, 2.0f, 64);   // HERE 63 V3010
    DataCopy(to[i * 64], y, 64);   // HERE 62 V4009
    IF(65) Adds(y, y, 1.0f, 64);   // HERE 65 V4009
    IF(67) DataCopy(y, from, 64);  // HERE 67 V4009
    UNLESS(66) ys.FreeTensor(y);
    IF(68) DataCopy(to[i * 64], y, 64);  // HERE 68 V3010
    IF(69) ys.FreeTensor(y);             // HERE 69 V3006
    IF(70) ys.EnQue(x);                  // HERE 70 V3004
    IF(71) y = ys.DeQue<float>();        // HERE 71 V3005
    LocalTensor<float> z = bound.AllocTensor<float>();
    DataCopy(z, from[i * 64], 64);
    UNLESS(72) {
      bound.EnQue(z);
      z = bound.DeQue<float>();
    }
    IF(73) Adds(z, z, 1.0f, 64);           // HERE 73 V4009
    DataCopy(to[1024 + i * 64], z, 64);    // HERE 72 V4009
    bound.FreeTensor(z);
    IF(74) {
      z = bound.AllocTensor<float>();
      Duplicate(z, 1.0f, 64);  // HERE 74 V4009
      bound.FreeTensor(z);
    }
  }
}

// Memory that each round of a loop hands out anew.
extern "C" __global__ __aicore__ void rounds(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  TPipe pipe;
  for (int i = 0; i < 4; ++i) {
    TQue<TPosition::VECIN, 1> xs;
    TQue<TPosition::VECOUT, 1> ys;
    if (left_out == 77 && i == 1) pipe.InitBuffer(ys, 1, 256);
    pipe.InitBuffer(xs, 1, 256);
    if (left_out != 77 || i != 1) pipe.InitBuffer(ys, 1, 256);
    LocalTensor<float> x = xs.AllocTensor<float>();
    DataCopy(x, from[i * 64], 64);  // HERE 77 V4009
    xs.EnQue(x);
    x = xs.DeQue<float>();
    LocalTensor<float> y = ys.AllocTensor<float>();
    Adds(y, x, 1.0f, 64);
    ys.EnQue(y);
    xs.FreeTensor(x);
    y = ys.DeQue<float>();
    DataCopy(to[i * 64], y, 64);
    ys.FreeTensor(y);
    pipe.Reset();
  }
}

// Two pools over the same bytes, one after the other.
extern "C" __global__ __aicore__ void pools(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  TPipe pipe;
  TBufPool<TPosition::VECCALC> first, second;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> xs, ys;
  pipe.InitBufPool(first, 1024);
  pipe.InitBufPool(second, 1024, first);
  first.InitBuffer(xs, 1, 256);
  LocalTensor<float> x = xs.AllocTensor<float>();
  DataCopy(x, from, 64);
  xs.EnQue(x);
  x = xs.DeQue<float>();
  DataCopy(to, x, 64);
  xs.FreeTensor(x);
  UNLESS(79) first.Reset();
  second.InitBuffer(ys, 2, 512);
  LocalTensor<float> y = ys.AllocTensor<float>();
  DataCopy(y, from[64], 128);  // HERE 79 V4009
  ys.EnQue(y);
  y = ys.DeQue<float>();
  DataCopy(to[64], y, 128);
  ys.FreeTensor(y);
}

// Two buffers in turns, in place.
extern "C" __global__ __aicore__ void ping_pong(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  LocalTensor<float> x[] = {local<float>(TPosition::VECIN, 0, 64), local<float>(TPosition::VECIN, 256, 64)};
  UNLESS(81) {
    SetFlag<HardEvent::MTE3_MTE2>(0);
    SetFlag<HardEvent::MTE3_MTE2>(1);
  }
  for (int i = 0; i < 6; ++i) {
    const int turn = i % 2;
    UNLESS(82) WaitFlag<HardEvent::MTE3_MTE2>(turn);  // HERE 81 V4001
    DataCopy(x[turn], from[i * 64], 64);  // HERE 82 V4009
    SetFlag<HardEvent::MTE2_V>(turn);
    WaitFlag<HardEvent::MTE2_V>(left_out == 83 ? 1 - turn : turn);  // HERE 83 V4001
    Adds(x[turn], x[turn], 1.0f, 64);
    UNLESS(84) {
      SetFlag<HardEvent::V_MTE3>(turn);
      WaitFlag<HardEvent::V_MTE3>(turn);
    }
    DataCopy(to[i * 64], x[turn], 64);  // HERE 84 V4009
    if (left_out == 85 && i == 5) continue;
    UNLESS(82) SetFlag<HardEvent::MTE3_MTE2>(left_out == 86 ? 1 - turn : turn);  // HERE 86 V4002, HERE 88 V4003
    IF(87) SetFlag<HardEvent::MTE3_MTE2>(turn);  // HERE 87 V4002
    IF(89) WaitFlag<HardEvent::V_MTE2>(turn);    // HERE 89 V4001
    IF(90) SetFlag<HardEvent::V_S>(8);           // HERE 90 V4004
  }
  if (left_out == 82 || left_out == 88) return;
  WaitFlag<HardEvent::MTE3_MTE2>(0);
  WaitFlag<HardEvent::MTE3_MTE2>(1);  // HERE 85 V4001
}

// Results of unwritten memory that are no NaN.
extern "C" __global__ __aicore__ void hidden(GM_ADDR, GM_ADDR out, int32_t left_out) {
  GlobalTensor<int32_t> to = global<int32_t>(out);
  LocalTensor<float> x = local<float>(TPosition::VECCALC, 0, 64), y = local<float>(TPosition::VECCALC, 256, 64);
  LocalTensor<half> h = local<half>(TPosition::VECCALC, 512, 64);
  LocalTensor<float> z = local<float>(TPosition::VECOUT, 1024, 64);
  LocalTensor<int32_t> number = local<int32_t>(TPosition::VECOUT, 1024, 64);
  LocalTensor<uint8_t> bits = local<uint8_t>(TPosition::VECCALC, 2048, 32);
  Duplicate(y, 2.0f, 64);
  Duplicate(z, 0.0f, 64);
  UNLESS(101) UNLESS(102) UNLESS(103) Duplicate(x, 1.0f, 64);
  UNLESS(104) Duplicate(h, half(1.0f), 64);
  PipeBarrier<PIPE_ALL>();
  if (left_out == 102 || left_out == 103) {
    Compare(bits, x, y, left_out == 102 ? CMPMODE::LT : CMPMODE::GT, 64);
    Select(z, bits, y, 1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
  } else if (left_out == 104) {
    Cast(number, h, RoundMode::CAST_RINT, 64);
  } else {
    Cast(number, x, RoundMode::CAST_RINT, 64);
  }
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, number, 64);  // HERE 101 V1013, HERE 102 V1013, HERE 103 V1013, HERE 104 V1013
}

// A product, its way out, and the unit flags between them.
extern "C" __global__ __aicore__ void product(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<half> from = global<half>(in);
  GlobalTensor<float> to = global<float>(out);
  LocalTensor<half> l1 = local<half>(TPosition::A1, 0, 1024);
  LocalTensor<half> a = local<half>(TPosition::A2, 0, 256), b = local<half>(TPosition::B2, 0, 256);
  LocalTensor<float> c = local<float>(TPosition::CO1, 0, 256);
  UNLESS(111) DataCopy(l1, from, left_out == 112 ? 128 : 512);
  PipeBarrier<PIPE_ALL>();
  const int32_t fractals = left_out == 126 ? 257 : 1;
  UNLESS(113) LoadData(a, l1, LoadData2DParams(0, fractals, 1, 0, 0, false, 0));  // HERE 126 V2001
  LoadData(b, left_out == 114 ? l1[1024] : l1[256], LoadData2DParams(0, 1, 1, 0, 0, false, 0));  // HERE 114 V1001
  PipeBarrier<PIPE_ALL>();
  MmadParams params;
  params.m = params.n = 16;
  params.k = left_out == 115 ? 32 : 16;
  params.cmatrixInitVal = left_out != 116;
  params.unitFlag = 2;
  Mmad(c, a, b, params);  // HERE 115 V1011
  params.cmatrixInitVal = false;
  params.unitFlag = left_out == 117 ? 2 : 3;
  PipeBarrier<PIPE_M>();
  UNLESS(118) Mmad(c, a, b, params);
  IF(119) Mmad(c, a, b, params);  // HERE 119 V4001
  FixpipeParamsV220 store;
  store.nSize = store.mSize = store.srcStride = store.dstStride = 16;
  IF(120) store.dstStride = 8;
  IF(121) store.dstStride = 0;
  IF(122) store.srcStride = 8;
  IF(123) store.nSize = store.dstStride = 32;
  if (left_out == 124) {
    store.ndNum = 2;
    store.mSize = 8;
    store.srcNdStride = 1;
    store.dstNdStride = 8;
  }
  store.unitFlag = 3;
  Fixpipe(to, c, store);  // HERE 111 V1013, HERE 112 V1013, HERE 113 V1013, HERE 116 V1013, HERE 117 V4001, HERE 118 V4001, HERE 120 V2009, HERE 121 V2001, HERE 122 V2002, HERE 123 V1011, HERE 124 V2009
  IF(125) Fixpipe(to, c, store);  // HERE 125 V4001
}

// Numbers that the core keeps in 8 bits: as many as there may be, or one more.
extern "C" __global__ __aicore__ void often(GM_ADDR, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECCALC, 0, 64), y = local<float>(TPosition::VECCALC, 256, 64);
  LocalTensor<float> z = local<float>(TPosition::VECOUT, 512, 64);
  LocalTensor<half> h = local<half>(TPosition::VECCALC, 1024, 64);
  const auto times = [&](int32_t number) { return left_out == number ? 256 : 255; };
  const auto stride = [&](int32_t number) { return left_out == number ? 256 : 0; };
  const uint64_t all[2] = {~uint64_t{0}, 0};
  Duplicate(x, 1.0f, all, times(131), 1, 0);  // HERE 131 V2001
  Duplicate(x, 1.0f, uint64_t(64), 1, 1, left_out == 132 ? 256 : 255);  // HERE 132 V2001
  Duplicate(x, 1.0f, uint64_t(64), left_out == 133 ? 1000 : 0, 1, 0);  // HERE 133 V2001
  Adds(y, x, 1.0f, uint64_t(64), times(134), UnaryRepeatParams(1, 1, 0, stride(135)));  // HERE 134 V2001, HERE 135 V2001
  Add(z, x, y, uint64_t(64), times(136), BinaryRepeatParams(1, 1, 1, 0, stride(137), 0));  // HERE 136 V2001, HERE 137 V2001
  Max(z, x, y, uint64_t(64), 1, BinaryRepeatParams(1, 1, left_out == 138 ? 257 : 1, 8, 8, 8));  // HERE 138 V2001
  Cast(h, x, RoundMode::CAST_NONE, uint64_t(64), times(139), UnaryRepeatParams(1, 1, 0, 0));  // HERE 139 V2001
  Adds(y, x, 1.0f, uint64_t(left_out == 140 ? 0 : 64), 1, UnaryRepeatParams());  // HERE 140 V2003
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, z, 64);
}

// The same of what the 910 has not.
extern "C" __global__ __aicore__ void newer(GM_ADDR, GM_ADDR out, int32_t left_out) {
  GlobalTensor<half> to = global<half>(out);
  LocalTensor<half> x = local<half>(TPosition::VECCALC, 0, 2048), y = local<half>(TPosition::VECCALC, 4096, 2048);
  LocalTensor<half> z = local<half>(TPosition::VECCALC, 8192, 128 * 255);
  LocalTensor<uint8_t> bits = local<uint8_t>(TPosition::VECCALC, 131072, 16 * 255);
  LocalTensor<uint32_t> offsets = local<uint32_t>(TPosition::VECCALC, 139264, 8 * 255);
  LocalTensor<half> a = local<half>(TPosition::A2, 0, 256);
  const auto times = [&](int32_t number) { return left_out == number ? 256 : 255; };
  Duplicate(x, half(1.0f), 2048);
  Duplicate(y, half(2.0f), 2048);
  Duplicate(offsets.ReinterpretCast<int32_t>(), 0, 8 * 255);
  PipeBarrier<PIPE_ALL>();
  Compare(bits, x, y, CMPMODE::LT, uint64_t(128), times(151), BinaryRepeatParams(1, 1, 1, 8, 0, 0));  // HERE 151 V2001
  Select(z, bits, x, y, SELMODE::VSEL_TENSOR_TENSOR_MODE, uint64_t(128), times(152), BinaryRepeatParams(1, 1, 1, 0, 0, 0));  // HERE 152 V2001
  Gather(z, x, offsets, 0U, uint64_t(128), left_out == 153 ? 256 : 15, uint16_t(8));  // HERE 153 V2001
  Gatherb(z.ReinterpretCast<uint16_t>(), x.ReinterpretCast<uint16_t>(), offsets, times(154), GatherRepeatParams(1, 8));  // HERE 154 V2001
  Brcb(z, x, times(155), BrcbRepeatParams(1, 8));  // HERE 155 V2001
  Copy(z, x, uint64_t(128), times(156), CopyRepeatParams(1, 1, 0, 0));  // HERE 156 V2001
  LocalTensor<half> dst[16], src[16];
  for (int i = 0; i < 16; ++i) {
    dst[i] = z[i * 16];
    src[i] = x[i * 16];
  }
  TransDataTo5HDParams blocks(false, false, times(157), 0, 0);
  TransDataTo5HD(dst, src, blocks);  // HERE 157 V2001
  SetMaskCount();
  Adds(z, x, half(1.0f), uint64_t(256), 1000, UnaryRepeatParams());  // the number of elements counts
  SetMaskNorm();
  ResetMask();
  Brcb(z, x, left_out == 158 ? 65536 : 1, BrcbRepeatParams(1, 8));  // HERE 158 V2001
  LocalTensor<half> l1 = local<half>(TPosition::A1, 0, 1024);
  LoadData2dTransposeParams squares(0, left_out == 159 ? 256 : 0, 1, 0, 0);
  IF(159) LoadDataWithTranspose(a, l1, squares);  // HERE 159 V2001
  SetLoadDataRepeat(LoadDataRepeatParam(0, left_out == 160 ? 257 : 1, 0));  // HERE 160 V2001
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, z, 128);
}

// Scalar code and copies that look at the same lines of GM.
extern "C" __global__ __aicore__ void cache(GM_ADDR, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 64);
  const auto clean = [&](int number, uint32_t at) {
    UNLESS(number) DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE>(to[at]);
    PipeBarrier<PIPE_ALL>();
  };
  to.SetValue(0, 1.0f);
  clean(171, 0);
  DataCopy(x, to, 64);  // HERE 171 V4014
  to.SetValue(64, 2.0f);
  clean(172, 64);
  DataCopy(to[72], x, 8);  // HERE 172 V4014
  DataCopy(to[80], x, 8);  // the next line
  x.SetValue(0, to.GetValue(128));
  PipeBarrier<PIPE_ALL>();
  DataCopy(to[128], x, 8);
  PipeBarrier<PIPE_ALL>();
  IF(174) to.SetValue(140, 1.0f);  // HERE 174 V4014
  clean(173, 128);
  x.SetValue(0, to.GetValue(129));  // HERE 173 V4014
}

// Identifiers that are not the kernel's own.
extern "C" __global__ __aicore__ void owners(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  TBuf<TPosition::VECCALC> buffer, empty;
  pipe.InitBuffer(queue, 2, 256);
  pipe.InitBuffer(buffer, 256);
  LocalTensor<float> x = queue.AllocTensor<float>(), y = buffer.Get<float>();
  IF(178) y = empty.Get<float>();  // HERE 178 V3001
  DataCopy(x, from, 64);
  queue.EnQue(x);
  int32_t event = left_out == 175 ? 0 : left_out == 179 ? 1 : pipe.FetchEventID(HardEvent::MTE2_V);
  SetFlag<HardEvent::MTE2_V>(event);  // HERE 175 V4016
  WaitFlag<HardEvent::MTE2_V>(event);
  x = queue.DeQue<float>();
  Adds(y, x, 1.0f, 64);
  queue.FreeTensor(x);
  IF(176) SetFlag<HardEvent::V_MTE2>(0);  // HERE 176 V4016
  IF(176) WaitFlag<HardEvent::V_MTE2>(0);
  event = left_out == 177 ? 6 : left_out == 181 ? 7 : 0;
  SetFlag<HardEvent::V_MTE3>(event);  // HERE 177 V4016, HERE 181 V4016
  WaitFlag<HardEvent::V_MTE3>(event);
  DataCopy(to, y, 64);
}

// A queue's buffers take turns, so that what waits for one says nothing of the round before.
extern "C" __global__ __aicore__ void in_turns(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  TPipe pipe;
  TQue<TPosition::VECOUT, 1> queue;
  TBuf<TPosition::VECCALC> source, scratch;
  pipe.InitBuffer(queue, left_out == 182 ? 1 : 2, 256);
  pipe.InitBuffer(source, 256);
  pipe.InitBuffer(scratch, 256);
  LocalTensor<float> x = source.Get<float>(), z = scratch.Get<float>();
  DataCopy(x, from, 64);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  for (int i = 0; i < 4; ++i) {
    LocalTensor<float> y = queue.AllocTensor<float>();
    Adds(z, x, float(i), 64);  // HERE 180 V4009
    Adds(y, z, 1.0f, 64);
    queue.EnQue(y);
    y = queue.DeQue<float>();
    DataCopy(to[i * 64], left_out == 180 ? z : y, 64);
    queue.FreeTensor(y);
  }
}

// As many bytes as are known leave, or one element more.
extern "C" __global__ __aicore__ void exact(GM_ADDR, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECOUT, 0, 8);
  Duplicate(x, 1.0f, uint64_t(5), 1, 1, 8);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(to, x, {1, uint16_t(left_out == 183 ? 24 : 20), 0, 0});  // HERE 183 V1013
  DataCopy(to[64], x, 8);
}

static int32_t rounds_of_all = 0;  // of all blocks

extern "C" __global__ __aicore__ void shared(GM_ADDR, GM_ADDR out, int32_t left_out) {
  static int32_t calls = 0;  // of all blocks
  int32_t own = 0;
  IF(184) ++rounds_of_all;
  IF(185) ++calls;
  ++own;
  global<float>(out).SetValue(GetBlockIdx() * 16, float(own));
}

// Buffers that are asked for twice, and what lies behind the bytes that were asked for.
extern "C" __global__ __aicore__ void asked(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  TBuf<TPosition::VECCALC> buffer, nothing;
  pipe.InitBuffer(queue, 1, left_out == 193 ? 100 : 512);
  IF(191) pipe.InitBuffer(queue, 1, 512);  // HERE 191 V2008
  pipe.InitBuffer(buffer, left_out == 194 ? 504 : 512);
  IF(192) pipe.InitBuffer(buffer, 512);  // HERE 192 V2008
  pipe.InitBuffer(nothing, left_out == 195 ? 0 : 32);
  LocalTensor<float> x = queue.AllocTensor<float>(), y = buffer.Get<float>(), z = nothing.Get<float>();
  DataCopy(x, from, left_out == 193 ? 32 : 128);  // copies take whole datablocks
  queue.EnQue(x);
  x = queue.DeQue<float>();
  const float last = left_out == 193 ? x.GetValue(25) : x.GetValue(24);  // HERE 193 V1011
  Duplicate(y, last, 128);
  SetFlag<HardEvent::V_S>(EVENT_ID1);
  WaitFlag<HardEvent::V_S>(EVENT_ID1);
  y.SetValue(left_out == 194 ? 127 : 125, 2.0f);  // HERE 194 V1011
  z.SetValue(0, last);  // HERE 195 V1001
  PipeBarrier<PIPE_ALL>();
  IF(203) x.SetValue(-1, 1.0f);  // HERE 203 V1001
  LocalTensor<float> unset;
  IF(204) Adds(unset, y, 1.0f, 64);  // HERE 204 V1005
  BinaryRepeatParams to_one(1, 1, 1, left_out == 196 ? 0 : 8, 8, 8);
  UnaryRepeatParams one(1, 1, left_out == 197 ? 0 : 8, 8);
  IF(200) to_one.dstRepStride = to_one.src1RepStride = 0;  // adds up
  if (left_out != 193) Add(y, x, left_out == 200 ? y : x, uint64_t(64), 2, to_one);  // HERE 196 V2009
  if (left_out != 193) Muls(x, y, 2.0f, uint64_t(64), 2, one);  // HERE 197 V2009
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, x, 24);
  queue.FreeTensor(x);
  IF(201) pipe.Reset();
  IF(201) pipe.InitBuffer(queue, 1, 512);
  IF(201) pipe.InitBuffer(buffer, 512);
}
