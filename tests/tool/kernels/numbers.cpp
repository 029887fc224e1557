// Arithmetic whose results do not fit, where a launch asks for it. The line HERE n is told then; with
// another number its operands are such that all fits.
#include "left_out.h"

namespace {

// Operands in element 5 of 64, 1 elsewhere.
template <class T>
struct Operands {
  Operands(T first, T second) {
    Duplicate(x, T(1), 64);
    Duplicate(y, T(1), 64);
    PipeBarrier<PIPE_ALL>();
    x.SetValue(5, first);
    y.SetValue(5, second);
    PipeBarrier<PIPE_ALL>();
  }
  ~Operands() { PipeBarrier<PIPE_ALL>(); }

  LocalTensor<T> x = local<T>(TPosition::VECCALC, 0, 64);
  LocalTensor<T> y = local<T>(TPosition::VECCALC, 1024, 64);
  LocalTensor<T> z = local<T>(TPosition::VECCALC, 2048, 64);
};

}  // namespace

extern "C" __global__ __aicore__ void floats(GM_ADDR, GM_ADDR, int32_t wrong) {
  {
    Operands<float> of(wrong == 1 ? 100.0f : 80.0f, 2.0f);
    Exp(of.z, of.x, 64);  // HERE 1 V2014 z[5] inf 100
  }
  {
    Operands<float> of(wrong == 2 ? -3.0f : 3.0f, 2.0f);
    Ln(of.z, of.x, 64);  // HERE 2 V2014 z[5] nan -3
    PipeBarrier<PIPE_V>();
    Adds(of.z, of.z, 1.0f, 64);
  }
  {
    Operands<float> of(3.0f, wrong == 3 ? 0.0f : 2.0f);
    Div(of.z, of.x, of.y, 64);  // HERE 3 V2017 z[5] quotient 0
  }
  {
    Operands<float> of(wrong == 4 ? 0.0f : 2.0f, 2.0f);
    Reciprocal(of.x, of.x, 64);  // HERE 4 V2017 z[5] quotient 0
  }
  {
    Operands<float> of(wrong == 5 ? 3e38f : 3.0f, 3e38f);
    Add(of.y, of.x, of.y, uint64_t(64), 1, {1, 1, 1, 8, 8, 8});  // HERE 5 V2014 z[5] inf 3e+38
  }
}

extern "C" __global__ __aicore__ void narrow(GM_ADDR, GM_ADDR, int32_t wrong) {
  {
    Operands<float> of(wrong == 11 ? 70000.0f : 60000.0f, 2.0f);
    Cast(local<int32_t>(TPosition::VECCALC, 2048, 64), of.x, RoundMode::CAST_RINT, 64);
    PipeBarrier<PIPE_V>();
    Cast(local<half>(TPosition::VECCALC, 4096, 64), of.x, RoundMode::CAST_NONE, 64);  // HERE 11 V20.. z[5] 70000
  }
  {
    Operands<half> of(half(wrong == 12 ? 300.0f : 100.4f), half(2.0f));
    Cast(local<int8_t>(TPosition::VECCALC, 2048, 64), of.x, RoundMode::CAST_NONE, 64);  // HERE 12 V2015 z[5] 300
  }
  {
    Operands<half> of(half(wrong == 13 ? 60000.0f : 50000.0f), half(10000.0f));
    Add(of.z, of.x, of.y, 64);  // HERE 13 V20.. z[5] 60000
  }
}

extern "C" __global__ __aicore__ void integers(GM_ADDR, GM_ADDR, int32_t wrong) {
  {
    Operands<int32_t> of(wrong == 21 ? 2000000000 : 1000000000, 1000000000);
    Add(of.z, of.x, of.y, 64);  // HERE 21 V2016 z[5] 3000000000
  }
  {
    Operands<int32_t> of(wrong == 22 ? -2000000000 : -1000000000, 1000000000);
    Sub(of.z, of.x, of.y, 64);  // HERE 22 V2016 z[5] -3000000000
  }
}

// What the 910 has not.
extern "C" __global__ __aicore__ void newer(GM_ADDR, GM_ADDR, int32_t wrong) {
  {
    Operands<float> of(wrong == 6 ? 3e38f : 3.0f, 2.0f);
    Duplicate(of.y, wrong == 6 ? 3e38f : 1.0f, 64);
    PipeBarrier<PIPE_V>();
    WholeReduceSum(of.z, of.y, 64, 1, 1, 1, 8);  // HERE 6 V2014 z[0] inf finite
  }
  {
    Operands<int16_t> of(wrong == 23 ? 300 : 100, 200);
    Mul(of.z, of.x, of.y, 64);  // HERE 23 V2016 z[5] 60000
  }
  {
    Operands<int32_t> of(wrong == 24 ? 1 << 30 : 1 << 29, 1);
    Muls(of.x, of.x, 3, 64);  // HERE 24 V2016 z[5] 3221225472
  }
  {
    Operands<half> of(half(wrong == 14 ? 200.0f : 100.4f), half(20.0f));
    AddReluCast(local<int8_t>(TPosition::VECCALC, 2048, 64), of.x, of.y, 64);  // HERE 14 V2015 z[5] 220
  }
  {
    Operands<half> of(half(wrong == 15 ? 20.0f : 10.1f), half(15.0f));
    MulCast(local<uint8_t>(TPosition::VECCALC, 2048, 64), of.x, of.y, 64);  // HERE 15 V2015 z[5] 300
  }
  {
    Operands<float> of(wrong == 16 ? 70000.0f : -70000.0f, 1.0f);
    SubReluCast(local<half>(TPosition::VECCALC, 2048, 64), of.x, of.y, 64);  // HERE 16 V20.. z[5] 70000
  }
  {
    Operands<half> of(half(3.0f), half(2.0f));
    Duplicate(of.x, half(wrong == 25 ? 2000.0f : 1000.0f), 64);
    PipeBarrier<PIPE_V>();
    WholeReduceSum(of.z, of.x, 64, 1, 1, 1, 8);  // HERE 25 V20.. z[0] of
  }
}

// Two int4 to a byte.
extern "C" __global__ __aicore__ void nibbles(GM_ADDR, GM_ADDR, int32_t wrong) {
  Operands<half> of(half(wrong == 31 ? 9.0f : -8.0f), half(2.0f));
  LocalTensor<int4b_t> z = local<int4b_t>(TPosition::VECCALC, 2048, 64);
  Cast(z, of.x, RoundMode::CAST_RINT, 64);  // HERE 31 V2015 z[5] 9 int4
}

// All elements of a product alike.
extern "C" __global__ __aicore__ void products(GM_ADDR, GM_ADDR out, int32_t wrong) {
  LocalTensor<half> a = local<half>(TPosition::A2, 0, 256), b = local<half>(TPosition::B2, 0, 256);
  LocalTensor<bfloat16_t> large = local<bfloat16_t>(TPosition::A2, 512, 256);
  LocalTensor<bfloat16_t> ones = local<bfloat16_t>(TPosition::B2, 512, 256);
  LocalTensor<float> c = local<float>(TPosition::CO1, 0, 256), d = local<float>(TPosition::CO1, 1024, 256);
  Fill(a, InitConstValueParams<half>(1, 1, 0, half(wrong == 41 ? 300.0f : 1.0f)));
  Fill(b, InitConstValueParams<half>(1, 1, 0, half(wrong == 41 ? 300.0f : 0.5f)));
  Fill(large, InitConstValueParams<bfloat16_t>(1, 1, 0, ToBfloat16(wrong == 43 ? 3e38f : 1.0f)));
  Fill(ones, InitConstValueParams<bfloat16_t>(1, 1, 0, ToBfloat16(1.0f)));
  PipeBarrier<PIPE_ALL>();
  MmadParams params;
  params.m = params.n = params.k = 16;
  Mmad(c, a, b, params);
  PipeBarrier<PIPE_ALL>();
  Mmad(d, large, ones, params);  // HERE 43 V2014 z[0] inf finite
  PipeBarrier<PIPE_ALL>();
  FixpipeParamsV220 store;
  store.nSize = store.srcStride = store.dstStride = 16;
  store.mSize = 8;
  store.quantPre = QuantMode_t::F322F16;
  Fixpipe(global<half>(out), c, store);  // HERE 41 V2014 z[0] inf finite
  PipeBarrier<PIPE_ALL>();
  store.mSize = 16;
  store.quantPre = QuantMode_t::QF322B8_PRE;
  const float scale = wrong == 42 ? 16.0f : 15.0f;
  store.deqScalar = *reinterpret_cast<const uint32_t*>(&scale) | uint64_t(1) << 46;
  if (wrong != 41) Fixpipe(global<int8_t>(out), c, store);  // HERE 42 V2015 z[0] 128 int8 8 16
}

// A small number that is lost in a large one, moved about, and taken out again. Then a long sum.
extern "C" __global__ __aicore__ void drifts(GM_ADDR in, GM_ADDR out, int32_t wrong) {
  LocalTensor<float> x = local<float>(TPosition::VECCALC, 0, 64), y = local<float>(TPosition::VECCALC, 256, 64);
  LocalTensor<float> z = local<float>(TPosition::VECCALC, 512, 64), w = local<float>(TPosition::VECCALC, 768, 64);
  LocalTensor<half> h = local<half>(TPosition::VECCALC, 1024, 64);
  DataCopy(x, global<float>(in), 64);
  PipeBarrier<PIPE_ALL>();
  Adds(y, x, wrong == 51 ? 10000.0f : 1.0f, 64);
  DataCopy(z, y, 64);
  Adds(z, z, wrong == 51 ? -10000.0f : -1.0f, 64);  // DRIFTS 51
  if (wrong == 52) {
    Cast(h, x, RoundMode::CAST_NONE, 64);  // DRIFTS 52
    Cast(w, h, RoundMode::CAST_NONE, 64);
  }
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<float>(out), z, 64);
}

// Reductions leave in their work tensor what lies behind their steps.
extern "C" __global__ __aicore__ void leftovers(GM_ADDR, GM_ADDR, int32_t) {
  Operands<float> of(1.0f, 2.0f);
  const auto work = local<float>(TPosition::VECCALC, 4096, 64);
  for (bool is_sum : {true, false}) {
    Duplicate(work.ReinterpretCast<int32_t>(), -1, 64);
    PipeBarrier<PIPE_V>();
    if (is_sum) ReduceSum(of.z, of.x, work, 64);
    if (!is_sum) ReduceMax(of.z, of.x, work, 64, true);
    PipeBarrier<PIPE_V>();
  }
}
