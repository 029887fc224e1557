// DataCopy by count and by bursts, one case a block. Image and result hold UB, L1 and GM, one after
// the other; the GM part of the result is the GM that the copy works on.
#include "cases.h"

namespace {

constexpr uint32_t kChunk = 64 << 10;

struct Call {
  explicit Call(Case& values)
      : ub_bytes(values.next()),
        l1_bytes(values.next()),
        l1_to_gm(values.next()),
        type(values.next()),
        by_count(values.next()),
        count(values.next()),
        dst(values),
        src(values) {
    params.blockCount = values.next();
    params.blockLen = values.next();
    params.srcGap = values.next();
    params.dstGap = values.next();
    is_enhanced = values.next();
    enhanced.blockMode = BlockMode(values.next());
    enhanced.deqScale = DeqScale(values.next());
    enhanced.isRelu = values.next();
  }

  uint32_t ub_bytes, l1_bytes;
  bool l1_to_gm;
  int64_t type;
  bool by_count;
  uint32_t count;
  Place dst, src;
  DataCopyParams params;
  bool is_enhanced;
  DataCopyEnhancedParams enhanced;
};

LocalTensor<uint8_t> local(TPosition position, uint32_t address, uint32_t bytes) {
  return LocalTensor<uint8_t>(position, address, bytes);
}

// Calls f(offset, bytes) for the pieces that fit into UB.
template <class F>
void in_chunks(uint32_t bytes, F f) {
  for (uint32_t at = 0; at < bytes; at += kChunk) {
    const uint32_t size = bytes - at < kChunk ? bytes - at : kChunk;
    f(at, size);
    PipeBarrier<PIPE_ALL>();
  }
}

void fill(Case& values, const Call& call) {
  const uint32_t gm = call.ub_bytes + call.l1_bytes;
  const auto chunk = local(TPosition::VECCALC, 0, kChunk);
  in_chunks(values.image_bytes - gm, [&](uint32_t at, uint32_t size) {
    DataCopy(chunk, values.image()[gm + at], whole(size));
    PipeBarrier<PIPE_ALL>();
    DataCopy(values.result()[gm + at], chunk, whole(size));
  });
  in_chunks(call.l1_bytes, [&](uint32_t at, uint32_t size) {
    DataCopy(local(TPosition::A1, at, size), values.image()[call.ub_bytes + at], whole(size));
  });
  DataCopy(local(TPosition::VECCALC, 0, call.ub_bytes), values.image(), whole(call.ub_bytes));
  PipeBarrier<PIPE_ALL>();
}

void save(Case& values, const Call& call) {
  PipeBarrier<PIPE_ALL>();
  DataCopy(values.result(), local(TPosition::VECCALC, 0, call.ub_bytes), whole(call.ub_bytes));
  PipeBarrier<PIPE_ALL>();
  in_chunks(call.l1_bytes, [&](uint32_t at, uint32_t size) {
    const auto part = local(TPosition::A1, at, size);
    const auto to = values.result()[call.ub_bytes + at];
    if (call.l1_to_gm) {
      DataCopy(to, part, whole(size));
      return;
    }
    const auto chunk = local(TPosition::VECCALC, 0, kChunk);
    DataCopy(chunk, part, whole(size));
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, chunk, whole(size));
  });
}

// A GM tensor at a byte address of the GM part; 0 elements: without a size.
template <class T>
GlobalTensor<T> global(Case& values, const Call& call, const Place& place) {
  GlobalTensor<T> tensor;
  auto* start = (__gm__ T*)(values.result().GetPhyAddr(call.ub_bytes + call.l1_bytes) +
                            place.address);
  place.elements == 0 ? tensor.SetGlobalBuffer(start)
                      : tensor.SetGlobalBuffer(start, place.elements);
  return tensor;
}

template <class Dst, class Src>
void copy(const Call& call, const Dst& dst, const Src& src) {
  if (call.is_enhanced) return DataCopy(dst, src, call.params, call.enhanced);
  call.by_count ? DataCopy(dst, src, call.count) : DataCopy(dst, src, call.params);
}

template <class T>
void data_copy(Case& values, const Call& call) {
  if (call.src.position == TPosition::GM) {
    copy(call, call.dst.tensor<T>(), global<T>(values, call, call.src));
  } else if (call.dst.position == TPosition::GM) {
    copy(call, global<T>(values, call, call.dst), call.src.tensor<T>());
  } else {
    copy(call, call.dst.tensor<T>(), call.src.tensor<T>());
  }
}

}  // namespace

extern "C" __global__ __aicore__ void data_copy_cases(GM_ADDR table, GM_ADDR images,
                                                      GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  fill(values, call);
  with_type(call.type, [&](auto element) { data_copy<decltype(element)>(values, call); });
  save(values, call);
}
