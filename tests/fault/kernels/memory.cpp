// Accesses to memory, each legal for one `n` and a fault for another. `HERE name` marks the line
// of kernel `name` where the fault must be reported. GM holds 1000 bytes.
#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr TPosition kUb = TPosition::VECCALC;

// 128 halfs of UB, given by InitBuffer, and as many behind them.
struct Scratch {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> queue;
  LocalTensor<half> tensor, behind;
  Scratch() {
    pipe.InitBuffer(queue, 2, 256);
    tensor = queue.AllocTensor<half>();
    behind = queue.AllocTensor<half>();
  }
  ~Scratch() {
    queue.FreeTensor(tensor);
    queue.FreeTensor(behind);
  }
};

// 128 halfs of UB, and nothing behind them.
struct Last {
  TPipe pipe;
  TBuf<kUb> buffer;
  LocalTensor<half> tensor;
  Last() {
    pipe.InitBuffer(buffer, 256);
    tensor = buffer.Get<half>();
  }
};

GlobalTensor<half> whole(GM_ADDR gm) {
  GlobalTensor<half> global;
  global.SetGlobalBuffer((__gm__ half*)gm);
  return global;
}

}  // namespace

extern "C" __global__ __aicore__ void set_value(GM_ADDR, int64_t n) {
  Scratch ub;
  ub.tensor.SetValue(n, 1);  // HERE set_value
}

// Behind a part of a buffer.
extern "C" __global__ __aicore__ void set_value_in_buffer(GM_ADDR, int64_t n) {
  Scratch ub;
  ub.tensor.SetSize(32);
  ub.tensor.SetValue(n, 1);  // HERE set_value_in_buffer
}

extern "C" __global__ __aicore__ void get_value_in_buffer(GM_ADDR gm, int64_t n) {
  Scratch ub;
  for (int i = 0; i < 128; ++i) ub.tensor.SetValue(i, 1);
  ub.tensor.SetSize(32);
  whole(gm).SetValue(0, ub.tensor.GetValue(n));  // HERE get_value_in_buffer
}

namespace {

// An element larger than any that instructions know, and a tensor of two.
struct Large {
  uint8_t bytes[65536];
};

struct TwoLarge {
  TPipe pipe;
  TBuf<kUb> buffer;
  LocalTensor<Large> tensor;
  TwoLarge() {
    pipe.InitBuffer(buffer, 2 * sizeof(Large));
    tensor = buffer.Get<uint8_t>().ReinterpretCast<Large>();
  }
};

Large large;  // too much for the stack

}  // namespace

extern "C" __global__ __aicore__ void set_large(GM_ADDR, int64_t n) {
  TwoLarge ub;
  large.bytes[0] = large.bytes[65535] = 0xA5;
  ub.tensor.SetValue(n, large);  // HERE set_large
}

extern "C" __global__ __aicore__ void get_large(GM_ADDR gm, int64_t n) {
  TwoLarge ub;
  ub.tensor.SetValue(0, large);
  ub.tensor.SetValue(1, large);
  large = ub.tensor.GetValue(n);  // HERE get_large
  gm[0] = large.bytes[65535];
}

extern "C" __global__ __aicore__ void call_large(GM_ADDR, int64_t n) {
  TwoLarge ub;
  Large& cell = ub.tensor(n);  // HERE call_large
  for (uint8_t& byte : cell.bytes) byte = 0x5A;
}

extern "C" __global__ __aicore__ void set_large_gm(GM_ADDR gm, int64_t n) {
  GlobalTensor<Large> global;
  global.SetGlobalBuffer((__gm__ Large*)gm, 1);
  if (n != 0) global.SetValue(n, large);  // HERE set_large_gm
}

extern "C" __global__ __aicore__ void get_value(GM_ADDR gm, int64_t n) {
  Scratch ub;
  (void)LocalTensor<half>(kUb, 0, 256).GetPhyAddr();  // all of it counts as written
  const half value = ub.tensor.GetValue(n);  // HERE get_value
  whole(gm).SetValue(0, value);
}

extern "C" __global__ __aicore__ void call_operator(GM_ADDR, int64_t n) {
  Scratch ub;
  ub.tensor(n) = half(1);  // HERE call_operator
}

extern "C" __global__ __aicore__ void part_behind_end(GM_ADDR, int64_t n) {
  Scratch ub;
  ub.tensor[n].SetValue(0, 1);  // HERE part_behind_end
}

extern "C" __global__ __aicore__ void int4_set_value(GM_ADDR, int64_t n) {
  Scratch ub;
  ub.tensor.ReinterpretCast<int4b_t>().SetValue(n, int4b_t(1));  // HERE int4_set_value
}

extern "C" __global__ __aicore__ void duplicate_count(GM_ADDR, int64_t n) {
  Scratch ub;
  Duplicate(ub.tensor, half(0), n);  // HERE duplicate_count
}

extern "C" __global__ __aicore__ void add_repeats(GM_ADDR, int64_t n) {
  Scratch ub;
  Add(ub.tensor, ub.tensor, ub.tensor, 64, n, {1, 1, 1, 4, 4, 4});  // HERE add_repeats
}

extern "C" __global__ __aicore__ void behind_ub(GM_ADDR, int64_t n) {
  LocalTensor<half> tensor(kUb, n, 128);
  Duplicate(tensor, half(0), 128);  // HERE behind_ub
}

extern "C" __global__ __aicore__ void copy_behind_gm(GM_ADDR gm, int64_t n) {
  Scratch ub;
  DataCopy(ub.tensor, whole(gm)[n], 128);  // HERE copy_behind_gm
}

extern "C" __global__ __aicore__ void gm_set_value(GM_ADDR gm, int64_t n) {
  whole(gm).SetValue(n, 1);  // HERE gm_set_value
}

extern "C" __global__ __aicore__ void gm_get_value(GM_ADDR gm, int64_t n) {
  if (float(whole(gm).GetValue(n)) == 123) whole(gm).SetValue(0, 1);  // HERE gm_get_value
}

extern "C" __global__ __aicore__ void gm_tensor_end(GM_ADDR gm, int64_t n) {
  GlobalTensor<half> global;
  global.SetGlobalBuffer((__gm__ half*)gm, 100);
  global.SetValue(n, 1);  // HERE gm_tensor_end
}

extern "C" __global__ __aicore__ void part_before_gm(GM_ADDR gm, int64_t n) {
  GlobalTensor<half> global;
  global.SetGlobalBuffer((__gm__ half*)gm, 100);
  global[n].SetValue(0, 1);  // HERE part_before_gm
}

extern "C" __global__ __aicore__ void part_before_ub(GM_ADDR, int64_t n) {
  Scratch ub;
  Duplicate(ub.tensor[n], half(0), 16);  // HERE part_before_ub
}

extern "C" __global__ __aicore__ void unset_gm(GM_ADDR gm, int64_t n) {
  Scratch ub;
  GlobalTensor<half> global;
  if (n == 0) global.SetGlobalBuffer((__gm__ half*)gm);
  DataCopy(ub.tensor, global[16], 128);  // HERE unset_gm
}

extern "C" __global__ __aicore__ void misaligned_gm(GM_ADDR gm, int64_t n) {
  Scratch ub;
  GlobalTensor<half> global;
  global.SetGlobalBuffer((__gm__ half*)(gm + n));
  DataCopy(ub.tensor, global, 128);  // HERE misaligned_gm
}

extern "C" __global__ __aicore__ void misaligned_gm_value(GM_ADDR gm, int64_t n) {
  GlobalTensor<float> global;
  global.SetGlobalBuffer((__gm__ float*)(gm + n));
  global.SetValue(3, 1.0f);  // HERE misaligned_gm_value
}

extern "C" __global__ __aicore__ void any_byte_of_gm(GM_ADDR gm, int64_t n) {
  LocalTensor<half> tensor(kUb, 0, 128);
  GlobalTensor<half> global;
  global.SetGlobalBuffer((__gm__ half*)(gm + n));
  DataCopyPad(tensor, global, {1, 20, 0, 0}, {false, 0, 0, 0});
}

extern "C" __global__ __aicore__ void misaligned_ub(GM_ADDR, int64_t n) {
  Scratch ub;
  Duplicate(ub.tensor[n], half(0), 16);  // HERE misaligned_ub
}

extern "C" __global__ __aicore__ void misaligned_l0a(GM_ADDR, int64_t n) {
  LocalTensor<half> from(TPosition::A1, 0, 256), to(TPosition::A2, n, 256);
  LoadData(to, from, LoadData2DParams(0, 1, 1, 0, 0, false, 0));  // HERE misaligned_l0a
}

extern "C" __global__ __aicore__ void misaligned_l1(GM_ADDR gm, int64_t n) {
  LocalTensor<half> to(TPosition::A1, n, 256);
  DataCopy(to, whole(gm), 16);  // HERE misaligned_l1
}

extern "C" __global__ __aicore__ void add_position(GM_ADDR, int64_t n) {
  LocalTensor<half> tensor(TPosition(n), 0, 128);
  Add(tensor, tensor, tensor, 128);  // HERE add_position
}

extern "C" __global__ __aicore__ void load_position(GM_ADDR, int64_t n) {
  LocalTensor<half> from(TPosition(n), 0, 256), to(TPosition::A2, 0, 256);
  LoadData(to, from, LoadData2DParams(0, 1, 1, 0, 0, false, 0));  // HERE load_position
}

extern "C" __global__ __aicore__ void mmad_position(GM_ADDR, int64_t n) {
  LocalTensor<half> a(TPosition(n), 0, 256), b(TPosition::B2, 0, 256);
  LocalTensor<float> c(TPosition::CO1, 0, 256);
  Mmad(c, a, b, MmadParams(16, 16, 16, 0, false, true));  // HERE mmad_position
}

extern "C" __global__ __aicore__ void buffer_too_large(GM_ADDR, int64_t n) {
  TPipe pipe;
  TBuf<kUb> buffer;
  pipe.InitBuffer(buffer, n);  // HERE buffer_too_large
}

extern "C" __global__ __aicore__ void buffers_too_large_together(GM_ADDR, int64_t n) {
  TPipe pipe;
  TBuf<kUb> buffer;
  TQue<TPosition::VECIN, 1> queue;
  pipe.InitBuffer(buffer, 1024);
  pipe.InitBuffer(queue, 2, n);  // HERE buffers_too_large_together
}

extern "C" __global__ __aicore__ void byte_beside_gm(GM_ADDR gm, int64_t n) { gm[n] = 7; }

// n is a byte of BT, FB or UB.
extern "C" __global__ __aicore__ void byte_of_bt(GM_ADDR, int64_t n) {
  LocalTensor<uint8_t>(TPosition::C2, 0, 0).GetPhyAddr()[n] = 7;
}
extern "C" __global__ __aicore__ void byte_of_fb(GM_ADDR, int64_t n) {
  LocalTensor<uint8_t>(TPosition::C2PIPE2GM, 0, 0).GetPhyAddr()[n] = 7;
}
extern "C" __global__ __aicore__ void byte_of_ub(GM_ADDR, int64_t n) {
  LocalTensor<uint8_t>(kUb, 0, 0).GetPhyAddr()[n] = 7;  // HERE byte_of_ub
}

extern "C" __global__ __aicore__ void overlap_in_part(GM_ADDR, int64_t n) {
  Scratch ub;
  Add(ub.tensor[n], ub.tensor, ub.tensor, 64);  // HERE overlap_in_part
}

// All repeats add up in dst, which is src1, or src0.
extern "C" __global__ __aicore__ void adds_up(GM_ADDR, int64_t n) {
  Scratch ub;
  const LocalTensor<half> sum = ub.tensor, x = ub.tensor[64];
  const uint8_t sum_rep = 0, x_rep = 1;
  if (n == 1) Add(sum, x, sum, 16, 2, {1, 1, 1, sum_rep, x_rep, sum_rep});
  if (n == 0) Add(sum, sum, x, 16, 2, {1, 1, 1, sum_rep, sum_rep, x_rep});  // HERE adds_up
}

extern "C" __global__ __aicore__ void not_handed_out(GM_ADDR, int64_t n) {
  Last ub;
  ub.tensor.SetSize(n);
  Duplicate(ub.tensor, half(0), n);  // HERE not_handed_out
}

extern "C" __global__ __aicore__ void not_handed_out_by_scalar(GM_ADDR, int64_t n) {
  Last ub;
  ub.tensor.SetBufferLen(n + 2);
  ub.tensor.SetValue(n / 2, 1);  // HERE not_handed_out_by_scalar
}

extern "C" __global__ __aicore__ void watched(GM_ADDR, int64_t n) {
  LocalTensor<half> t(TPosition::VECCALC, 0, 1024);
  CheckLocalMemoryIA({0, 3, 7, false, false, false, true, false, false, true});
  Duplicate(t, half(0), n);  // HERE watched
}

// Datablock 4 is read and written by scalar code, a vector instruction and a copy, while
// the `way`th of these is forbidden; 6: all are, for a moment; 7: in datablock 5.
extern "C" __global__ __aicore__ void watched_ways(GM_ADDR gm, int64_t way) {
  TPipe pipe;
  LocalTensor<half> all(TPosition::VECCALC, 0, 1024);
  Duplicate(all, half(0), 512);
  PipeBarrier<PIPE_ALL>();
  LocalTensor<half> t = all[64], apart = all[256];
  GlobalTensor<half> out;
  out.SetGlobalBuffer((__gm__ half*)gm);
  const auto base = (uint64_t)GetTPipePtr()->GetBaseAddr((int8_t)TPosition::VECCALC);
  const uint32_t block = ((uint64_t)t.GetPhyAddr() - base) / 32;
  const bool any = way > 5;
  CheckLocalMemoryIAParam watch{3,
                                block - 1,
                                block,
                                any || way == 0,
                                any || way == 1,
                                any || way == 2,
                                any || way == 3,
                                any || way == 4,
                                any || way == 5,
                                true};
  if (way == 7) ++watch.startAddr, ++watch.endAddr;
  CheckLocalMemoryIA(watch);
  if (way == 6) CheckLocalMemoryIA({3});
  apart.SetValue(0, t.GetValue(0));
  t.SetValue(0, half(0));
  PipeBarrier<PIPE_ALL>();
  Adds(apart, t, half(1), 16);
  Adds(t, apart[32], half(1), 16);
  PipeBarrier<PIPE_ALL>();
  DataCopy(out, t, 16);
  PipeBarrier<PIPE_ALL>();
  DataCopy(t, out, 16);
}

extern "C" __global__ __aicore__ void watch_number(GM_ADDR, int64_t n) {
  CheckLocalMemoryIA({uint8_t(n)});  // HERE watch_number
}

extern "C" __global__ __aicore__ void watch_start(GM_ADDR, int64_t n) {
  CheckLocalMemoryIA({0, uint32_t(n)});  // HERE watch_start
}

extern "C" __global__ __aicore__ void watch_end(GM_ADDR, int64_t n) {
  CheckLocalMemoryIA({0, 0, uint32_t(n)});  // HERE watch_end
}

extern "C" __global__ __aicore__ void twice_behind_the_end(GM_ADDR, int64_t n) {
  Last ub;
  Duplicate(ub.tensor, half(0), n);  // HERE twice_behind_the_end
}

extern "C" __global__ __aicore__ void into_the_next_buffer(GM_ADDR, int64_t n) {
  TPipe pipe;
  TBuf<kUb> one, next;
  pipe.InitBuffer(one, 256);
  pipe.InitBuffer(next, 256);
  auto tensor = one.Get<half>();
  tensor.SetSize(n);
  Duplicate(tensor, half(0), n);  // HERE into_the_next_buffer
}

// Two instructions in one line, as an unrolled loop has them.
extern "C" __global__ __aicore__ void one_line_twice(GM_ADDR x, int64_t n) {
  TPipe pipe;
  TBuf<kUb> buffer;
  pipe.InitBuffer(buffer, 256);
  GlobalTensor<half> from;
  from.SetGlobalBuffer((__gm__ half*)x, 64);
  auto tensor = buffer.Get<half>();
#define TWICE(statement) statement; statement
  TWICE(DataCopy(tensor, from, n));  // HERE one_line_twice
#undef TWICE
}

// Twice n elements through tensors of 64, in buffers of 128.
extern "C" __global__ __aicore__ void past_tensors(GM_ADDR x, GM_ADDR out, int64_t n) {
  TPipe pipe;
  TBuf<kUb> buffer;
  pipe.InitBuffer(buffer, 256);
  GlobalTensor<half> from, to;
  from.SetGlobalBuffer((__gm__ half*)x, 64);
  to.SetGlobalBuffer((__gm__ half*)out, 64);
  auto tensor = buffer.Get<half>();
  tensor.SetSize(64);
  for (int i = 0; i < 2; ++i) {
    DataCopy(tensor, from, n);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, tensor, n);
    PipeBarrier<PIPE_ALL>();
  }
}
