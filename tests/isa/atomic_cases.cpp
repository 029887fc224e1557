// Copies from UB to GM that combine, one case a block. Image and result hold UB and GM, one after
// the other; the GM part of the result is the GM that the copy works on.
#include "cases.h"

namespace {

constexpr uint32_t kUb = 4096;

enum Op { kOff, kAdd, kMax, kMin };

template <class T>
void set(int64_t op) {
  if (op == kAdd) SetAtomicAdd<T>();
  if (op == kMax) SetAtomicMax<T>();
  if (op == kMin) SetAtomicMin<T>();
}

// Before the calls: UB and GM as the image has them.
void fill(Case& values) {
  const LocalTensor<uint8_t> ub(TPosition::VECCALC, 0, kUb);
  for (uint32_t at = kUb; at < values.image_bytes; at += kUb) {
    DataCopy(ub, values.image()[at], whole(kUb));
    PipeBarrier<PIPE_ALL>();
    DataCopy(values.result()[at], ub, whole(kUb));
    PipeBarrier<PIPE_ALL>();
  }
  DataCopy(ub, values.image(), whole(kUb));
}

template <class T>
void copy(Case& values, const Place& src, const Place& dst, bool by_count, uint32_t count,
          const DataCopyParams& params) {
  GlobalTensor<T> to;
  to.SetGlobalBuffer((__gm__ T*)(values.result().GetPhyAddr(kUb) + dst.address), dst.elements);
  by_count ? DataCopy(to, src.tensor<T>(), count) : DataCopy(to, src.tensor<T>(), params);
}

}  // namespace

// The mode is `op` on elements of type `mode`, set after `before`, or with float first and then
// SetAtomicType; `cleared`: ended again. Then `times` times the same copy.
extern "C" __global__ __aicore__ void atomic_cases(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  const int64_t op = values.next(), before = values.next(), mode = values.next();
  const bool retyped = values.next(), cleared = values.next();
  const int64_t saturate = values.next(), times = values.next(), type = values.next();
  const bool by_count = values.next();
  const uint32_t count = values.next();
  DataCopyParams params;
  params.blockCount = values.next();
  params.blockLen = values.next();
  params.srcGap = values.next();
  params.dstGap = values.next();
  const Place src(values), dst(values);
  fill(values);
  PipeBarrier<PIPE_ALL>();
  if (saturate >= 0) AscendCUtils::SetOverflow(saturate ? 0 : 1);
  with_type(mode, [&](auto element) {
    using T = decltype(element);
    set<T>(before);
    if (retyped) {
      set<float>(op);
      SetAtomicType<T>();
    } else {
      set<T>(op);
    }
  });
  if (cleared) DisableDmaAtomic();
  with_type(type, [&](auto element) {
    for (int64_t i = 0; i < times; ++i) {
      copy<decltype(element)>(values, src, dst, by_count, count, params);
      PipeBarrier<PIPE_ALL>();
    }
  });
  if (op != kOff || before != kOff) SetAtomicNone();
  PipeBarrier<PIPE_ALL>();
  DataCopy(values.result(), LocalTensor<uint8_t>(TPosition::VECCALC, 0, kUb), whole(kUb));
}
