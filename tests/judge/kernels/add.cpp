// z = x + y on n floats, right with WAY 0; every other way is what somebody does who is wrong, or
// wants to be taken for right.
#include "kernel_operator.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

using namespace AscendC;

#ifndef ELEMENT
#define ELEMENT float
#endif

using T = ELEMENT;

constexpr uint32_t kTile = 2048;

#if WAY == 1
#error "nobody wanted this to compile"
#endif

class Adder {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
    x_.SetGlobalBuffer((__gm__ T*)x, n);
    y_.SetGlobalBuffer((__gm__ T*)y, n);
    z_.SetGlobalBuffer((__gm__ T*)z, n);
    pipe_.InitBuffer(a_, 1, kTile * sizeof(T));
    pipe_.InitBuffer(b_, 1, kTile * sizeof(T));
    pipe_.InitBuffer(c_, 1, kTile * sizeof(T));
    pipe_.InitBuffer(narrow_, kTile * sizeof(half));
  }

  __aicore__ inline void Add(uint32_t at, uint32_t count) {
    DataCopyExtParams bytes{1, uint32_t(count * sizeof(T)), 0, 0, 0};
    auto a = a_.AllocTensor<T>();
    auto b = b_.AllocTensor<T>();
    DataCopyPad(a, x_[at], bytes, {});
    DataCopyPad(b, y_[at], bytes, {});
#if WAY != 2  // waits for nothing
    a_.EnQue(a);
    a = a_.DeQue<T>();
    b_.EnQue(b);
    b = b_.DeQue<T>();
#endif
    auto c = c_.AllocTensor<T>();
#if WAY == 14  // all but the last 64 bytes or so of a tile
    AscendC::Add(c, a, b, int32_t(count > 16 ? count - 16 : 0));
#elif WAY == 15  // half of it is added twice
    AscendC::Add(c, a, b, int32_t(count));
    AscendC::Add(c, c, b, int32_t((count + 1) / 2));
#elif WAY == 16  // does not care for half
    if (sizeof(T) == 2) {
      AscendC::Sub(c, a, b, int32_t(count));
    } else {
      AscendC::Add(c, a, b, int32_t(count));
    }
#else
    AscendC::Add(c, a, b, int32_t(count));
#endif
#if WAY == 3  // in half
    auto narrow = narrow_.Get<half>();
    Cast(narrow, c, RoundMode::CAST_NONE, count);
    Cast(c, narrow, RoundMode::CAST_NONE, count);
#elif WAY == 4  // NaN becomes a number
    Maxs(c, c, -3.0e38f, int32_t(count));
#elif WAY == 5  // the first input
    Adds(c, a, T(0), int32_t(count));
#elif WAY == 6  // zeros
    Duplicate(c, T(0), int32_t(count));
#endif
    c_.EnQue(c);
    c = c_.DeQue<T>();
#if WAY == 7  // over an input
    DataCopyPad(x_[at], c, bytes);
#endif
    DataCopyPad(z_[at], c, bytes);
    c_.FreeTensor(c);
    b_.FreeTensor(b);
    a_.FreeTensor(a);
  }

 private:
  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> a_, b_;
  TQue<QuePosition::VECOUT, 1> c_;
  TBuf<QuePosition::VECCALC> narrow_;
  GlobalTensor<T> x_, y_, z_;
};

static void misbehave(GM_ADDR z, uint32_t n) {
#if WAY == 20
  const char* done = "{\"done\":true,\"seconds\":0,\"counts\":[],\"lost_output\":false}\n";
  for (int file = 3; file < 32; ++file) (void)!write(file, done, 60);
  _exit(0);
#elif WAY == 21
  if (open("/etc/passwd", O_RDONLY) >= 0) _exit(0);
#elif WAY == 22
  if (fork() == 0) _exit(0);
#elif WAY == 23
  for (volatile uint32_t i = 0;; ++i) {}
#elif WAY == 24
  *(volatile int*)nullptr = 1;
#elif WAY == 25
  WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);
#elif WAY == 26
  abort();
#elif WAY == 27  // waits for a block that comes never
  if (GetBlockIdx() == 0) WaitFlag<HardEvent::V_MTE3>(EVENT_ID3);
#elif WAY == 29  // fills logs, and reads what is fed to the judge
  char byte = 0;
  for (int i = 0; i < 1000; ++i) (void)!write(2, "noise from a kernel\n", 20);
  if (read(0, &byte, 1) > 0) abort();
#elif WAY == 28
  for (volatile uint64_t* at = (volatile uint64_t*)z;; at += 512) *at = 1;
#endif
}

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n) {
  misbehave(z, n);
#if WAY == 8  // nothing at all
  return;
#elif WAY == 9  // knows one size
  if (n != 1024) return;
#endif
  uint32_t share = ((n + GetBlockNum() - 1) / GetBlockNum() + 7) / 8 * 8;
  uint32_t from = share * GetBlockIdx();
  if (from >= n) return;
  uint32_t to = from + share < n ? from + share : n;
#if WAY == 10  // no tails
  to = to / 8 * 8;
#elif WAY == 11  // one block only
  if (GetBlockIdx() != 0) return;
#elif WAY == 12  // the last element is somebody else's
  if (to == n) --to;
#endif
  Adder adder;
  adder.Init(x, y, z, n);
  for (uint32_t at = from; at < to; at += kTile) {
    adder.Add(at, to - at < kTile ? to - at : kTile);
  }
#if WAY == 13  // past the end
  adder.Add(n, 8);
#endif
}
