// Newer names, library copies and functions in small letters.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

template <class T>
__aicore__ inline __inout_pipe__(S) GlobalTensor<T> global(GM_ADDR gm, uint64_t size) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(gm), size);
  return tensor;
}

}  // namespace

// 256 floats in; out: 8 of each reduction, a datablock apart.
extern "C" __global__ __aicore__ void reductions(GM_ADDR in, GM_ADDR out) {
  LocalTensor<float> x(TPosition::VECCALC, 0, 256), y(TPosition::VECCALC, 1024, 256);
  Duplicate(y, 0.0f, 256);
  DataCopy(x, global<float>(in, 256), 256);
  PipeBarrier<PIPE_ALL>();
  ReduceRepeat<ReduceType::SUM>(y, x, 64, 4, 1, 1, 8);
  ReduceRepeat<ReduceType::MAX, float, float>(y[8], x, 64, 1, 1, 1, 8);
  const uint64_t mask[] = {0xFF, 0};
  ReduceRepeat<ReduceType::MIN, float>(y[16], x, mask, 1, 1, 1, 8);
  ReduceDataBlock<ReduceType::SUM, float>(y[24], x, 16, 1, 1, 1, 8);
  ReduceDataBlock<ReduceType::MAX, float>(y[32], x, 64, 2, 1, 1, 8);
  ReduceDataBlock<ReduceType::MIN, float>(y[48], x, 64, 1, 1, 1, 8);
  ReducePairElem<ReduceType::SUM, float>(y[64], x, 64, 1, 1, 1, 8);
  SetVectorMask<float>(0, 0xF);
  WholeReduceSum<float, false>(y[128], x, (uint64_t)0, 1, 1, 1, 8);  // a number, no null pointer
  BlockReduceMax<float, false>(y[136], x, 1, (uint64_t)0, 1, 1, 8);
  ResetMask();
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<float>(out, 256), y, 256);
}

// 64 floats in. Out: twice those whose place is even, and from 64 on the sum of the others.
extern "C" __global__ __aicore__ void bits_in_one_word(GM_ADDR in, GM_ADDR out) {
  LocalTensor<float> x(TPosition::VECCALC, 0, 64), y(TPosition::VECCALC, 256, 72);
  Duplicate(y, 0.0f, 72);
  DataCopy(x, global<float>(in, 64), 64);
  PipeBarrier<PIPE_ALL>();
  uint64_t even[1] = {0x5555555555555555};
  const uint64_t odd[1] = {0xAAAAAAAAAAAAAAAA};
  Add(y, x, x, even, 1, {1, 1, 1, 8, 8, 8});
  ReduceRepeat<ReduceType::SUM>(y[64], x, odd, 1, 1, 1, 8);
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<float>(out, 72), y, 72);
}

// 256 halves in. Out: the sum of 200, the largest of all and its index, the smallest of 128 and its
// index, the largest of ReduceMax.
extern "C" __global__ __aicore__ void left_by_reductions(GM_ADDR in, GM_ADDR out) {
  LocalTensor<half> x(TPosition::VECCALC, 0, 256), y(TPosition::VECCALC, 512, 16),
      work(TPosition::VECCALC, 1024, 64);
  DataCopy(x, global<half>(in, 256), 256);
  PipeBarrier<PIPE_ALL>();
  half found[6] = {};
  ReduceSum(y, x, work, 200);
  found[0] = GetReduceRepeatSumSpr<half>();
  ReduceSum(y, x, work, 64, 1, 8);  // leaves no sum
  WholeReduceMax(y, x, 128, 2, 1, 1, 8);
  GetReduceRepeatMaxMinSpr(found[1], found[2]);
  if (!(GetAccVal<half>() == found[0])) return;
  const int64_t sum = GetAccVal();
  if (!(*reinterpret_cast<const half*>(&sum) == found[0])) return;
  ReduceRepeat<ReduceType::MIN>(y, x, 128, 1, 1, 1, 8);
  GetReduceMaxMinCount(found[3], found[4]);
  uint32_t value = 0, place = 0;
  GetReduceMaxMinCount<half>(value, place);
  if (value != found[3].bits || place != found[4].bits) return;
  half index = 0;
  ReduceMax(y, x, work, 200, true);
  GetReduceRepeatMaxMinSpr(found[5], index);
  GlobalTensor<half> gm = global<half>(out, 6);
  for (int i = 0; i < 6; ++i) gm.SetValue(i, found[i]);
}

// The type of a scalar named behind that of the tensors: out = max((in + 3) * 2, 5) >> 1, rounded, of
// 128 int16.
extern "C" __global__ __aicore__ void scalars_of_type(GM_ADDR in, GM_ADDR out) {
  LocalTensor<int16_t> x(TPosition::VECCALC, 0, 128);
  DataCopy(x, global<int16_t>(in, 128), 128);
  PipeBarrier<PIPE_ALL>();
  Adds<int16_t, int16_t>(x, x, 3, 128);
  PipeBarrier<PIPE_V>();
  Muls<int16_t, int16_t>(x, x, 2, 128, 1, {1, 1, 8, 8});
  const uint64_t all[] = {~0ull, ~0ull};
  PipeBarrier<PIPE_V>();
  Maxs<int16_t, int16_t>(x, x, 5, all, 1, {1, 1, 8, 8});
  SetVectorMask<int16_t>(~0ull, ~0ull);
  PipeBarrier<PIPE_V>();
  ShiftRight<int16_t, int16_t, false>(x, x, 1, MASK_PLACEHOLDER, 1, {1, 1, 8, 8}, true);
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<int16_t>(out, 128), x, 128);
}

// The first 64 floats twice, behind them the same once.
extern "C" __global__ __aicore__ void repeat_parameters(GM_ADDR in, GM_ADDR out) {
  LocalTensor<float> x(TPosition::VECCALC, 0, 64), y(TPosition::VECCALC, 512, 128);
  DataCopy(x, global<float>(in, 64), 64);
  PipeBarrier<PIPE_ALL>();
  BinaryRepeatParams two(1, 1, 1, 8, 8, 8);
  two.blockNumber = DEFAULT_BLK_NUM;
  two.repeatStrideMode = two.strideSizeMode = false;
  Add(y, x, x, 64, 1, two);
  UnaryRepeatParams one(1, 1, 8, 8, false);
  one.blockNumber = DEFAULT_BLK_NUM;
  one.repeatStrideMode = one.strideSizeMode = one.halfBlock;
  Adds(y[64], x, 0.0f, 64, 1, one);
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<float>(out, 128), y, 128);
}

extern "C" __global__ __aicore__ void extreme_alone(GM_ADDR in, GM_ADDR out) {
  LocalTensor<float> x(TPosition::VECCALC, 0, 64), y(TPosition::VECCALC, 512, 8);
  DataCopy(x, global<float>(in, 64), 64);
  PipeBarrier<PIPE_ALL>();
  WholeReduceMin(y, x, 64, 1, 1, 1, 8);
  float least = 0;
  GetReduceRepeatMaxMinSpr(least);
  global<float>(out, 1).SetValue(0, least);
}

// 64 int32 in; out: 64 halves, of them 0 to 31 and 40 to 47 sums of each number with itself.
extern "C" __global__ __aicore__ void scaled_sums(GM_ADDR in, GM_ADDR out) {
  LocalTensor<int32_t> x(TPosition::VECCALC, 0, 64);
  LocalTensor<half> y(TPosition::VECCALC, 512, 64);
  Duplicate(y, half(-1.0f), 64);
  DataCopy(x, global<int32_t>(in, 64), 64);
  PipeBarrier<PIPE_ALL>();
  SetDeqScale(half(0.5f));
  const uint64_t mask[] = {uint64_t(0xFF) << 40, UINT64_MAX};
  AddDeqRelu<true>(y, x, x, uint64_t(32), 1, {1, 1, 1, 4, 8, 8});
  AddDeqRelu<true>(y, x, x, mask, 1, {1, 1, 1, 4, 8, 8});
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<half>(out, 64), y, 64);
}

// n images of c channels and h * w places, by the type of that number.
extern "C" __global__ __aicore__ void images(GM_ADDR in, GM_ADDR out, uint32_t n, uint32_t c,
                                             uint32_t h, uint32_t w, uint32_t type) {
  const uint32_t size = 768;
  LocalTensor<float> x(TPosition::VECCALC, 0, size), y(TPosition::VECCALC, size * 4, size);
  LocalTensor<uint8_t> work(TPosition::VECCALC, size * 8, 35 * 512);  // of 17 channels
  DataCopy(x, global<float>(in, size), size);
  Duplicate(y, -1.0f, size);
  PipeBarrier<PIPE_ALL>();
  Transpose(
      y, x, work,
      TransposeParamsExt(uint16_t(n), uint16_t(c), uint16_t(h), uint16_t(w), TransposeType(type)));
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<float>(out, size), y, size);
}

extern "C" __global__ __aicore__ void slices(GM_ADDR in, GM_ADDR out, uint32_t end) {
  const SliceInfo from[] = {{16, end, 7, 3, 87}, {0, 2, 1, 1, 3}};
  const SliceInfo to[] = {{0, 47, 0, 3, 48}, {0, 1, 0, 1, 2}};
  LocalTensor<float> local(TPosition::VECCALC, 0, 96);
  DataCopy(local, global<float>(in, 3 * 87), to, from, 2);
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<float>(out, 96), local, to, to, 2);
}

// Each block its own `size` elements.
extern "C" __global__ __aicore__ void fills(GM_ADDR out, uint32_t size) {
  GlobalTensor<int32_t> gm = global<int32_t>(out, size * GetBlockNum())[size * GetBlockIdx()];
  Fill(gm, size, int32_t(GetBlockIdx()) + 1);
  GlobalTensor<int32_t> first = gm[0];
  InitOutput<int32_t>(first, size / 2, -1);
  InitGlobalMemory(first, 1, 77);
}

extern "C" __global__ __aicore__ void small_letters(GM_ADDR in, GM_ADDR out) {
  auto* x = (__ubuf__ float*)get_imm(0);
  LocalTensor<float> y(TPosition::VECCALC, 1024, 64);
  copy_gm_to_ubuf(x, in, 0, 2, 8, 0, 8);
  Duplicate(y, 0.0f, 64);
  pipe_barrier(PIPE_V);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID1);
  set_mask_norm();
  AscendCUtils::SetMask<float>(7);
  set_vector_mask(0, 0xFFFF);
  vcadd(y.GetPhyAddr(), x, 2, 1, 1, 16);
  set_mask_count();
  set_vector_mask(0, 128);
  vcadd(y.GetPhyAddr(8), x, 1, 1, 1, 16, false);
  set_mask_norm();
  set_vector_mask(-1, -1);
  pipe_barrier(PIPE_ALL);
  copy_ubuf_to_gm(out, y.GetPhyAddr(), 0, 1, 8, 0, 0);
}

extern "C" __global__ __aicore__ void aligned_copies(GM_ADDR in, GM_ADDR out) {
  auto* x = (__ubuf__ uint8_t*)get_imm(64);
  copy_gm_to_ubuf_align_b32(x, in, 0, 2, 12, 0, 0, 4, 1);
  pipe_barrier(PIPE_ALL);
  copy_ubuf_to_gm_align_b8(out, x, 0, 2, 9, 0, 0, 1, 3);
}

extern "C" __global__ __aicore__ void no_such_event(GM_ADDR) {
  set_flag(PIPE_MTE3, PIPE_FIX, EVENT_ID0);
}

// Templates with explicit arguments that are found by their arguments' namespace.
namespace elsewhere {
template <class T>
void sum(const AscendC::LocalTensor<T>& y, const AscendC::LocalTensor<T>& x) {
  WholeReduceSum<float>(y, x, 64, 1, 1, 1, 8);
}
}  // namespace elsewhere

// Numbers of the atomic mode before and after it is set, by either name; and a copy that adds.
extern "C" __global__ __aicore__ void store_atomics(GM_ADDR sums, GM_ADDR numbers) {
  GlobalTensor<half> to;
  to.SetGlobalBuffer((__gm__ half*)sums);
  auto* told = reinterpret_cast<__gm__ uint16_t*>(numbers);
  const auto tell = [&](int at) {
    uint16_t type = 99, op = 99;
    GetStoreAtomicConfig(type, op);
    told[2 * at] = type;
    told[2 * at + 1] = op;
  };
  const LocalTensor<half> ones(TPosition::VECCALC, 0, 64);
  Duplicate(ones, half(1), 64);
  PipeBarrier<PIPE_ALL>();
  tell(0);
  DataCopy(to, ones, 64);
  PipeBarrier<PIPE_ALL>();
  SetStoreAtomicConfig<AtomicDtype::ATOMIC_F16, AtomicOp::ATOMIC_SUM>();
  tell(1);
  DataCopy(to, ones, 32);
  PipeBarrier<PIPE_ALL>();
  SetStoreAtomicConfig<AtomicDtype::ATOMIC_S32, AtomicOp::ATOMIC_SUM>();
  tell(2);
  SetAtomicAdd<float>();
  tell(3);
  SetStoreAtomicConfig<AtomicDtype::ATOMIC_NONE, AtomicOp::ATOMIC_SUM>();
  tell(4);
  DataCopy(to, ones, 16);
  PipeBarrier<PIPE_ALL>();
}

// Operations and types of the atomic mode apart, in either order.
extern "C" __global__ __aicore__ void atomic_letters(GM_ADDR out) {
  GlobalTensor<half> to;
  to.SetGlobalBuffer((__gm__ half*)out);
  const LocalTensor<half> values(TPosition::VECCALC, 0, 64);
  const auto put = [&](float value, int first, int count) {
    Duplicate(values, half(value), 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to[first], values, count);
    PipeBarrier<PIPE_ALL>();
  };
  put(3, 0, 64);
  set_atomic_f16();
  set_atomic_add();
  put(3, 0, 32);  // 6
  set_atomic_max();
  put(5, 16, 32);  // 6 and 5
  set_atomic_none();
  set_atomic_min();
  set_atomic_f16();
  put(4, 0, 16);  // 4
  set_atomic_none();
  put(7, 48, 16);  // 7
}

extern "C" __global__ __aicore__ void atomic_sum(GM_ADDR out) {
  GlobalTensor<float> to;
  to.SetGlobalBuffer((__gm__ float*)out);
  const LocalTensor<float> values(TPosition::VECCALC, 0, 64);
  Duplicate(values, 3.0f, 64);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, values, 64);
  PipeBarrier<PIPE_ALL>();
  set_atomic_add();
  set_atomic_f32();
  DataCopy(to, values, 32);
  PipeBarrier<PIPE_ALL>();
  set_atomic_none();
}

extern "C" __global__ __aicore__ void atomic_larger(GM_ADDR) { set_atomic_max(); }

// Names from inside the vendor's headers.
extern "C" __global__ __aicore__ void inner_names(GM_ADDR out) {
  GlobalTensor<int32_t> to;
  to.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(out));
  OOMCheckAddrRange(reinterpret_cast<__gm__ int32_t*>(out), 32);
  SetMMLayoutTransform(true);
  SetMMLayoutTransform(false);
  const int64_t numbers[] = {AuxGetC0Size<half>(),   AuxGetC0Size<float>(),
                             AuxGetC0Size<int8_t>(), AuxGetC0Size<int4b_t>(),
                             GetBlockIdxImpl(),      GetBlockNumImpl(),
                             GetSubBlockIdxImpl(),   int64_t(GetffstMsg(2, 5))};
  for (int i = 0; i < 8; ++i) to.SetValue(i, int32_t(numbers[i]));
}
