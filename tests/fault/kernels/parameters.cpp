// Parameters of instructions, each legal for one `n` and a fault for another. `HERE name` marks
// the line of kernel `name` where the fault must be reported.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr TPosition kUb = TPosition::VECCALC;

// Tensors at fixed places of UB, without a TPipe.
template <class T>
LocalTensor<T> ub(uint32_t address, uint32_t elements) {
  return LocalTensor<T>(kUb, address, elements);
}

template <class T>
GlobalTensor<T> whole(GM_ADDR gm) {
  GlobalTensor<T> global;
  global.SetGlobalBuffer((__gm__ T*)gm);
  return global;
}

}  // namespace

extern "C" __global__ __aicore__ void block_count(GM_ADDR gm, int64_t n) {
  DataCopy(ub<half>(0, 128), whole<half>(gm), DataCopyParams(n, 0, 0, 0));  // HERE block_count
}

extern "C" __global__ __aicore__ void mmad_m(GM_ADDR, int64_t n) {
  LocalTensor<half> a(TPosition::A2, 0, 256), b(TPosition::B2, 0, 256);
  LocalTensor<float> c(TPosition::CO1, 0, 256);
  Mmad(c, a, b, MmadParams(n, 16, 0, 0, false, true));  // HERE mmad_m
}

extern "C" __global__ __aicore__ void duplicate_negative(GM_ADDR, int64_t n) {
  Duplicate(ub<half>(0, 128), half(0), n);  // HERE duplicate_negative
}

extern "C" __global__ __aicore__ void queue_of_buffers(GM_ADDR, int64_t n) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, n, 32);  // HERE queue_of_buffers
}

extern "C" __global__ __aicore__ void queue_of_bytes(GM_ADDR, int64_t n) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(queue, 1, n);  // HERE queue_of_bytes
}

extern "C" __global__ __aicore__ void tbuf_get(GM_ADDR, int64_t n) {
  TPipe pipe;
  TBuf<kUb> buffer;
  pipe.InitBuffer(buffer, 256);
  buffer.Get<half>(n);  // HERE tbuf_get
}

extern "C" __global__ __aicore__ void tbuf_get_with_offset(GM_ADDR, int64_t n) {
  TPipe pipe;
  TBuf<kUb> buffer;
  pipe.InitBuffer(buffer, 256);
  buffer.GetWithOffset<half>(64, n);  // HERE tbuf_get_with_offset
}

extern "C" __global__ __aicore__ void copy_mode(GM_ADDR, int64_t n) {
  LocalTensor<float> from(TPosition::CO1, 0, 256);
  LocalTensor<half> to(TPosition::CO2, 0, 256);
  DataCopyEnhancedParams enhanced;
  enhanced.blockMode = BlockMode(n);
  DataCopy(to, from, DataCopyParams(1, 1, 0, 0), enhanced);  // HERE copy_mode
}

extern "C" __global__ __aicore__ void copy_normal_only(GM_ADDR, int64_t n) {
  LocalTensor<half> from(TPosition::A1, 0, 256);
  DataCopyEnhancedParams enhanced;
  enhanced.blockMode = BlockMode(n);
  DataCopy(ub<half>(0, 256), from, DataCopyParams(1, 1, 0, 0), enhanced);  // HERE copy_normal_only
}

extern "C" __global__ __aicore__ void copy_store_mode(GM_ADDR, int64_t n) {
  LocalTensor<int32_t> from(TPosition::CO1, 0, 256);
  DataCopyEnhancedParams enhanced;
  enhanced.blockMode = BlockMode::BLOCK_MODE_VECTOR;
  enhanced.deqScale = DeqScale::DEQ8;
  enhanced.sidStoreMode = uint8_t(n);
  DataCopy(ub<uint8_t>(0, 32), from, DataCopyParams(1, 1, 0, 0), enhanced);  // HERE copy_store_mode
}

extern "C" __global__ __aicore__ void copy_scale(GM_ADDR, int64_t n) {
  LocalTensor<int32_t> from(TPosition::CO1, 0, 256);
  DataCopyEnhancedParams enhanced;
  enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;
  enhanced.deqScale = DeqScale(n);
  DataCopy(ub<int8_t>(0, 512), from, DataCopyParams(1, 1, 0, 0), enhanced);  // HERE copy_scale
}

extern "C" __global__ __aicore__ void copy_back_relu(GM_ADDR, int64_t n) {
  LocalTensor<float> to(TPosition::CO1, 0, 256);
  DataCopyEnhancedParams enhanced;
  enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;
  enhanced.isRelu = n != 0;
  DataCopy(to, ub<half>(0, 256), DataCopyParams(1, 1, 0, 0), enhanced);  // HERE copy_back_relu
}

extern "C" __global__ __aicore__ void gather_base(GM_ADDR, int64_t n) {
  Duplicate(ub<uint32_t>(1024, 8), 0u, 8);
  Gather(ub<float>(2048, 8), ub<float>(0, 64), ub<uint32_t>(1024, 8), n, 8);  // HERE gather_base
}

extern "C" __global__ __aicore__ void gather_count(GM_ADDR, int64_t n) {
  Duplicate(ub<uint32_t>(1024, 64), 0u, 64);
  Gather(ub<float>(2048, 64), ub<float>(0, 1), ub<uint32_t>(1024, 16), 0, n);  // HERE gather_count
}

extern "C" __global__ __aicore__ void gather_offset(GM_ADDR, int64_t n) {
  Duplicate(ub<uint32_t>(1024, 16), 0u, 16);
  ub<uint32_t>(1024, 16).SetValue(3, n);
  Gather(ub<half>(2048, 16), ub<half>(0, 64), ub<uint32_t>(1024, 16), 0, 16);  // HERE gather_offset
}

extern "C" __global__ __aicore__ void gather_many(GM_ADDR, int64_t n) {
  Duplicate(ub<uint32_t>(65536, 16384), 0u, 16384);
  auto to = ub<float>(131072, 16384), from = ub<float>(0, 16384);
  Gather(to, from, ub<uint32_t>(65536, 16384), 0, n);  // HERE gather_many
}

extern "C" __global__ __aicore__ void mask_count(GM_ADDR, int64_t n) {
  auto tensor = ub<half>(0, 128);
  Add(tensor, tensor, tensor, n, 1, BinaryRepeatParams());  // HERE mask_count
}

extern "C" __global__ __aicore__ void mask_bits(GM_ADDR, int64_t n) {
  auto tensor = ub<half>(0, 128);
  uint64_t mask[2] = {0, uint64_t(n)};
  Add(tensor, tensor, tensor, mask, 1, BinaryRepeatParams());  // HERE mask_bits
}

extern "C" __global__ __aicore__ void mask_bits_of_float(GM_ADDR, int64_t n) {
  auto tensor = ub<float>(0, 64);
  uint64_t mask[2] = {1, uint64_t(n)};
  Add(tensor, tensor, tensor, mask, 1, BinaryRepeatParams());  // HERE mask_bits_of_float
}

extern "C" __global__ __aicore__ void transpose_from_gm(GM_ADDR gm, int64_t n) {
  LocalTensor<half> to(TPosition::A2, 0, 256);
  LoadData(to, whole<half>(gm), LoadData2DParams(0, 1, 1, 0, 0, n != 0, 0));  // HERE transpose_from_gm
}

extern "C" __global__ __aicore__ void transpose_bytes(GM_ADDR, int64_t n) {
  LocalTensor<int8_t> from(TPosition::A1, 0, 512), to(TPosition::A2, 0, 512);
  LoadData(to, from, LoadData2DParams(0, 1, 1, 0, 0, n != 0, 0));  // HERE transpose_bytes
}

extern "C" __global__ __aicore__ void partial_datablock(GM_ADDR gm, int64_t n) {
  DataCopy(ub<half>(0, 128), whole<half>(gm), n);  // HERE partial_datablock
}

extern "C" __global__ __aicore__ void bias_ignored(GM_ADDR, int64_t n) {
  LocalTensor<half> a(TPosition::A2, 0, 256), b(TPosition::B2, 0, 256);
  LocalTensor<float> c(TPosition::CO1, 0, 256), bias(TPosition::CO1, 4096, 256);
  Mmad(c, a, b, bias, MmadParams(16, 16, 16, 0, false, n != 0));  // HERE bias_ignored
}

extern "C" __global__ __aicore__ void copy_relu(GM_ADDR, int64_t n) {
  LocalTensor<half> from(TPosition::CO1, 0, 256);
  DataCopyEnhancedParams enhanced;
  enhanced.blockMode = BlockMode::BLOCK_MODE_MATRIX;
  enhanced.deqScale = DeqScale::DEQ;
  enhanced.isRelu = n != 0;
  DataCopy(ub<half>(0, 256), from, DataCopyParams(1, 1, 0, 0), enhanced);  // HERE copy_relu
}
