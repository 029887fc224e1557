// Correct kernels, in each of which a launch can leave one write out. Line FIRST n reads then what
// nobody has written, and at line HERE n it matters; line NEAR n wrote too little.
#include "left_out.h"

__aicore__ inline void wait() { PipeBarrier<PIPE_ALL>(); }

// Lane by lane. Nobody ever writes elements 100 to 127 of x.
extern "C" __global__ __aicore__ void lanes(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 128);
  LocalTensor<float> y = local<float>(TPosition::VECCALC, 1024, 128);
  LocalTensor<float> z = local<float>(TPosition::VECOUT, 2048, 128);
  UNLESS(1) DataCopy(x, from, left_out == 2 ? 64 : 96);  // NEAR 2, NEAR 3
  UNLESS(3) DataCopy(x[96], from[96], 8);  // NEAR 1
  UNLESS(4) Duplicate(y, 1.0f, 128);
  wait();
  Add(z, x, y, 128);  // FIRST 1, FIRST 2, FIRST 3, FIRST 4
  Muls(z, z, 2.0f, 128);
  wait();
  DataCopy(to, z, 104);  // HERE 1, HERE 2, HERE 3, HERE 4
  wait();
  LocalTensor<float> fresh = local<float>(TPosition::VECOUT, 4096, 64);
  UNLESS(6) Duplicate(fresh, 3.0f, 64);
  wait();
  DataCopy(to[104], fresh, 64);  // HERE 6, FIRST 6
  // The end of a datablock may be anything, its start may not.
  LocalTensor<float> end = local<float>(TPosition::VECOUT, 8192, 8);
  uint64_t mask[] = {left_out == 7 ? 0xF0u : 0x0Fu, 0};
  Duplicate(end, 4.0f, mask, 1, 1, 8);  // NEAR 7
  wait();
  DataCopy(to[168], end, 8);  // HERE 7, FIRST 7
}

// Where all comes together, one unwritten lane is enough: of 100 elements, 4 are not there.
extern "C" __global__ __aicore__ void sums(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 128);
  LocalTensor<float> work = local<float>(TPosition::VECCALC, 1024, 128);
  LocalTensor<float> z = local<float>(TPosition::VECOUT, 2048, 8);
  DataCopy(x, from, 96);  // NEAR 11
  UNLESS(11) DataCopy(x[96], from[96], 8);
  wait();
  ReduceSum(z, x, work, 100);  // FIRST 11
  wait();
  DataCopy(to, z, 8);  // HERE 11
}

// What scalar code looks at.
extern "C" __global__ __aicore__ void scalars(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 64);
  LocalTensor<float> y = local<float>(TPosition::VECIN, 512, 64);
  LocalTensor<float> z = local<float>(TPosition::VECOUT, 2048, 64);
  UNLESS(21) x.SetValue(5, 2.0f);
  UNLESS(22) y(6) = 3.0f;
  UNLESS(23) DataCopy(y[8], from, 8);  // NEAR 22
  wait();
  float value = x.GetValue(5);  // HERE 21, FIRST 21
  value += y.GetValue(6);       // HERE 22, FIRST 22
  Adds(z, y, 1.0f, 64);         // FIRST 23
  wait();
  value += z.GetValue(9);  // HERE 23
  Duplicate(z, value, 64);
  wait();
  DataCopy(to, z, 64);
}

// What says where an instruction reads.
extern "C" __global__ __aicore__ void offsets(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 64);
  LocalTensor<uint32_t> where = local<uint32_t>(TPosition::VECCALC, 1024, 64);
  LocalTensor<float> z = local<float>(TPosition::VECOUT, 2048, 64);
  Duplicate(x, 1.0f, 64);
  Duplicate(where.ReinterpretCast<int32_t>(), 4, 56);
  wait();
  UNLESS(25) Duplicate(where[56].ReinterpretCast<int32_t>(), 4, 8);
  wait();
  And(where[56].ReinterpretCast<uint16_t>(), where[56].ReinterpretCast<uint16_t>(),  // FIRST 25
      where.ReinterpretCast<uint16_t>(), 8);
  Gather(z, x, where, 0, 60);  // HERE 25
  wait();
  DataCopy(to, z, 56);
}

// A product of 20 x 24 x 32 by blocks of 16: rows 20 to 31 and columns 24 to 31 hold anything.
extern "C" __global__ __aicore__ void product(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<half> from = global<half>(in);
  GlobalTensor<float> to = global<float>(out);
  LocalTensor<half> l1a = local<half>(TPosition::A1, 0, 1024);
  LocalTensor<half> l1b = local<half>(TPosition::B1, 4096, 1024);
  LocalTensor<half> a = local<half>(TPosition::A2, 0, 1024), b = local<half>(TPosition::B2, 0, 1024);
  LocalTensor<float> c = local<float>(TPosition::CO1, 0, 1024);
  Nd2NzParams rows;
  rows.ndNum = 1;
  rows.nValue = left_out == 31 ? 19 : 20;
  rows.dValue = rows.srcDValue = 32;
  rows.dstNzC0Stride = 32;
  rows.dstNzNStride = 1;
  DataCopy(l1a, from, rows);  // NEAR 31
  rows.nValue = 24;
  UNLESS(32) DataCopy(l1b, from[1024], rows);
  wait();
  for (int i = 0; i < 2; ++i) {
    LoadData(a[i * 512], l1a[i * 256], LoadData2DParams(0, 2, 2, 0, 0, false, 0));  // FIRST 31
    LoadData(b[i * 512], l1b[i * 512], LoadData2DParams(0, 2, 1, 0, 0, false, 0));  // FIRST 32
  }
  wait();
  MmadParams params;
  params.m = 20;
  params.n = 24;
  params.k = 32;
  params.cmatrixInitVal = left_out != 33;
  Mmad(c, a, b, params);  // FIRST 33
  wait();
  FixpipeParamsV220 store;
  store.nSize = 24;
  store.mSize = 20;
  store.srcStride = 32;
  store.dstStride = 24;
  Fixpipe(to, c, store);  // HERE 31, HERE 32, HERE 33
}

// What comes back from an output.
extern "C" __global__ __aicore__ void back(GM_ADDR in, GM_ADDR out, int32_t left_out) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 64);
  LocalTensor<float> y = local<float>(TPosition::VECIN, 512, 64);
  DataCopy(x, from, 64);
  wait();
  UNLESS(41) DataCopy(to, x, 64);
  UNLESS(42) to.SetValue(128, 1.0f);
  wait();
  DataCopy(y, to, 64);  // FIRST 41
  wait();
  Adds(y, y, to.GetValue(128), 64);  // HERE 42, FIRST 42
  wait();
  DataCopy(to[64], y, 64);  // HERE 41
}

// Writes 64 elements of 128, in a way that `how` says: 0 none, 1 by a copy, 2 by a pointer, 3 behind
// the buffer.
extern "C" __global__ __aicore__ void some(GM_ADDR in, GM_ADDR out, int32_t how) {
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 64);
  DataCopy(x, global<float>(in), 64);
  wait();
  if (how == 1) DataCopy(global<float>(out)[32], x, 64);
  if (how == 3) DataCopy(global<float>(out)[120], x, 64);
  for (int i = 32; how == 2 && i < 96; ++i) reinterpret_cast<__gm__ float*>(out)[i] = 1.0f;
}

// Calls that are refused: what reads what they should have written is not told, too.
extern "C" __global__ __aicore__ void refused(GM_ADDR in, GM_ADDR out, int32_t planted) {
  GlobalTensor<float> from = global<float>(in), to = global<float>(out);
  LocalTensor<float> x = local<float>(TPosition::VECIN, 0, 128);
  LocalTensor<float> y = local<float>(TPosition::VECCALC, 1024, 128);
  LocalTensor<float> z = local<float>(TPosition::VECOUT, 2048, 128);
  DataCopy(x, from[planted == 51 || planted == 54 ? 8192 : 0], 64);
  if (planted != 54) Duplicate(x[64], 2.0f, 64);
  Duplicate(y, 1.0f, 64, planted == 52 ? 256 : 2, 1, 8);
  wait();
  Add(z, x, y, 128);
  wait();
  DataCopy(to, z, 128);
}

// A pointer that leaves its tensor of 256 bytes: by `beyond` elements, which nobody else has written.
extern "C" __global__ __aicore__ void strays(GM_ADDR in, GM_ADDR out, int32_t beyond) {
  LocalTensor<float> x = local<float>(TPosition::VECIN, 1024, 64), y = local<float>(TPosition::VECIN, 512, 64);
  auto* other = y.GetPhyAddr();
  auto* at = x.GetPhyAddr();  // STRAY
  for (int i = 0; i < 64; ++i) at[i] = other[i] = 1.0f;
  at[beyond] = 2.0f;
  wait();
  DataCopy(global<float>(out), x, 64);
}
