// LoadData 3D v2, one case a block. The image is what A2 or B2 holds before, then L1. The registers
// are set as the case says, the load is made, and perhaps another one that relies on the registers.
#include "local_image.h"

namespace {

constexpr IsResetLoad3dConfig kSetNone = {false, false};
constexpr IsResetLoad3dConfig kSetPadding = {false, true};
constexpr IsResetLoad3dConfig kSetFMatrix = {true, false};

// Bits of `setup`.
constexpr int64_t kLeft = 1, kRight = 2, kPadding = 4, kV1 = 8, kRepeat = 16, kBoundary = 32;

struct Map {
  explicit Map(Case& values) {
    for (uint8_t& side : pad) side = values.next();
    h = values.next();
    w = values.next();
  }

  uint8_t pad[4];
  uint16_t h, w;
};

struct Call {
  explicit Call(Case& values)
      : visible(values.next()),
        form(values.next()),
        sets(values.next()),
        setup(values.next()),
        again(values.next()),
        type(values.next()),
        dst(values),
        src(values),
        map(values),
        value(values.next()),
        left(values),
        right(values),
        earlier_value(values.next()),
        channels(values.next()),
        k_extension(values.next()),
        m_extension(values.next()),
        k_start(values.next()),
        m_start(values.next()),
        stride_w(values.next()),
        stride_h(values.next()),
        filter_w(values.next()),
        filter_h(values.next()),
        dilation_w(values.next()),
        dilation_h(values.next()),
        transpose(values.next()),
        small_k(values.next()),
        size_w(values.next()),
        size_h(values.next()),
        right_map(values.next()),
        repeat_stride(values.next()),
        repeat_time(values.next()),
        repeat_mode(values.next()),
        boundary(values.next()) {}

  template <class T>
  void set_registers() const {
    if (setup & kV1) {
      LoadData3DParamsV1<T> params(left.pad, left.h, left.w, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 0,
                                   1, 0, element_of<T>(earlier_value));
      LoadData(LocalTensor<T>(dst.position, 0, 512 / sizeof(T)), src.tensor<T>(), params);
    }
    if (setup & kLeft) SetFmatrix(left.h, left.w, left.pad, FmatrixMode::FMATRIX_LEFT);
    if (setup & kRight) SetFmatrix(right.h, right.w, right.pad, FmatrixMode::FMATRIX_RIGHT);
    if (setup & kPadding) SetLoadDataPaddingValue(element_of<T>(earlier_value));
    if (setup & kRepeat) set_repeat();
    if (setup & kBoundary) SetLoadDataBoundary(boundary);
  }

  // The documents' constructor, and the fields one by one.
  void set_repeat() const {
    if (form % 2 == 0) return SetLoadDataRepeat({repeat_stride, repeat_time, repeat_mode});
    LoadDataRepeatParam fields;
    if (repeat_stride != 0) fields.repeatStride = repeat_stride;  // these are the defaults
    if (repeat_time != 1) fields.repeatTime = repeat_time;
    if (repeat_mode != 0) fields.repeatMode = repeat_mode;
    SetLoadDataRepeat(fields);
  }

  // Both constructors of the documents, and the fields one by one.
  template <class T>
  LoadData3DParamsV2<T> params() const {
    const T pad_value = element_of<T>(value);
    if (form == 0) {
      return {map.pad,    map.h,      map.w,     channels, k_extension, m_extension,
              k_start,    m_start,    stride_w,  stride_h, filter_w,    filter_h,
              dilation_w, dilation_h, transpose, small_k,  pad_value};
    }
    if (form == 1) {
      return {map.pad,   map.h,    map.w,     channels, k_extension, m_extension, k_start,
              m_start,   stride_w, stride_h,  filter_w, filter_h,    dilation_w,  dilation_h,
              transpose, small_k,  pad_value, size_w,   size_h,      right_map};
    }
    LoadData3DParamsV2<T> fields;
    for (int i = 0; i < 4; ++i) fields.padList[i] = map.pad[i];
    fields.l1H = map.h;
    fields.l1W = map.w;
    fields.channelSize = channels;
    fields.kExtension = k_extension;
    fields.mExtension = m_extension;
    fields.kStartPt = k_start;
    fields.mStartPt = m_start;
    // 1 is the default of these.
    if (stride_w != 1) fields.strideW = stride_w;
    if (stride_h != 1) fields.strideH = stride_h;
    if (filter_w != 1) fields.filterW = filter_w;
    if (filter_h != 1) fields.filterH = filter_h;
    if (dilation_w != 1) fields.dilationFilterW = dilation_w;
    if (dilation_h != 1) fields.dilationFilterH = dilation_h;
    fields.enTranspose = transpose;
    fields.enSmallK = small_k;
    fields.padValue = pad_value;
    fields.filterSizeW = size_w;
    fields.filterSizeH = size_h;
    fields.fMatrixCtrl = right_map;
    return fields;
  }

  LoadData3DParamsV2Pro pro() const {
    const uint64_t ext = uint64_t(m_start) << 48 | uint64_t(k_start) << 32 |
                         uint64_t(m_extension) << 16 | k_extension;
    const uint64_t filter = uint64_t(dilation_h) << 40 | uint64_t(dilation_w) << 32 |
                            uint64_t(filter_h) << 24 | uint64_t(filter_w) << 16 |
                            uint64_t(stride_h) << 8 | stride_w;
    if (form == 3) {
      return {channels, transpose, small_k, size_w, size_h, right_map, ext, filter};
    }
    LoadData3DParamsV2Pro fields;
    fields.channelSize = channels;
    fields.enTranspose = transpose;
    fields.enSmallK = small_k;
    fields.filterSizeW = size_w;
    fields.filterSizeH = size_h;
    fields.fMatrixCtrl = right_map;
    fields.extConfig = ext;
    if (filter != 0x010101010101) fields.filterConfig = filter;  // its default
    return fields;
  }

  template <class T>
  void load() const {
    const auto to = dst.tensor<T>();
    const auto from = src.tensor<T>();
    if (form >= 3) return LoadData(to, from, pro());
    switch (sets) {
      case 0: return LoadData<T, kSetNone>(to, from, params<T>());
      case 1: return LoadData<T, kSetPadding>(to, from, params<T>());
      case 2: return LoadData<T, kSetFMatrix>(to, from, params<T>());
      default: return LoadData(to, from, params<T>());
    }
  }

  // The same block to another place, from the registers alone.
  template <class T>
  void load_again() const {
    const Place& to = dst;
    PipeBarrier<PIPE_MTE1>();  // the two may overlap
    LoadData(LocalTensor<T>(to.position, again, to.elements), src.tensor<T>(), pro());
  }

  bool visible;
  int64_t form, sets, setup;
  uint32_t again;  // a byte address; 0: no second load
  int64_t type;
  Place dst, src;
  Map map;
  int64_t value;
  Map left, right;
  int64_t earlier_value;
  uint16_t channels, k_extension, m_extension, k_start, m_start;
  uint8_t stride_w, stride_h, filter_w, filter_h, dilation_w, dilation_h;
  bool transpose, small_k, size_w, size_h, right_map;
  uint16_t repeat_stride;
  uint8_t repeat_time, repeat_mode;
  uint32_t boundary;
};

}  // namespace

extern "C" __global__ __aicore__ void load_data_3d_v2_cases(GM_ADDR table, GM_ADDR images,
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
    call.set_registers<T>();
    call.load<T>();
    if (call.again != 0) call.load_again<T>();
  });
  if (call.visible) save_memory(values.result(), call.dst.position, dst_bytes);
}
