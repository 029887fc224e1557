// Functions that move elements or choose among them, and quantisation with tensors. Everything lies
// in UB one after the other, 16 KB apart: x, y, z, an array before, two results.
#include "kernel_operator.h"
#include "tiling/tiling_api.h"

using namespace AscendC;

constexpr uint32_t kApart = 16384;

template <class T>
__aicore__ LocalTensor<T> at(uint32_t place) {
  return LocalTensor<T>(TPosition::VECCALC, place * kApart, kApart / sizeof(T));
}
__aicore__ GlobalTensor<uint8_t> global(GM_ADDR gm) {
  GlobalTensor<uint8_t> tensor;
  tensor.SetGlobalBuffer((__gm__ uint8_t*)gm);
  return tensor;
}

#define PARAMETERS                                                                      \
  GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR before, GM_ADDR a, GM_ADDR b, uint32_t kind, \
      uint32_t p0, uint32_t p1, uint32_t p2, uint32_t p3, uint32_t p4
#define KERNEL(name, call)                                       \
  extern "C" __global__ __aicore__ void name(PARAMETERS) {       \
    GM_ADDR from[] = {x, y, z, before, before};                  \
    for (uint32_t place = 0; place < 5; ++place) {               \
      DataCopy(at<uint8_t>(place), global(from[place]), kApart); \
    }                                                            \
    PipeBarrier<PIPE_ALL>();                                     \
    const uint32_t p[] = {p0, p1, p2, p3, p4};                   \
    call(kind, p);                                               \
    PipeBarrier<PIPE_ALL>();                                     \
    DataCopy(global(a), at<uint8_t>(3), kApart);                 \
    DataCopy(global(b), at<uint8_t>(1), kApart);                 \
  }

constexpr TransDataConfig kToZ{DataFormat::NCDHW, DataFormat::FRACTAL_Z_3D};
constexpr TransDataConfig kFromZ{DataFormat::FRACTAL_Z_3D, DataFormat::NCDHW};
constexpr TransDataConfig kTo5{DataFormat::NCDHW, DataFormat::NDC1HWC0};
constexpr TransDataConfig kFrom5{DataFormat::NDC1HWC0, DataFormat::NCDHW};

template <class T>
__aicore__ void move(uint32_t kind, const uint32_t (&p)[5]) {
  const LocalTensor<T> x = at<T>(0), dst = at<T>(3);
  const LocalTensor<uint8_t> scratch = at<uint8_t>(5);
  if (kind == 0) {
    PadTiling tiling;
    PadTilingFunc(TensorShape{p[0], p[1]}, TensorShape{p[0], p[2]}, 0, sizeof(T), tiling);
    PadParams params{uint16_t(p[3]), uint16_t(p[4]), 7};
    Pad(dst, x, params, scratch, tiling);
  }
  if (kind == 1) {
    UnPadTiling tiling;
    UnPadTilingFunc(TensorShape{p[0], p[1]}, 0, sizeof(T), tiling);
    UnPadParams params{0, uint16_t(p[2])};
    UnPad(dst, x, params, tiling);
  }
  if (kind >= 11 && kind < 18) {
    ConfusionTransposeTiling tiling;
    if (kind == 17) {
      GetConfusionTransposeOnlyTilingInfo(TensorShape{p[2], p[3]}, 0, sizeof(T), tiling);
      ConfusionTranspose(dst, x, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling);
    } else {
      GetTransposeTilingInfo(TensorShape{p[0], p[1], p[2], p[3]}, 0, sizeof(T), kind - 10, tiling);
      Transpose(dst, x, scratch, TransposeType(kind - 10), tiling);
    }
  }
  if constexpr (sizeof(T) == 2) {
    const uint32_t c1 = (p[1] + 15) / 16, n1 = (p[0] + 15) / 16, h = p[4];
    const uint32_t w = h == 0 ? 0 : p[3] / h;
    const Layout plain = MakeLayout(MakeShape(p[0], p[1], p[2], h, w), MakeStride());
    const Layout five = MakeLayout(MakeShape(p[0], p[2], c1, h, w, 16u), MakeStride());
    const Layout z = MakeLayout(MakeShape(p[2], c1, h, w, n1, 16u, 16u), MakeStride());
    const Layout wrong = MakeLayout(MakeShape(p[0], p[2], c1 + 1, h, w, 16u), MakeStride());
    if (kind == 20) {
      TransData<kToZ>(dst, x, TransDataParams<decltype(plain), decltype(z)>{plain, z});
    }
    if (kind == 21) {
      TransData<kFromZ>(dst, x, TransDataParams<decltype(z), decltype(plain)>{z, plain});
    }
    if (kind == 22) {
      TransData<kTo5>(dst, x, scratch,
                      TransDataParams<decltype(plain), decltype(five)>{plain, five});
    }
    if (kind == 23) {
      TransData<kFrom5>(dst, x, scratch,
                        TransDataParams<decltype(five), decltype(plain)>{five, plain});
    }
    if (kind == 24) {
      TransData<kTo5>(dst, x, TransDataParams<decltype(plain), decltype(five)>{plain, wrong});
    }
    if (kind == 25) {
      TransData<kTo5>(dst, x, scratch[kApart - 64],
                      TransDataParams<decltype(plain), decltype(five)>{plain, five});
    }
  }
}
KERNEL(move_half, move<half>)
KERNEL(move_float, move<float>)

template <class T, uint32_t mode>
__aicore__ void drop(const uint32_t (&p)[5]) {
  DropOutShapeInfo info;
  info.firstAxis = p[0];
  info.srcLastAxis = p[1];
  info.maskLastAxis = p[2];
  DropOut<T, false, mode>(at<T>(3), at<T>(0), at<uint8_t>(1), at<uint8_t>(5), p[3] / 16.0f, info);
}
template <class T>
__aicore__ void choose(uint32_t kind, const uint32_t (&p)[5]) {
  const LocalTensor<T> x = at<T>(0), y = at<T>(1), z = at<T>(2), dst = at<T>(3);
  const LocalTensor<uint8_t> scratch = at<uint8_t>(5);
  if (kind == 0) drop<T, 0>(p);
  if (kind == 3) drop<T, 3>(p);
  if (kind == 4) drop<T, 4>(p);
  if (kind == 5) {
    SelectWithBytesMaskShapeInfo info;
    info.firstAxis = p[0];
    info.srcLastAxis = p[1];
    info.maskLastAxis = p[2];
    Select<T, uint8_t>(dst, x, T(7.0f), at<uint8_t>(1), scratch, info);
  }
  const LocalTensor<int8_t> bytes = at<int8_t>(3);
  if (kind == 6) AscendQuant(bytes, x, scratch, y, T(2.0f), p[1], p[0]);
  if (kind == 7) AscendQuant(bytes, x, y, z, p[1], p[1], p[0]);
  if constexpr (sizeof(T) == 4) {
    const uint32_t shape[] = {p[0], p[1]};
    if (kind == 8) ReduceAny<T, Pattern::Reduce::AR>(dst, x, scratch, shape, true);
    if (kind == 9) ReduceAll<T, Pattern::Reduce::RA>(dst, x, shape, true);
    if (kind == 10)
      ReduceAll<uint8_t, Pattern::Reduce::AR>(at<uint8_t>(3), at<uint8_t>(0), shape, true);
    if (kind == 11)
      ReduceAny<uint8_t, Pattern::Reduce::RA>(at<uint8_t>(3), at<uint8_t>(0), shape, true);
    if (kind == 12) {
      ReduceXorSum(at<int16_t>(3), at<int16_t>(0), at<int16_t>(1), scratch, p[0]);
    }
  }
}
KERNEL(choose_half, choose<half>)
KERNEL(choose_float, choose<float>)

// src has N elements for each of K.
template <class T, class From>
__aicore__ void anti_quant_of(uint32_t kind, const uint32_t (&p)[5], uint32_t n) {
  const LocalTensor<From> all = at<From>(0);
  LocalTensor<From> x = all;
  x.SetSize(p[0] * n);
  const LocalTensor<T> y = at<T>(1), z = at<T>(2), dst = at<T>(3);
  const AntiQuantShapeInfo rows{p[1], n, p[2], n}, columns{n, p[1], n, p[2]};
  if (kind % 4 == 0) AscendAntiQuant<From, T, false>(dst, x, y, z, p[0], rows);
  if (kind % 4 == 1) AscendAntiQuant<From, T, true>(dst, x, y, z, p[0], columns);
  if (kind % 4 == 2) AscendAntiQuant<From, T, false>(dst, x, z, at<uint8_t>(5), p[0], rows);
  if (kind % 4 == 3) AscendAntiQuant<From, T, false>(dst, x, T(1.5f), T(0.25f), p[0]);
}
__aicore__ void anti_quant(uint32_t kind, const uint32_t (&p)[5]) {
  if (kind / 4 == 0) anti_quant_of<half, int8_t>(kind, p, p[3]);
  if (kind / 4 == 1) anti_quant_of<half, int4b_t>(kind, p, p[3]);
  if (kind / 4 == 2) anti_quant_of<bfloat16_t, int8_t>(kind, p, p[3]);
  if (kind / 4 == 3) anti_quant_of<bfloat16_t, int4b_t>(kind, p, p[3]);
}
KERNEL(anti_quants, anti_quant)

// SoftmaxFlashV3: x, columns of means, sums and maxima in y.
__aicore__ void shifted(uint32_t kind, const uint32_t (&p)[5]) {
  const LocalTensor<half> x = at<half>(0), dst = at<half>(3), scale = at<half>(4);
  const LocalTensor<float> y = at<float>(1), mean = y, sum = y[1024], max = y[2048];
  SoftMaxParams params;
  params.srcM = params.oriSrcM = p[0];
  params.srcK = params.oriSrcK = p[1];
  params.loopCnt = p[2];
  if (kind == 0)
    SoftmaxFlashV3<half, float>(dst, mean, sum, max, x, scale, mean, sum, max, {}, params);
  if (kind == 1) {
    SoftmaxFlashV3<half, float, true>(dst, mean, sum, max, x, scale, mean, sum, max, at<uint8_t>(5),
                                      {}, params);
  }
  static constexpr SoftmaxConfig kOneEach{true, 0, 0, SoftmaxMode::SOFTMAX_OUTPUT_WITHOUT_BRC};
  const LocalTensor<float> w = at<float>(0), out = at<float>(3);
  if (kind == 2) {  // the row's own maximum as well
    SoftmaxFlashV2<float, true, false, false, false, kOneEach>(
        out, y[3072], sum, max, w, at<float>(4), sum, max, {},
        SoftMaxShapeInfo{p[0], p[1], p[0], p[1]});
  }
}
KERNEL(shifted_softmax, shifted)
