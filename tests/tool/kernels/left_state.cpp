// Correct kernels, from each of which a launch can leave one statement out. The line WRITES n is then
// told: what it left is still there at the end, or the line TAKES n works with it.
#include "left_out.h"

namespace {

constexpr uint64_t kEven = 0x5555555555555555;

struct Buffers {
  Buffers() {
    Duplicate(x, 1.0f, 128);
    Duplicate(y, 2.0f, 128);
    PipeBarrier<PIPE_V>();
  }
  template <bool set = false, class Mask>
  void add(Mask mask) {
    Add<float, set>(y, x, x, mask, 1, {1, 1, 1, 8, 8, 8});
    PipeBarrier<PIPE_V>();
  }

  LocalTensor<float> x = local<float>(TPosition::VECCALC, 0, 128);
  LocalTensor<float> y = local<float>(TPosition::VECCALC, 512, 128);
};

}  // namespace

extern "C" __global__ __aicore__ void masks(GM_ADDR, GM_ADDR, int32_t left_out) {
  Buffers buffers;
  SetVectorMask<float>(0, kEven);
  buffers.add(MASK_PLACEHOLDER);
  ResetMask();
  buffers.add(MASK_PLACEHOLDER);
  buffers.add<true>(uint64_t(8));
  buffers.add<true>(uint64_t(8));  // WRITES 2
  UNLESS(2) ResetMask();
  buffers.add(MASK_PLACEHOLDER);  // TAKES 2 MASK, which a call with a mask of its own has left
  SetVectorMask<float>(16);  // WRITES 1 MASK is not all lanes
  buffers.add(MASK_PLACEHOLDER);
  UNLESS(1) ResetMask();
}

extern "C" __global__ __aicore__ void counts(GM_ADDR, GM_ADDR, int32_t left_out) {
  Buffers buffers;
  SetMaskNorm();
  ResetMask();
  UNLESS(13) SetMaskCount();  // WRITES 11 vector calls are still in Counter mode
  SetVectorMask<float, MaskMode::COUNTER>(100);  // WRITES 12 MASK is not all lanes, WRITES 13
  buffers.add(MASK_PLACEHOLDER);  // TAKES 13 lanes in MASK, which holds a number of elements
  UNLESS(14) SetVectorMask<float>(0, 100);
  if (left_out == 14) SetVectorMask<float>(6);  // WRITES 14
  buffers.add(MASK_PLACEHOLDER);  // TAKES 14 a number of elements in MASK, which holds lanes
  if (left_out == 12) SetVectorMask<float, MaskMode::COUNTER>(100);  // WRITES 12
  UNLESS(11) SetMaskNorm();
  UNLESS(12) ResetMask();
}

extern "C" __global__ __aicore__ void modes(GM_ADDR, GM_ADDR, int32_t left_out) {
  Buffers buffers;
  const BinaryRepeatParams strides(1, 1, 1, 8, 8, 8);
  // A number of elements, in as many repeats as it needs, or in one that says nothing.
  SetMaskCount();  // WRITES 15
  Add(buffers.y, buffers.x, buffers.x, uint64_t(128), 2, strides);
  Add(buffers.y, buffers.x, buffers.x, uint64_t(64), 1, strides);
  UNLESS(15) SetMaskNorm();
  Add(buffers.y, buffers.x, buffers.x, uint64_t(64), 2, strides);  // TAKES 15 mask 64 as the number of all elements
  SetMaskNorm();
}

extern "C" __global__ __aicore__ void atomics(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  Buffers buffers;
  SetAtomicNone();
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  SetAtomicAdd<float>();  // WRITES 21 copies into GM still combine
  DataCopy(global<float>(out), buffers.x, 64);
  UNLESS(21) SetAtomicNone();
}

extern "C" __global__ __aicore__ void saturation(GM_ADDR, GM_ADDR, int32_t left_out) {
  AscendCUtils::SetOverflow(1);
  AscendCUtils::SetOverflow(0);  // WRITES 31 half and bfloat16 results
  UNLESS(31) AscendCUtils::SetOverflow(1);
  SetCastOverflowMode<true>();  // WRITES 32 conversions to integers
  UNLESS(32) SetCastOverflowMode<false>();
}

extern "C" __global__ __aicore__ void products(GM_ADDR, GM_ADDR, int32_t left_out) {
  SetHF32Mode(true);  // WRITES 41 products of floats are still in HF32
  UNLESS(41) SetHF32Mode(false);
  SetHF32TransMode(true);  // WRITES 42 HF32 still rounds ties away
  UNLESS(42) SetHF32TransMode(false);
  SetLoadDataBoundary(1024);  // WRITES 43 3D loads still read L1 as a ring
  UNLESS(43) SetLoadDataBoundary(0);
  SetSaturationFlag<SaturationMode::INT>(true);  // WRITES 44 results of integer arithmetic
  UNLESS(44) SetSaturationFlag<SaturationMode::INT>(false);
}

extern "C" __global__ __aicore__ void paddings(GM_ADDR in, GM_ADDR, int32_t left_out) {
  const LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 64);
  const GlobalTensor<float> from = global<float>(in);
  SetPadValue(7.0f);
  DataCopyPad(x, from, {1, 12, 0, 0}, {true, 0, 5, 1});  // WRITES 51
  PipeBarrier<PIPE_MTE2>();
  UNLESS(51) SetPadValue(7.0f);
  DataCopyPad(x, from, {1, 12, 0, 0}, {false, 0, 5, 0});  // TAKES 51 the padding value
  PipeBarrier<PIPE_MTE2>();
  DataCopyPad(x, from, {1, 12, 0, 0}, {true, 0, 5, 1});
  PipeBarrier<PIPE_MTE2>();
  DataCopyPad(x, from, {1, 12, 0, 0}, {false, 0, 0, 0});
}

extern "C" __global__ __aicore__ void events(GM_ADDR, GM_ADDR, int32_t left_out) {
  TPipe pipe;
  const TEventID id = pipe.AllocEventID<HardEvent::MTE2_V>();  // WRITES 61 identifier 0 of MTE2_V
  SetFlag<HardEvent::MTE2_V>(id);
  WaitFlag<HardEvent::MTE2_V>(id);
  UNLESS(61) pipe.ReleaseEventID<HardEvent::MTE2_V>(id);
}

// The line ALONE takes a scale that nothing has set.
extern "C" __global__ __aicore__ void scales(GM_ADDR, GM_ADDR, int32_t left_out) {
  const auto x = local<int32_t>(TPosition::VECCALC, 0, 64);
  const auto y = local<half>(TPosition::VECCALC, 1024, 64);
  Duplicate(x, 3, 64);
  PipeBarrier<PIPE_V>();
  UNLESS(71) SetDeqScale(half(2.0f));
  Cast(y, x, RoundMode::CAST_NONE, 64);  // ALONE 71
  PipeBarrier<PIPE_V>();
  SetDeqScale(half(1.0f));
  AddDeqRelu(y, x, x, 64);
}
