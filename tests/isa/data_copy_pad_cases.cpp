// DataCopyPad either way, one case a block. Image and result hold UB and GM, one after the other;
// the GM part of the result is the GM that the copy works on.
#include "cases.h"

namespace {

constexpr uint32_t kChunk = 32 << 10;

constexpr int64_t kBool = 12;  // behind the types of cases.py

struct Call {
  explicit Call(Case& values)
      : ub_bytes(values.next()),
        type(values.next()),
        inward(values.next()),
        short_form(values.next()),
        blocks(values.next()),
        length(values.next()),
        src_gap(values.next()),
        dst_gap(values.next()),
        pad(values.next()),
        left(values.next()),
        right(values.next()),
        value(values.next()),
        set_value(values.next()),
        register_value(values.next()),
        atomic(values.next()),
        ub(values),
        gm(values) {}

  uint32_t ub_bytes;
  int64_t type;
  bool inward, short_form;
  uint16_t blocks;
  uint32_t length, src_gap, dst_gap;
  bool pad;
  uint8_t left, right;
  int64_t value;
  bool set_value;
  int64_t register_value;
  bool atomic;
  Place ub, gm;
};

// Calls f(offset, bytes) for the pieces that fit into a chunk of UB.
template <class F>
void in_chunks(uint32_t bytes, F f) {
  for (uint32_t at = 0; at < bytes; at += kChunk) {
    f(at, bytes - at < kChunk ? bytes - at : kChunk);
    PipeBarrier<PIPE_ALL>();
  }
}

void fill(Case& values, const Call& call) {
  const LocalTensor<uint8_t> chunk(TPosition::VECCALC, 0, kChunk);
  in_chunks(values.image_bytes - call.ub_bytes, [&](uint32_t at, uint32_t size) {
    DataCopy(chunk, values.image()[call.ub_bytes + at], whole(size));
    PipeBarrier<PIPE_ALL>();
    DataCopy(values.result()[call.ub_bytes + at], chunk, whole(size));
  });
  DataCopy(LocalTensor<uint8_t>(TPosition::VECCALC, 0, call.ub_bytes), values.image(),
           whole(call.ub_bytes));
  PipeBarrier<PIPE_ALL>();
}

template <class T>
void copy(Case& values, const Call& call) {
  GlobalTensor<T> gm;
  auto* start = (__gm__ T*)(values.result().GetPhyAddr(call.ub_bytes) + call.gm.address);
  call.gm.elements == 0 ? gm.SetGlobalBuffer(start) : gm.SetGlobalBuffer(start, call.gm.elements);
  const auto ub = call.ub.tensor<T>();
  const DataCopyParams shorter(call.blocks, uint16_t(call.length), uint16_t(call.src_gap),
                               uint16_t(call.dst_gap));
  const DataCopyExtParams params(call.blocks, call.length, call.src_gap, call.dst_gap, 0);
  if (call.set_value) SetPadValue(element_of<T>(call.register_value));
  if (!call.inward) {
    if (call.atomic) SetAtomicAdd<T>();
    call.short_form ? DataCopyPad(gm, ub, shorter) : DataCopyPad(gm, ub, params);
    if (call.atomic) DisableDmaAtomic();
  } else if (call.short_form) {
    const DataCopyPadParams padding(call.pad, call.left, call.right, uint64_t(call.value));
    DataCopyPad(ub, gm, shorter, padding);
  } else {
    const DataCopyPadExtParams<T> padding(call.pad, call.left, call.right,
                                          element_of<T>(call.value));
    DataCopyPad(ub, gm, params, padding);
  }
}

}  // namespace

extern "C" __global__ __aicore__ void data_copy_pad_cases(GM_ADDR table, GM_ADDR images,
                                                          GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  fill(values, call);
  if (call.type == kBool) {
    copy<bool>(values, call);
  } else {
    with_type(call.type, [&](auto element) { copy<decltype(element)>(values, call); });
  }
  PipeBarrier<PIPE_ALL>();
  DataCopy(values.result(), LocalTensor<uint8_t>(TPosition::VECCALC, 0, call.ub_bytes),
           whole(call.ub_bytes));
}
