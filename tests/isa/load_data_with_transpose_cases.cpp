// LoadDataWithTranspose, one case a block. The image is what A2 or B2 holds before, then L1.
#include "local_image.h"

namespace {

struct Call {
  explicit Call(Case& values)
      : visible(values.next()),
        form(values.next()),
        type(values.next()),
        twice(values.next()),
        dst(values),
        src(values),
        start(values.next()),
        repeats(values.next()),
        src_stride(values.next()),
        dst_gap(values.next()),
        frac_gap(values.next()),
        addr_mode(values.next()) {}

  LoadData2dTransposeParams params() const {
    if (form == 0) return {start, repeats, src_stride, dst_gap, frac_gap};
    if (form == 1) return {start, repeats, src_stride, dst_gap, frac_gap, addr_mode};
    if (form == 3) return as_printed();
    LoadData2dTransposeParams fields;
    fields.startIndex = start;
    fields.repeatTimes = repeats;
    fields.srcStride = src_stride;
    fields.dstGap = dst_gap;
    fields.dstFracGap = frac_gap;
    fields.addrMode = addr_mode;
    return fields;
  }

  // The documents print an aggregate: as many of its fields as are not 0.
  LoadData2dTransposeParams as_printed() const {
    using Params = LoadData2dTransposeParams;
    if (frac_gap != 0) return Params{start, repeats, src_stride, dst_gap, frac_gap};
    if (dst_gap != 0) return Params{start, repeats, src_stride, dst_gap};
    if (src_stride != 0) return Params{start, repeats, src_stride};
    if (repeats != 0) return Params{start, repeats};
    return Params{start};
  }

  bool visible;
  int64_t form, type;
  bool twice;
  Place dst, src;
  uint16_t start;
  uint8_t repeats;
  uint16_t src_stride, dst_gap, frac_gap;
  uint8_t addr_mode;
};

}  // namespace

extern "C" __global__ __aicore__ void load_data_with_transpose_cases(GM_ADDR table, GM_ADDR images,
                                                                     GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  const uint32_t dst_bytes = values.result_bytes;
  if (call.visible) {
    fill_memory(call.dst.position, values.image(), dst_bytes);
    fill_memory(TPosition::A1, values.image()[dst_bytes], values.image_bytes - dst_bytes);
  }
  with_type(call.type, [&](auto element) {
    using T = decltype(element);
    const auto dst = call.dst.tensor<T>();
    const auto src = call.src.tensor<T>();
    LoadDataWithTranspose(dst, src, call.params());
    if (!call.twice) return;
    // What the first one made, back in L1 as it is, and transposed once more.
    PipeBarrier<PIPE_ALL>();
    const uint8_t* from = first_byte(call.dst.position);
    uint8_t* to = first_byte(TPosition::A1);
    for (uint32_t i = 0; i < dst_bytes; ++i) to[i] = from[i];
    LoadDataWithTranspose(dst, src, call.params());
  });
  if (call.visible) save_memory(values.result(), call.dst.position, dst_bytes);
}
