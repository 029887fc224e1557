// Correct kernels, into each of which a launch can plant one mistake that leaves no trace but wrong
// numbers. The line HERE n is told then, with the code behind it and a word of the message.
#include "left_out.h"

#define IF(number) if (left_out == number)

// A repeat's destination is the source of a later one, which need not be the next one.
extern "C" __global__ __aicore__ void later(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  const auto x = local<float>(TPosition::VECCALC, 0, 1024);
  const auto y = local<float>(TPosition::VECCALC, 4096, 1024);
  DataCopy(x, global<float>(in), 512);
  PipeBarrier<PIPE_ALL>();
  Adds(left_out == 1 ? x[128] : y[128], x, 1.0f, uint64_t(64), 6, {1, 1, 8, 8});  // HERE 1 V1008 2
  PipeBarrier<PIPE_V>();
  Adds(left_out == 2 ? x[256] : y[256], x, 1.0f, uint64_t(64), 8, {1, 1, 8, 8});  // HERE 2 V1008 4
  PipeBarrier<PIPE_V>();
  Add(left_out == 3 ? x[192] : y, y, x, uint64_t(64), 4, {1, 1, 1, 8, 8, 8});  // HERE 3 V1008 src1
  PipeBarrier<PIPE_V>();
  // Only the tail of a Counter mode is in the way.
  Adds(left_out == 4 ? x[128] : y, x, 1.0f, 130);  // HERE 4 V1008 2
  PipeBarrier<PIPE_V>();
  // In place, apart, and behind what has been read.
  Adds(x, x, 1.0f, uint64_t(64), 8, {1, 1, 8, 8});
  Adds(x[512], x, 1.0f, uint64_t(64), 8, {1, 1, 8, 8});
  Adds(x, x[64], 1.0f, uint64_t(64), 8, {1, 1, 4, 8});
  Cast(x.ReinterpretCast<half>(), x, RoundMode::CAST_NONE, uint64_t(64), 8, {1, 1, 4, 8});
  PipeBarrier<PIPE_ALL>();
  Duplicate(x, 1.0f, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<float>(out), x, 64);
}

// The same of reductions and squares.
extern "C" __global__ __aicore__ void later_sums(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  const auto x = local<float>(TPosition::VECCALC, 0, 512);
  const auto y = local<float>(TPosition::VECCALC, 4096, 512);
  DataCopy(x, global<float>(in), 512);
  PipeBarrier<PIPE_ALL>();
  WholeReduceMax(left_out == 5 ? x[504] : y, x, 64, 8, 1, 1, 8);  // HERE 5 V1008 7
  PairReduceSum(left_out == 6 ? x[192] : y[16], x, 8, 64, 1, 1, 8);  // HERE 6 V1008 src
  BlockReduceMax(x, x, 8, 64, 1, 1, 8);
  PipeBarrier<PIPE_ALL>();
  Duplicate(x, 1.0f, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<float>(out), x, 64);
}

// Queues, each with its largest score first.
extern "C" __global__ __aicore__ void merged(GM_ADDR, GM_ADDR out, int32_t left_out) {
  const auto x = local<float>(TPosition::VECCALC, 0, 128);
  const auto y = local<float>(TPosition::VECCALC, 1024, 128);
  const auto to = local<float>(TPosition::VECCALC, 4096, 128);
  Duplicate(x, -0.0f, 64);  // zeros are equal
  Duplicate(y, 2.0f, 64);
  PipeBarrier<PIPE_ALL>();
  for (int i = 0; i < 32; ++i) x.SetValue(2 * i, i < 5 ? float(20 - i) : i < 9 ? 0.0f : -0.0f);
  IF(7) x.SetValue(2 * 6, 0.5f);
  IF(8) y.SetValue(2 * 31, 3.0f);
  PipeBarrier<PIPE_ALL>();
  MrgSortSrcList<float> queues(x, y, y, y);
  const uint16_t lengths[4] = {32, 32, 0, 0};
  MrgSort(to, queues, MrgSort4Info(lengths, false, 3, 1));  // HERE 7 V2020 src1, HERE 8 V2020 src2
  PipeBarrier<PIPE_V>();
  // What a merge does not take may be anything.
  const uint16_t few[4] = {3, 32, 0, 0};
  x.SetValue(0, 4.0f);
  x.SetValue(2, 4.0f);
  x.SetValue(4, 4.0f);
  y.SetValue(2 * 31, left_out == 8 ? 2.0f : 3.0f);
  PipeBarrier<PIPE_ALL>();
  MrgSort(to, queues, MrgSort4Info(few, true, 3, 1));
  PipeBarrier<PIPE_ALL>();
  Duplicate(x, 1.0f, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<float>(out), x, 64);
}

// The mask of the register, and that of the call.
extern "C" __global__ __aicore__ void masks(GM_ADDR, GM_ADDR out, int32_t left_out) {
  const auto x = local<float>(TPosition::VECCALC, 0, 256);
  Duplicate(x, 1.0f, 256);
  PipeBarrier<PIPE_V>();
  SetMaskCount();
  if (left_out != 10) SetVectorMask<float, MaskMode::COUNTER>(200);
  Adds<float, false>(x, x, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});  // HERE 10 V1001 MASK
  IF(9) Adds(x, x, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});  // HERE 9 V2003 isSetMask
  SetMaskNorm();
  ResetMask();
  IF(11) Adds(x, x, 1.0f, MASK_PLACEHOLDER_LIST, 1, {1, 1, 8, 8});  // HERE 11 V2003 isSetMask
  Adds<float, false>(x, x, 1.0f, MASK_PLACEHOLDER_LIST, 1, {1, 1, 8, 8});
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<float>(out), x, 64);
}

// What stands in paddings that the call does not say.
extern "C" __global__ __aicore__ void padded(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  const auto x = local<float>(TPosition::VECIN, 0, 64);
  const auto y = local<float>(TPosition::VECOUT, 1024, 64);
  const DataCopyExtParams rows{8, 20, 0, 0, 0};
  const DataCopyPadExtParams<float> with_zeros{true, 0, 3, 0.0f}, as_before{false, 0, 3, 0.0f};
  // Without paddings it is the first element.
  DataCopyPad(x, global<float>(in), rows, DataCopyPadExtParams<float>{false, 0, 0, 0.0f});
  PipeBarrier<PIPE_ALL>();
  Adds(y, x, 1.0f, 64);
  PipeBarrier<PIPE_ALL>();
  // Lanes that go nowhere may hold anything.
  DataCopyPad(x, global<float>(in), rows, as_before);
  PipeBarrier<PIPE_ALL>();
  Adds(x, x, 1.0f, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(global<float>(out), x, DataCopyExtParams{8, 20, 0, 3 * 4, 0});
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(x, global<float>(in), rows, left_out == 12 ? as_before : with_zeros);
  PipeBarrier<PIPE_ALL>();
  Muls(x, x, 2.0f, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopyPad(global<float>(out), x, DataCopyExtParams{1, 256, 0, 0, 0});  // HERE 12 V1013 isPad
}
