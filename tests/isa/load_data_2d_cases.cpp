// LoadData 2D on every route, one case a block. The image is what the destination's memory holds
// before, and the source.
#include "local_image.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : visible(values.next()), type(values.next()), dst(values), src(values) {
    params.startIndex = values.next();
    params.repeatTimes = values.next();
    params.srcStride = values.next();
    params.dstGap = values.next();
    params.ifTranspose = values.next();
    params.addrMode = values.next();
  }

  bool visible;
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
  src.SetGlobalBuffer(
      (__gm__ T*)(values.image().GetPhyAddr(values.result_bytes) + call.src.address),
      call.src.elements);
  LoadData(call.dst.tensor<T>(), src, call.params);
}

}  // namespace

extern "C" __global__ __aicore__ void load_data_2d_cases(GM_ADDR table, GM_ADDR images,
                                                         GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  const uint32_t dst_bytes = values.result_bytes;
  if (call.src.position == TPosition::A1 || call.src.position == TPosition::B1) {
    fill_memory(TPosition::A1, values.image()[dst_bytes], values.image_bytes - dst_bytes);
  }
  if (call.visible) fill_memory(call.dst.position, values.image(), dst_bytes);
  with_type(call.type, [&](auto element) { load<decltype(element)>(values, call); });
  if (call.visible) save_memory(values.result(), call.dst.position, dst_bytes);
}
