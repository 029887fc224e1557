// Transpose and TransDataTo5HD, one case a block, on a UB filled with the case's image.
#include "cases.h"

namespace {

template <class T>
constexpr bool kTurned = sizeof(T) <= 4 && !std::is_same_v<T, int4b_t>;

template <class T>
void lists(const TPosition (&positions)[2], const uint32_t (&starts)[2][16], uint32_t bytes,
           int64_t form, const TransDataTo5HDParams& params) {
  LocalTensor<T> tensors[2][16];
  for (int list = 0; list < 2; ++list) {
    for (int i = 0; i < 16; ++i) {
      const uint32_t at = starts[list][i];
      tensors[list][i] =
          LocalTensor<T>(positions[list], at, at < bytes ? (bytes - at) / sizeof(T) : 0);
    }
  }
  if (form == 0) return TransDataTo5HD<T>(tensors[0], tensors[1], params);
  uint64_t addresses[2][16];
  for (int list = 0; list < 2; ++list) {
    for (int i = 0; i < 16; ++i) addresses[list][i] = (uint64_t)tensors[list][i].GetPhyAddr();
  }
  if (form == 1) return TransDataTo5HD<T>(addresses[0], addresses[1], params);
  // The addresses stand in UB behind the image.
  const LocalTensor<uint64_t> dst(TPosition::VECCALC, 64 << 10, 16);
  const LocalTensor<uint64_t> src(TPosition::VECCALC, (64 << 10) + 128, 16);
  for (int i = 0; i < 16; ++i) {
    dst.SetValue(i, addresses[0][i]);
    src.SetValue(i, addresses[1][i]);
  }
  TransDataTo5HD<T>(dst, src, params);
}

}  // namespace

extern "C" __global__ __aicore__ void transpose_cases(GM_ADDR table, GM_ADDR images,
                                                      GM_ADDR results) {
  Case values(table, images, results);
  const int64_t type = values.next();
  const Place dst(values), src(values);
  fill_ub(values);
  with_type(type, [&](auto element) {
    using T = decltype(element);
    Transpose(dst.tensor<T>(), src.tensor<T>());
  });
  save_ub(values);
}

extern "C" __global__ __aicore__ void lists_cases(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  const int64_t type = values.next(), form = values.next();
  TransDataTo5HDParams params(values.next(), false, 0, 0, 0);
  params.srcHighHalf = values.next();
  params.repeatTimes = values.next();
  params.dstRepStride = values.next();
  params.srcRepStride = values.next();
  const uint32_t bytes = values.next();
  const TPosition positions[2] = {TPosition(values.next()), TPosition(values.next())};
  uint32_t starts[2][16];
  for (auto& list : starts) {
    for (uint32_t& start : list) start = values.next();
  }
  fill_ub(values);
  with_type(type, [&](auto element) {
    using T = decltype(element);
    if constexpr (kTurned<T>) lists<T>(positions, starts, bytes, form, params);
  });
  save_ub(values);
}

extern "C" __global__ __aicore__ void images_cases(GM_ADDR table, GM_ADDR images, GM_ADDR results) {
  Case values(table, images, results);
  const int64_t type = values.next();
  const bool to_places = values.next();
  const Place dst(values), src(values), scratch(values);
  TransposeParamsExt params;
  params.nSize = values.next();
  params.cSize = values.next();
  params.hSize = values.next();
  params.wSize = values.next();
  params.transposeType =
      to_places ? TransposeType::TRANSPOSE_NCHW2NHWC : TransposeType::TRANSPOSE_NHWC2NCHW;
  fill_ub(values);
  with_type(type, [&](auto element) {
    using T = decltype(element);
    if constexpr (kTurned<T>) {
      Transpose(dst.tensor<T>(), src.tensor<T>(), scratch.tensor<uint8_t>(), params);
    }
  });
  save_ub(values);
}
