// GlobalTensor, LocalTensor and TBuf: each kernel writes what the members say, or moves data.
#include "kernel_operator.h"

using namespace AscendC;

#define KERNEL extern "C" __global__ __aicore__ void

namespace {

constexpr TPosition kUb = TPosition::VECCALC;

template <class T>
GlobalTensor<T> global(GM_ADDR gm, uint64_t size) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer((__gm__ T*)gm, size);
  return tensor;
}

}  // namespace

// In scalar code: out[i] = in[size - 1 - i], through UB.
template <class T>
__aicore__ void reverse(GM_ADDR in, GM_ADDR out, uint32_t size) {
  auto from = global<T>(in, size), to = global<T>(out, size);
  LocalTensor<T> local(kUb, 0, size);
  for (uint32_t i = 0; i < size; ++i) local.SetValue(i, from.GetValue(i));
  for (uint32_t i = 0; i < size; ++i) to.SetValue(i, local.GetValue(size - 1 - i));
}
KERNEL reverse_half(GM_ADDR in, GM_ADDR out, uint32_t size) { reverse<half>(in, out, size); }
KERNEL reverse_bfloat16(GM_ADDR in, GM_ADDR out, uint32_t size) { reverse<bfloat16_t>(in, out, size); }
KERNEL reverse_float(GM_ADDR in, GM_ADDR out, uint32_t size) { reverse<float>(in, out, size); }
KERNEL reverse_int8(GM_ADDR in, GM_ADDR out, uint32_t size) { reverse<int8_t>(in, out, size); }
KERNEL reverse_uint8(GM_ADDR in, GM_ADDR out, uint32_t size) { reverse<uint8_t>(in, out, size); }
KERNEL reverse_int16(GM_ADDR in, GM_ADDR out, uint32_t size) { reverse<int16_t>(in, out, size); }
KERNEL reverse_uint16(GM_ADDR in, GM_ADDR out, uint32_t size) { reverse<uint16_t>(in, out, size); }
KERNEL reverse_int32(GM_ADDR in, GM_ADDR out, uint32_t size) { reverse<int32_t>(in, out, size); }
KERNEL reverse_uint32(GM_ADDR in, GM_ADDR out, uint32_t size) { reverse<uint32_t>(in, out, size); }
KERNEL reverse_int64(GM_ADDR in, GM_ADDR out, uint32_t size) { reverse<int64_t>(in, out, size); }
KERNEL reverse_uint64(GM_ADDR in, GM_ADDR out, uint32_t size) { reverse<uint64_t>(in, out, size); }

// The same for int4: only UB counts it in elements, GM here in bytes.
KERNEL reverse_int4(GM_ADDR in, GM_ADDR out, uint32_t size) {
  auto from = global<uint8_t>(in, size / 2), to = global<uint8_t>(out, size / 2);
  LocalTensor<int4b_t> a(kUb, 0, size), b(kUb, 4096, size);
  auto a_bytes = a.ReinterpretCast<uint8_t>(), b_bytes = b.ReinterpretCast<uint8_t>();
  for (uint32_t i = 0; i < size / 2; ++i) a_bytes.SetValue(i, from.GetValue(i));
  for (uint32_t i = 0; i < size; ++i) b.SetValue(i, a.GetValue(size - 1 - i));
  for (uint32_t i = 0; i < size / 2; ++i) to.SetValue(i, b_bytes.GetValue(i));
}

// 128 int4b_t by the size of the tensors and by the count of the copy, which moves as many bytes.
KERNEL copy_int4(GM_ADDR in, GM_ADDR out, uint32_t count) {
  GlobalTensor<int4b_t> from, to;
  from.SetGlobalBuffer((__gm__ int4b_t*)in, 128);
  to.SetGlobalBuffer((__gm__ int4b_t*)out, 128);
  LocalTensor<int4b_t> local(kUb, 0, 512);
  DataCopy(local, from, count);
  PipeBarrier<PIPE_ALL>();
  DataCopy(to, local, count);
}

// operator() and operator[] on both kinds of tensor.
KERNEL operators(GM_ADDR in, GM_ADDR out) {
  auto from = global<int32_t>(in, 32), to = global<int32_t>(out, 32);
  LocalTensor<int32_t> local(kUb, 64, 32);
  for (uint32_t i = 0; i < 32; ++i) local(i) = from(i) + 1;
  local[8](3) += 100;
  local[8][8].SetValue(0, -1);
  for (uint32_t i = 0; i < 16; ++i) to[16](i) = local(i);
  for (uint32_t i = 0; i < 16; ++i) to.SetValue(i, local[16].GetValue(i));
}

KERNEL sizes(int64_t* out) {
  LocalTensor<half> tensor(kUb, 512, 100);
  *out++ = tensor.GetSize();
  *out++ = tensor.GetLength();
  *out++ = tensor[40].GetSize();
  *out++ = tensor[100].GetSize();
  *out++ = tensor.ReinterpretCast<int32_t>().GetSize();
  *out++ = tensor.ReinterpretCast<int8_t>().GetSize();
  *out++ = tensor.ReinterpretCast<int4b_t>().GetSize();
  *out++ = tensor[2].ReinterpretCast<float>().GetSize();
  tensor.SetSize(64);
  *out++ = tensor.GetSize();
  *out++ = tensor.GetLength();
  tensor.SetBufferLen(256);
  *out++ = tensor.GetSize();
  *out++ = sizeof(*tensor.GetPhyAddr());
  *out++ = int64_t(tensor.GetPosition());
  *out++ = int64_t(LocalTensor<half>(TPosition::A2, 0, 16).GetPosition());
  *out++ = tensor.GetPhyAddr(10) - tensor.GetPhyAddr();
  *out++ = reinterpret_cast<uint64_t>(tensor.GetPhyAddr()) % 4096;
  *out++ = LocalTensor<half>().GetSize();
}

KERNEL global_sizes(int64_t* out, GM_ADDR gm) {
  GlobalTensor<float> tensor;
  tensor.SetGlobalBuffer((__gm__ float*)gm);
  *out++ = tensor.GetSize();
  tensor.SetGlobalBuffer((__gm__ float*)gm, 10);
  *out++ = tensor.GetSize();
  *out++ = tensor[4].GetSize();
  *out++ = tensor[10].GetSize();
  *out++ = reinterpret_cast<const uint8_t*>(tensor.GetPhyAddr()) - gm;
  *out++ = reinterpret_cast<const uint8_t*>(tensor[3].GetPhyAddr()) - gm;
  *out++ = reinterpret_cast<uint8_t*>(tensor.GetPhyAddr(5)) - gm;
}

// SetAddrWithOffset: a view of another tensor from an element of that one on.
KERNEL set_address(int32_t* out) {
  LocalTensor<int32_t> words(kUb, 0, 16);
  for (uint32_t i = 0; i < 16; ++i) words.SetValue(i, 10 * i);
  LocalTensor<int16_t> view;
  view.SetAddrWithOffset(words, 4);
  *out++ = int32_t(view.GetSize());
  *out++ = view.GetValue(0);
  *out++ = view.GetValue(2);
  *out++ = int32_t(TPosition(view.GetPosition()) == kUb);
}

KERNEL tags_and_shapes(int32_t* out) {
  LocalTensor<half> tensor(kUb, 0, 24);
  *out++ = tensor.GetUserTag();
  tensor.SetUserTag(77);
  LocalTensor<half> copy = tensor;
  *out++ = copy.GetUserTag();
  const uint32_t shape[] = {2, 3, 4};
  tensor.SetShapeInfo(ShapeInfo(3, shape, DataFormat::NZ));
  const ShapeInfo info = tensor.GetShapeInfo();
  *out++ = info.shapeDim;
  for (int i = 0; i < 3; ++i) *out++ = int32_t(info.shape[i]);
  *out++ = info.originalShapeDim;
  *out++ = int32_t(info.originalShape[2]);
  *out++ = int32_t(info.dataFormat);
  GlobalTensor<half> global;
  global.SetShapeInfo(ShapeInfo(2, shape));
  *out++ = global.GetShapeInfo().shapeDim;
}

KERNEL global_address(int32_t* in, int32_t* out) {
  GlobalTensor<int32_t> tensor;
  tensor.SetGlobalBuffer(in, 8);
  const GlobalTensor<int32_t> rest = tensor[3];
  out[0] = int32_t(rest.address_ - tensor.address_);
  out[1] = rest.address_[1];
  out[2] = tensor.address_ == tensor.GetPhyAddr();
}

// What GetPhyAddr points to is the simulated buffer itself.
KERNEL physical(int32_t* out) {
  LocalTensor<int32_t> tensor(kUb, 128, 8);
  tensor.SetValue(2, 5);
  out[0] = tensor.GetPhyAddr()[2];
  tensor.GetPhyAddr(3)[0] = 6;
  out[1] = tensor.GetValue(3);
}

// All views of one buffer see the same bytes.
KERNEL reinterpret(uint32_t* out) {
  LocalTensor<uint32_t> words(kUb, 0, 8);
  words.SetValue(1, 0x3C004000u);
  const auto halves = words.ReinterpretCast<half>();
  out[0] = uint32_t(float(halves.GetValue(2)));
  out[1] = uint32_t(float(halves.GetValue(3)));
  out[2] = words.ReinterpretCast<uint8_t>().GetValue(7);
  out[3] = uint32_t(int(words.ReinterpretCast<int4b_t>().GetValue(15)));
  words.ReinterpretCast<int4b_t>().SetValue(8, int4b_t(-1));
  out[4] = words.GetValue(1);
}

KERNEL expression(GM_ADDR in, GM_ADDR out) {
  LocalTensor<half> a(kUb, 0, 64), b(kUb, 128, 64), c(kUb, 256, 64);
  DataCopy(a, global<half>(in, 128), 64);
  DataCopy(b, global<half>(in, 128)[64], 64);
  PipeBarrier<PIPE_ALL>();
  c = a + b;
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<half>(out, 64), c, 64);
}

// Tensors that a kernel makes by hand, as kernels of the time before LocalTensor's constructor do.
KERNEL by_hand(GM_ADDR in, GM_ADDR out) {
  TBuffAddr where;
  where.logicPos = uint8_t(TPosition::VECIN);
  where.bufferAddr = 256;
  where.dataLen = 64 * sizeof(half);
  LocalTensor<half> a, b;
  a.SetAddr(where);
  where.logicPos = uint8_t(TPosition::VECCALC);
  b.SetAddr(where);
  b.InitBuffer(512, 64);  // at byte 512, 64 elements
  DataCopy(a, global<half>(in, 64), 64);
  PipeBarrier<PIPE_ALL>();
  Adds(b, LocalTensor<half>(kUb, 256, 64), half(1), b.GetSize());
  PipeBarrier<PIPE_ALL>();
  DataCopy(global<half>(out, 64), LocalTensor<half>(kUb, 512, 64), 64);
  if (a.GetPosition() == int32_t(TPosition::VECIN) && a.GetSize() == 64 && b.GetLength() == 128) return;
  global<half>(out, 64).SetValue(0, half(-1));
}
KERNEL by_hand_too_short(GM_ADDR in, GM_ADDR out) {
  TBuffAddr where;
  where.logicPos = uint8_t(TPosition::VECOUT);
  where.dataLen = 32;
  LocalTensor<half> a;
  a.SetAddr(where);
  DataCopy(a, global<half>(in, 64), 64);
}

// Unwritten UB is poison: NaN for floats, -1 for integers.
KERNEL unwritten(float* out) {
  LocalTensor<float> tensor(kUb, 0, 8);
  out[0] = tensor.GetValue(3);
  out[1] = float(tensor.ReinterpretCast<int32_t>().GetValue(3));
}

// Whatever one block leaves in UB, the next one does not find it.
KERNEL unwritten_by_another_block(int32_t* out) {
  LocalTensor<int32_t> tensor(kUb, 0, 8);
  out[GetBlockIdx()] = tensor.GetValue(0);
  tensor.SetValue(0, 5);
}

// Two buffers, one of which has a tag; then it is taken away.
KERNEL tags_through_a_queue(int32_t* out) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> queue;
  pipe.InitBuffer(queue, 2, 64);
  for (const TTagType tag : {10, 0}) {
    LocalTensor<half> first = queue.AllocTensor<half>();
    LocalTensor<half> second = queue.AllocTensor<half>();
    first.SetUserTag(tag);
    *out++ = first.ReinterpretCast<int16_t>().GetUserTag();
    queue.EnQue(first);
    queue.EnQue(second);
    first = queue.DeQue<half>();
    *out++ = first.GetUserTag();
    second = queue.DeQue<half>();
    *out++ = second.GetUserTag();
    queue.FreeTensor(first);
    queue.FreeTensor(second);
  }
}
