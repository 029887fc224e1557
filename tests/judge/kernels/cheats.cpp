// z = x + y on n floats, by ways that look right and are not what was asked for, by number.
#include <pthread.h>

#include <cstdint>

#include "kernel_operator.h"

using namespace AscendC;

namespace {

constexpr uint32_t kTile = 2048;

// The answer, by the host's own arithmetic.
void add_on_host(const float* x, const float* y, float* z, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i) z[i] = x[i] + y[i];
}

// A thread that was there before the kernel, and waits for work.
struct Fallback {
  const float* volatile x = nullptr, * volatile y = nullptr;
  float* volatile z = nullptr;
  volatile uint32_t n = 0;
  volatile bool wanted = false, done = false;

  Fallback() {
    pthread_t thread;
    pthread_create(&thread, nullptr, run, this);
  }
  static void* run(void* it) {
    auto* self = static_cast<Fallback*>(it);
    while (!self->wanted) {
    }
    add_on_host(self->x, self->y, self->z, self->n);
    self->done = true;
    return nullptr;
  }
};
Fallback fallback;
int calls = 0;
const void* last_x = nullptr;
float kept[kTile];

}  // namespace

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace,
                                          uint32_t n, int32_t number) {
  auto* const a = reinterpret_cast<__gm__ float*>(x);
  auto* const b = reinterpret_cast<__gm__ float*>(y);
  auto* const c = reinterpret_cast<__gm__ float*>(z);
  GlobalTensor<float> gx, gy, gz, gw;
  gx.SetGlobalBuffer(a, n);
  gy.SetGlobalBuffer(b, n);
  gz.SetGlobalBuffer(c, n);
  gw.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(workspace), n);
  TPipe pipe;
  TBuf<TPosition::VECCALC> room;
  pipe.InitBuffer(room, 3 * kTile * sizeof(float));
  auto p = room.Get<float>(), q = p[kTile], r = p[2 * kTile];
  const DataCopyExtParams bytes{1, uint32_t(n * sizeof(float)), 0, 0, 0};
  const auto out = [&](LocalTensor<float>& from) {
    PipeBarrier<PIPE_ALL>();
    DataCopyPad(gz, from, bytes);
  };
  const auto honest = [&] {
    DataCopyPad(p, gx, bytes, {});
    DataCopyPad(q, gy, bytes, {});
    PipeBarrier<PIPE_ALL>();
    Add(r, p, q, int32_t(n));
  };
  switch (number) {
    case 1:  // into the output
      return add_on_host(a, b, c, n);
    case 2:  // into UB, and only the copy is an instruction
      add_on_host(a, b, reinterpret_cast<float*>(p.GetPhyAddr()), n);
      return out(p);
    case 3:  // by way of the workspace
      add_on_host(a, b, reinterpret_cast<float*>(workspace), n);
      DataCopyPad(p, gw, bytes, {});
      return out(p);
    case 4:  // by a thread of a constructor
      fallback.x = a, fallback.y = b, fallback.z = c, fallback.n = n;
      fallback.wanted = true;
      while (!fallback.done) {
      }
      return;
    case 5:  // over instructions' zeros, the last element only
      honest();
      PipeBarrier<PIPE_ALL>();
      r.SetValue(n - 1, 0.0f);
      out(r);
      PipeBarrier<PIPE_ALL>();
      c[n - 1] = a[n - 1] + b[n - 1];
      return;
    case 6:  // what the last call gave, at the same address
      if (last_x == x && calls++ > 0) return add_on_host(kept, kept, c, 0);
      last_x = x;
      break;
    case 7:  // in half, and the digits that half has not are filled with something
      DataCopyPad(p, gx, bytes, {});
      DataCopyPad(q, gy, bytes, {});
      PipeBarrier<PIPE_ALL>();
      Add(r, p, q, int32_t(n));
      PipeBarrier<PIPE_V>();
      Cast(p.ReinterpretCast<half>(), r, RoundMode::CAST_RINT, n);
      PipeBarrier<PIPE_V>();
      Cast(r, p.ReinterpretCast<half>(), RoundMode::CAST_NONE, n);
      PipeBarrier<PIPE_V>();
      Muls(r, r, 1.00001f, int32_t(n));
      return out(r);
    case 8:  // infinity is larger than every difference
      Duplicate(r, 1.0f / 0.0f, int32_t(n));
      return out(r);
    case 9:  // equal to nothing, so different from nothing
      Duplicate(r, 0.0f / 0.0f, int32_t(n));
      return out(r);
    case 10:  // one element by SetValue: an instruction of the scalar unit
      honest();
      PipeBarrier<PIPE_ALL>();
      r.SetValue(0, p.GetValue(0) + q.GetValue(0));
      return out(r);
    case 11: {  // a part of the elements in half
      honest();
      PipeBarrier<PIPE_V>();
      const int32_t part = int32_t(n / 64 * 16);
      Cast(p.ReinterpretCast<half>(), r, RoundMode::CAST_RINT, part);
      PipeBarrier<PIPE_V>();
      Cast(r, p.ReinterpretCast<half>(), RoundMode::CAST_NONE, part);
      return out(r);
    }
    default: break;
  }
  honest();
  out(r);
}
