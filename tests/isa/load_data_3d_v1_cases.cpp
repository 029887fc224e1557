// LoadData 3D v1, one case a block: a load of its own, and a whole convolution. The image is the
// identity, what the destination holds before (or the weights), and the feature map in L1.
#include "cube_cases.h"

namespace {

constexpr IsResetLoad3dConfig kSetNone = {false, false};
constexpr IsResetLoad3dConfig kSetPadding = {false, true};
constexpr IsResetLoad3dConfig kSetFMatrix = {true, false};

// What the FMATRIX and PADDING registers hold.
struct Map {
  explicit Map(Case& values) {
    for (uint8_t& side : pad) side = values.next();
    h = values.next();
    w = values.next();
    value = values.next();
  }

  template <class T>
  void store(LoadData3DParamsV1<T>& params) const {
    for (int i = 0; i < 4; ++i) params.padList[i] = pad[i];
    params.l1H = h;
    params.l1W = w;
    params.padValue = element_of<T>(value);
  }

  uint8_t pad[4];
  uint16_t h, w;
  int64_t value;
};

// The window and the filter.
struct Geometry {
  explicit Geometry(Case& values)
      : stride_w(values.next()),
        stride_h(values.next()),
        filter_w(values.next()),
        filter_h(values.next()),
        dilation_w(values.next()),
        dilation_h(values.next()) {}

  template <class T>
  void store(LoadData3DParamsV1<T>& params) const {
    params.strideW = stride_w;
    params.strideH = stride_h;
    params.filterW = filter_w;
    params.filterH = filter_h;
    params.dilationFilterW = dilation_w;
    params.dilationFilterH = dilation_h;
  }

  uint8_t stride_w, stride_h, filter_w, filter_h, dilation_w, dilation_h;
};

struct Call {
  explicit Call(Case& values)
      : visible(values.next()),
        earlier(values.next()),
        sets(values.next()),
        type(values.next()),
        dst(values),
        src(values),
        earlier_map(values),
        map(values),
        geometry(values),
        c1(values.next()),
        fetch_w(values.next()),
        fetch_h(values.next()),
        left_top_w(values.next()),
        left_top_h(values.next()),
        jump(values.next()),
        mode(values.next()),
        repeats(values.next()),
        c_size(values.next()),
        boundary(values.next()) {}

  // An earlier load of one fractal, to the last fractal of the image's, that sets the registers.
  template <class T>
  void set_registers(uint32_t last) const {
    LoadData3DParamsV1<T> params;
    earlier_map.store(params);
    params.strideW = params.strideH = params.filterW = params.filterH = 1;
    params.dilationFilterW = params.dilationFilterH = params.jumpStride = params.repeatTime = 1;
    LoadData(LocalTensor<T>(dst.position, last, kFractal / sizeof(T)), src.tensor<T>(), params);
    PipeBarrier<PIPE_MTE1>();  // the next load may write there too
  }

  template <class T>
  void load() const {
    LoadData3DParamsV1<T> params;
    map.store(params);
    geometry.store(params);
    params.c1Index = c1;
    params.fetchFilterW = fetch_w;
    params.fetchFilterH = fetch_h;
    params.leftTopW = left_top_w;
    params.leftTopH = left_top_h;
    params.jumpStride = jump;
    params.repeatMode = mode;
    params.repeatTime = repeats;
    params.cSize = c_size;
    const auto to = dst.tensor<T>();
    const auto from = src.tensor<T>();
    switch (sets) {
      case 0: return LoadData<T, kSetNone>(to, from, params);
      case 1: return LoadData<T, kSetPadding>(to, from, params);
      case 2: return LoadData<T, kSetFMatrix>(to, from, params);
      default: return LoadData(to, from, params);
    }
  }

  bool visible, earlier;
  int64_t sets, type;
  Place dst, src;
  Map earlier_map, map;
  Geometry geometry;
  uint16_t c1;
  uint8_t fetch_w, fetch_h;
  int16_t left_top_w, left_top_h;
  uint8_t jump, mode, repeats, c_size;
  int64_t boundary;  // -1: not set
};

// A convolution as the documents build it: A with one load for each row block (mode 0) or for each
// column of fractals (mode 1), B as a plain copy of weights [C1, Kh, Kw, Cout, C0].
struct Convolution {
  explicit Convolution(Case& values)
      : mode(values.next()),
        shows_a(values.next()),
        map(values),
        geometry(values),
        c1(values.next()),
        n_blocks(values.next()),
        wo(values.next()),
        m_blocks(values.next()),
        k_blocks(c1 * geometry.filter_h * geometry.filter_w) {}

  void load_row_block(uint32_t block) const {
    LoadData3DParamsV1<half> params = common();
    const uint32_t window = block * 16;
    params.leftTopH = int16_t(window / wo * geometry.stride_h - map.pad[2]);
    params.leftTopW = int16_t(window % wo * geometry.stride_w - map.pad[0]);
    params.repeatMode = 0;
    params.jumpStride = 1;
    params.repeatTime = k_blocks;
    load(block * k_blocks, params);
  }
  void load_column(uint32_t block) const {
    LoadData3DParamsV1<half> params = common();
    params.leftTopH = int16_t(-map.pad[2]);
    params.leftTopW = int16_t(-map.pad[0]);
    params.fetchFilterW = uint8_t(block % geometry.filter_w);
    params.fetchFilterH = uint8_t(block / geometry.filter_w % geometry.filter_h);
    params.c1Index = uint16_t(block / geometry.filter_w / geometry.filter_h);
    params.repeatMode = 1;
    params.jumpStride = k_blocks;
    params.repeatTime = m_blocks;
    load(block, params);
  }
  LoadData3DParamsV1<half> common() const {
    LoadData3DParamsV1<half> params;
    map.store(params);
    geometry.store(params);
    return params;
  }
  void load(uint32_t fractal, const LoadData3DParamsV1<half>& params) const {
    const LocalTensor<half> dst(TPosition::A2, 0, m_blocks * k_blocks * 256);
    const LocalTensor<half> src(TPosition::A1, 0, c1 * map.h * map.w * 16);
    LoadData(dst[fractal * 256], src, params);
  }

  int64_t mode;
  bool shows_a;
  Map map;
  Geometry geometry;
  uint32_t c1, n_blocks, wo, m_blocks, k_blocks;
};

}  // namespace

extern "C" __global__ __aicore__ void load_data_3d_v1_cases(GM_ADDR table, GM_ADDR images,
                                                            GM_ADDR results) {
  Case values(table, images, results);
  const Call call(values);
  const uint32_t dst_bytes = values.result_bytes / 2;
  if (call.visible) {
    fill_l1(values.image()[kFractal + dst_bytes], values.image_bytes - kFractal - dst_bytes);
    fill_l0(call.dst.position, values.image()[kFractal], dst_bytes);
  }
  with_type(call.type, [&](auto element) {
    using T = decltype(element);
    if (call.earlier) call.set_registers<T>(dst_bytes - kFractal);
    if (call.boundary >= 0) SetLoadDataBoundary(uint32_t(call.boundary));
    call.load<T>();
  });
  if (!call.visible) return;
  save_l0(call.dst.position, values.image(), values.result(), dst_bytes / kFractal);
}

extern "C" __global__ __aicore__ void convolution(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  const Convolution conv(values);
  const uint32_t weight_bytes = conv.k_blocks * conv.n_blocks * kFractal;
  const auto weights = values.image()[kFractal];
  fill_l1(weights[weight_bytes], conv.c1 * conv.map.h * conv.map.w * 32);
  const uint32_t loads = conv.mode == 0 ? conv.m_blocks : conv.k_blocks;
  for (uint32_t i = 0; i < loads; ++i) {
    conv.mode == 0 ? conv.load_row_block(i) : conv.load_column(i);
  }
  if (conv.shows_a) {
    return save_l0(TPosition::A2, values.image(), values.result(), conv.m_blocks * conv.k_blocks);
  }
  fill_l0(TPosition::B2, weights, weight_bytes);
  const LocalTensor<half> a(TPosition::A2, 0, conv.m_blocks * conv.k_blocks * 256);
  const LocalTensor<half> b(TPosition::B2, 0, conv.k_blocks * conv.n_blocks * 256);
  const LocalTensor<float> c(TPosition::CO1, 0, conv.m_blocks * conv.n_blocks * 256);
  const auto size = [](uint32_t blocks) { return uint16_t(blocks * 16); };
  Mmad(c, a, b,
       MmadParams(size(conv.m_blocks), size(conv.n_blocks), size(conv.k_blocks), 0, false, true));
  PipeBarrier<PIPE_ALL>();
  save_l0c<float>(values.result(), conv.m_blocks * conv.n_blocks);
}
