// One kernel for all functions that work element by element: `function` is the place in the list,
// `form` 0: with scratch memory and a count, 1: without scratch, 2: for all of src, 3: both.
#include "kernel_operator.h"

using namespace AscendC;

template <class T>
struct Tensors {
  LocalTensor<T> a, b, dst;
  LocalTensor<uint8_t> scratch;
};

#define FORMS(Name, sources)                                       \
  if (function == next++) {                                        \
    if (form == 0) Name(t.dst, SOURCES sources, t.scratch, count); \
    if (form == 1) Name(t.dst, SOURCES sources, count);            \
    if (form == 2) Name(t.dst, SOURCES sources, t.scratch);        \
    if (form == 3) Name(t.dst, SOURCES sources);                   \
  }
#define SOURCES(...) __VA_ARGS__
#define ONE(Name) FORMS(Name, (t.a))
#define TWO(Name) FORMS(Name, (t.a, t.b))
#define COUNTED(call) \
  if (function == next++) call;

template <class T>
__aicore__ void call(const Tensors<T>& t, uint32_t function, uint32_t form, uint32_t count) {
  uint32_t next = 0;
  ONE(Acos)
  ONE(Acosh) ONE(Asin) ONE(Asinh) ONE(Atan) ONE(Atanh) ONE(Ceil) ONE(Cos) ONE(Cosh) ONE(Digamma)
      ONE(Erf) ONE(Erfc) ONE(Floor) ONE(Frac) ONE(Lgamma) ONE(Log) ONE(Log10) ONE(Log2) ONE(Round)
          ONE(Sigmoid) ONE(Sign) ONE(Sin) ONE(Sinh) ONE(Tan) ONE(Tanh) ONE(Trunc) TWO(Fmod)
              TWO(GeGLU) TWO(Power) TWO(ReGlu) FORMS(Power, (t.a, T(3.0f))) FORMS(
                  Power, (T(2.0f), t.b)) FORMS(SwiGLU, (t.a, t.b, 0.5f))
                  COUNTED(ClampMax(t.dst, t.a, t.scratch, T(0.5f), count)) COUNTED(
                      ClampMin(t.dst, t.a, T(0.5f), count)) COUNTED(Silu(t.dst, t.a, count))
                      COUNTED(Swish(t.dst, t.a, count, T(1.5f))) COUNTED(Gelu(
                          t.dst, t.a, t.scratch, count)) COUNTED((Gelu<T, true>(t.dst, t.a, count)))
                          COUNTED((Gelu<T, false, true>(t.dst, t.a, count)))
                              COUNTED(FasterGelu(t.dst, t.a, t.scratch, count))
                                  COUNTED(FasterGeluV2(t.dst, t.a, count))
                                      COUNTED((Exp<T, 10>(t.dst, t.a, t.scratch, count)))
                                          COUNTED((Axpy(t.dst, t.a, T(1.5f), t.scratch, count)))
}

template <class T>
__aicore__ void run(GM_ADDR a, GM_ADDR b, GM_ADDR before, GM_ADDR out, uint32_t size,
                    uint32_t function, uint32_t form, uint32_t count, uint32_t scratch) {
  TPipe pipe;
  GlobalTensor<T> from[3], to;
  from[0].SetGlobalBuffer((__gm__ T*)a, size);
  from[1].SetGlobalBuffer((__gm__ T*)b, size);
  from[2].SetGlobalBuffer((__gm__ T*)before, size);
  to.SetGlobalBuffer((__gm__ T*)out, size);
  TBuf<TPosition::VECCALC> room[4];
  for (int i = 0; i < 3; ++i) pipe.InitBuffer(room[i], size * sizeof(T));
  pipe.InitBuffer(room[3], scratch);
  Tensors<T> t{room[0].Get<T>(), room[1].Get<T>(), room[2].Get<T>(), room[3].Get<uint8_t>()};
  DataCopy(t.a, from[0], size);
  DataCopy(t.b, from[1], size);
  DataCopy(t.dst, from[2], size);
  PipeBarrier<PIPE_ALL>();
  call(t, function, form, count);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, t.dst, size);
}

extern "C" __global__ __aicore__ void floats(GM_ADDR a, GM_ADDR b, GM_ADDR before, GM_ADDR out,
                                             uint32_t size, uint32_t function, uint32_t form,
                                             uint32_t count, uint32_t scratch) {
  run<float>(a, b, before, out, size, function, form, count, scratch);
}
extern "C" __global__ __aicore__ void halves(GM_ADDR a, GM_ADDR b, GM_ADDR before, GM_ADDR out,
                                             uint32_t size, uint32_t function, uint32_t form,
                                             uint32_t count, uint32_t scratch) {
  run<half>(a, b, before, out, size, function, form, count, scratch);
}

extern "C" __global__ __aicore__ void integers(GM_ADDR a, GM_ADDR b, GM_ADDR out, GM_ADDR xored,
                                               uint32_t power) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> room[3];
  for (auto& part : room) pipe.InitBuffer(part, 256);
  GlobalTensor<int32_t> from[2], to, bits;
  from[0].SetGlobalBuffer((__gm__ int32_t*)a, 64);
  from[1].SetGlobalBuffer((__gm__ int32_t*)b, 64);
  to.SetGlobalBuffer((__gm__ int32_t*)out, 64);
  bits.SetGlobalBuffer((__gm__ int32_t*)xored, 64);
  LocalTensor<int32_t> x = room[0].Get<int32_t>(), y = room[1].Get<int32_t>(),
                       z = room[2].Get<int32_t>();
  DataCopy(x, from[0], 64);
  DataCopy(y, from[1], 64);
  PipeBarrier<PIPE_ALL>();
  if (power) {
    Power(z, x, y, 64u);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, z, 64);
    PipeBarrier<PIPE_ALL>();
  }
  Xor(z.ReinterpretCast<int16_t>(), x.ReinterpretCast<int16_t>(), y.ReinterpretCast<int16_t>());
  PipeBarrier<PIPE_ALL>();
  DataCopy(bits, z, 64);
}
