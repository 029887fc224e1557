// What a chip or vinci lacks. `HERE name` marks the line of kernel `name` where it is reported.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr TPosition kUb = TPosition::VECCALC;

template <class T>
LocalTensor<T> ub(uint32_t address, uint32_t elements) {
  return LocalTensor<T>(kUb, address, elements);
}

}  // namespace

extern "C" __global__ __aicore__ void gather_anywhere(GM_ADDR, int64_t) {
  Duplicate(ub<uint32_t>(1024, 8), 0u, 8);
  Gather(ub<float>(2048, 8), ub<float>(0, 64), ub<uint32_t>(1024, 8), 0, 8);  // HERE gather_anywhere
}

extern "C" __global__ __aicore__ void add_type(GM_ADDR, int64_t) {
  auto words = ub<int16_t>(0, 16);
  Add(words, words, words, 16);  // HERE add_type
}

extern "C" __global__ __aicore__ void add_bytes(GM_ADDR, int64_t) {
  auto bytes = ub<uint8_t>(0, 32);
  Add(bytes, bytes, bytes, 32);  // HERE add_bytes
}

extern "C" __global__ __aicore__ void buffer_in_l1(GM_ADDR, int64_t) {
  TPipe pipe;
  TBuf<TPosition::A1> buffer;
  pipe.InitBuffer(buffer, 32);  // HERE buffer_in_l1
}

extern "C" __global__ __aicore__ void set_value_in_l1(GM_ADDR, int64_t) {
  LocalTensor<half> tensor(TPosition::A1, 0, 16);
  tensor.SetValue(0, 1);  // HERE set_value_in_l1
}

extern "C" __global__ __aicore__ void copy_l1_to_gm(GM_ADDR gm, int64_t) {
  LocalTensor<half> tensor(TPosition::A1, 0, 16);
  (void)tensor.GetPhyAddr();  // it counts as written
  GlobalTensor<half> global;
  global.SetGlobalBuffer((__gm__ half*)gm);
  DataCopy(global, tensor, 16);  // HERE copy_l1_to_gm
}

extern "C" __global__ __aicore__ void copy_ub_to_l1(GM_ADDR, int64_t) {
  LocalTensor<half> to(TPosition::A1, 0, 16);
  DataCopy(to, ub<half>(0, 16), 16);  // HERE copy_ub_to_l1
}

extern "C" __global__ __aicore__ void bytes_to_b2(GM_ADDR, int64_t n) {
  LocalTensor<int8_t> from(TPosition::B1, 0, 512), to(TPosition::B2, 0, 512);
  LoadData3DParamsV1<int8_t> params;
  params.l1H = params.l1W = 16;
  params.c1Index = 0;
  if (n == 0) return;
  LoadData(to, from, params);  // HERE bytes_to_b2
}

extern "C" __global__ __aicore__ void round_mode(GM_ADDR, int64_t n) {
  auto narrow = ub<half>(0, 64);
  auto wide = ub<float>(256, 64);
  Cast(narrow, wide, n == 0 ? RoundMode::CAST_ODD : RoundMode::CAST_RINT, 64);  // HERE round_mode
}

extern "C" __global__ __aicore__ void type_pair(GM_ADDR, int64_t n) {
  auto halves = ub<half>(0, 64);
  if (n == 0) Cast(ub<float>(256, 64), halves, RoundMode::CAST_NONE, 64);
  if (n != 0) Cast(ub<uint32_t>(256, 64), halves, RoundMode::CAST_NONE, 64);  // HERE type_pair
}

extern "C" __global__ __aicore__ void goes_on_after(GM_ADDR gm, int64_t n) {
  auto bytes = ub<uint8_t>(0, 32);
  if (n != 0) Add(bytes, bytes, bytes, 32);  // HERE goes_on_after
  gm[0] = 42;
}

// Two calls that an optimiser likes to merge into one.
extern "C" __global__ __aicore__ void similar_calls(GM_ADDR, int64_t n) {
  auto tensor = ub<half>(0, 128);
  if (n == 0) Duplicate(tensor, half(0), 128, 1, 1, 8);
  if (n != 0) Duplicate(tensor, half(0), 129, 1, 1, 8);  // HERE similar_calls
}
