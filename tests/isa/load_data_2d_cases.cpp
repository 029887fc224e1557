// LoadData 2D on every route, one case a block. The image is the identity, what the destination
// holds before, and the source.
#include "cube_cases.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : visible(values.next()),
        l1_to_gm(values.next()),
        dst_bytes(values.next()),
        type(values.next()),
        dst(values),
        src(values) {
    params.startIndex = values.next();
    params.repeatTimes = values.next();
    params.srcStride = values.next();
    params.dstGap = values.next();
    params.ifTranspose = values.next();
    params.addrMode = values.next();
  }

  bool to_l1() const { return dst.position == TPosition::A1 || dst.position == TPosition::B1; }

  bool visible, l1_to_gm;
  uint32_t dst_bytes;
  int64_t type;
  Place dst, src;
  LoadData2DParams params;
};

template <class T>
void load(Case& values, const Call& call) {
  if (call.src.position != TPosition::GM) {
    LoadData(call.dst.tensor<T>(), call.src.tensor<T>(), call.params);
    return;
  }
  GlobalTensor<T> src;
  src.SetGlobalBuffer((__gm__ T*)(values.image().GetPhyAddr(kFractal + call.dst_bytes) +
                                  call.src.address),
                      call.src.elements);
  LoadData(call.dst.tensor<T>(), src, call.params);
}

void save_l1(Case& values, const Call& call) {
  PipeBarrier<PIPE_ALL>();
  const LocalTensor<uint8_t> l1(TPosition::A1, 0, call.dst_bytes);
  if (call.l1_to_gm) {
    DataCopy(values.result(), l1, whole(call.dst_bytes));
    return;
  }
  DataCopy(bytes_of(TPosition::VECCALC, call.dst_bytes), l1, whole(call.dst_bytes));
  PipeBarrier<PIPE_ALL>();
  DataCopy(values.result(), bytes_of(TPosition::VECCALC, call.dst_bytes), whole(call.dst_bytes));
}

}  // namespace

extern "C" __global__ __aicore__ void load_data_2d_cases(GM_ADDR table, GM_ADDR images,
                                                         GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  const auto before = values.image()[kFractal];
  if (call.to_l1() && call.visible) {
    fill_l1(before, call.dst_bytes);
  } else if (call.src.position != TPosition::GM) {
    const uint32_t skipped = kFractal + call.dst_bytes;
    fill_l1(values.image()[skipped], values.image_bytes - skipped);
  }
  if (!call.to_l1() && call.visible) fill_l0(call.dst.position, before, call.dst_bytes);
  with_type(call.type, [&](auto element) { load<decltype(element)>(values, call); });
  if (!call.visible) return;
  if (call.to_l1()) {
    save_l1(values, call);
  } else {
    save_l0(call.dst.position, values.image(), values.result(), call.dst_bytes / kFractal);
  }
}
