// What becomes of all finite halves of one sign: many results are too large for a half.
#include "left_out.h"

namespace {

enum {
  kNothing, kAxpy, kMulAddDst, kAddRelu, kDiv, kReciprocal, kExp, kLn, kLog, kLog10, kCosh, kAcos, kAtanh, kPower,
       kTanh, kSigmoid, kGelu, kInfinite, kLargest, kQuant
};

}  // namespace

extern "C" __global__ __aicore__ void halves(GM_ADDR in, GM_ADDR, int32_t what) {
  constexpr uint32_t kCount = 0x7C00, kBytes = kCount * sizeof(half);
  TPipe pipe;
  TBuf<> x_room, y_room;
  pipe.InitBuffer(x_room, kBytes);
  pipe.InitBuffer(y_room, kBytes + 32);
  const auto x = x_room.Get<half>(), y = y_room.Get<half>();
  const auto one = y[kCount];
  Duplicate(y, half(1.0f), kCount + 16);
  DataCopy(x, global<half>(in), kCount);
  PipeBarrier<PIPE_ALL>();
  if (what == kAxpy) Axpy(y, x, half(2.0f), kCount);
  if (what == kMulAddDst || what == kDiv) {
    PipeBarrier<PIPE_V>();
    Duplicate(one, half(what == kDiv ? 0.125f : 2.0f), 16);
    PipeBarrier<PIPE_V>();
    for (uint32_t i = 0; i < kCount; i += 128 * 124) {
      if (what == kDiv) Div(y[i], x[i], one, 128, 124, {1, 1, 0, 8, 8, 0});
      if (what == kMulAddDst) MulAddDst(y[i], x[i], one, 128, 124, {1, 1, 0, 8, 8, 0});
    }
  }
  if (what == kAddRelu) AddRelu(y, x, x, kCount);
  if (what == kReciprocal) Reciprocal(y, x, kCount);
  if (what == kExp) Exp(y, x, kCount);
  if (what == kLn) Ln(y, x, kCount);
  if (what == kLog) Log(y, x, kCount);
  if (what == kLog10) Log10(y, x, kCount);
  if (what == kCosh) Cosh(y, x, kCount);
  if (what == kAcos) Acos(y, x, kCount);
  if (what == kAtanh) Atanh(y, x, kCount);
  if (what == kPower) Power(y, x, half(2.0f), kCount);
  if (what == kTanh) Tanh(y, x, kCount);
  if (what == kSigmoid) Sigmoid(y, x, kCount);
  if (what == kGelu) Gelu(y, x, kCount);
  if (what == kInfinite) Muls(y, x, half(70000.0f), kCount);
  if (what == kLargest) Maxs(y, x, half(-70000.0f), kCount);  // which chooses, and makes nothing
  if (what == kQuant) AscendQuant(y.ReinterpretCast<int8_t>(), x, 1.0f, 0.0f, kCount);
  PipeBarrier<PIPE_ALL>();
}

// The low bits of what int8 cannot hold.
extern "C" __global__ __aicore__ void low_bits(GM_ADDR in, GM_ADDR out, int32_t) {
  const auto x = local<half>(TPosition::VECCALC, 0, 1024);
  const auto y = local<int8_t>(TPosition::VECCALC, 4096, 1024);
  const auto tmp = local<uint8_t>(TPosition::VECCALC, 8192, 4096);
  DataCopy(x, global<half>(in), 1024);
  PipeBarrier<PIPE_ALL>();
  SetCastOverflowMode<true>();
  AscendQuant(y, x, tmp, 2.0f, 1.0f, 1024);
  SetCastOverflowMode<false>();
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<int8_t>(out), y, 1024);
}

// int16 to 8 bits, by one scale.
extern "C" __global__ __aicore__ void words(GM_ADDR in, GM_ADDR, int32_t) {
  const auto x = local<int16_t>(TPosition::VECCALC, 0, 1024);
  const auto y = local<int8_t>(TPosition::VECCALC, 4096, 2048);
  DataCopy(x, global<int16_t>(in), 1024);
  PipeBarrier<PIPE_ALL>();
  SetDeqScale(0.5f, 3, true);
  PipeBarrier<PIPE_V>();
  CastDequant<int8_t, int16_t, false, false>(y, x, 1024);
  PipeBarrier<PIPE_ALL>();
}
